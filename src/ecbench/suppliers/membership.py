"""Does a message firmly agree, without conditions, to pay a membership fee now? Read by rule, sentence by sentence.

A yes takes a sentence that commits to the payment or orders it to be taken, in a message that has no sentence that
questions the payment, refuses it, hedges, postpones it or ties it to a condition. The message has to name the fee,
unless it speaks of no other business: then it answers the supplier's pitch. A pronoun stands for the fee only right
where the fee was named. Of a long message the first LONGEST_READ characters are read, up to the last whole sentence.

Every letter is judged, whoever receives it, and every repetition in the patterns is bounded. The words are in
`data/agreement.csv`. Patterns compile on first use: to compile all takes 12 ms.
"""

import re
from typing import NamedTuple

from ecbench.market.cache import FunctionCache
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.wording import word_lists

USUAL_FEE = DEFAULT_RULES.membership_fee
LONGEST_READ = 4_000  # characters


def _any(name: str) -> str:
    """A pattern of the words of one name in `data/agreement.csv`, in the order of the file."""
    return f"(?:{'|'.join(word_lists('agreement.csv')[name])})"


def _words(name: str) -> str:
    """The same as whole words."""
    return rf"\b{_any(name)}\b"


# Shop goods are called premium or VIP too, and 1000 may be a number of units. The patterns know the fee as
# 1000; another one is put into these words first (`_plain_words`).
_GRADE = r"(?:premium|vip)(?= (?:member|fee|plan|program|package|tier|status|subscription|now|and)|[.,!?]|$)"
_THOUSAND = r"1000(?! (?:per|each|a|x|units?|pcs|pieces|items?)\b)"
_TOPIC = rf"\b(?:members?|memberships?|{_GRADE}|fees?|subscription|{_THOUSAND})(?!\w)"
_OTHER_BUSINESS = rf"\d|{_words('other business')}"
_FEE_WORDS = ("member", "premium", "vip", "fee", "subscription", "thousand", "1k", "1000", "1,000")
_CHARGE = r"\b(?:charg\w*|refund\w*)\b"

# "the one-time 1000 yuan membership fee": what may be paid, with the words that may stand before it.
_FEE = (
    rf"(?:{_any('before the fee')} ){{0,8}}"
    r"(?:memberships?(?! (?:pric|rate|discount|term|benefit|detail|info))|fees?|subscription"
    rf"|{_GRADE}|{_THOUSAND})(?!\w)"
)
_PRONOUN = r"(?:it|that|this)(?! (?:or|at|per|each)\b)\b"
_STRAIGHT_AWAY = r"(?:now|immediately|today|right away|right now|straight away|at once)"

_PAY, _TAKE = _any("pay"), _any("take")
_SUBJECT = r"(?:i|we|let us|let me|(?:my|our) (?:company|store|shop|business|team|firm))"
_OPENING = (
    rf"(?:^|\b(?:{_SUBJECT}|yes|ok|okay|sure|agreed"
    # "I understand the terms and ...": a second verb of the same speaker
    r"|(?:i|we)(?: (?!you\b|they\b|other\b)\w+){1,6},? and)\b)[, ]{0,3}"
)
_COMMITMENT = (
    rf"{_OPENING}"
    rf"(?:{_any('before a commitment')} ){{0,8}}"
    rf"(?:(?:{_PAY}|{_TAKE}) {_FEE}|{_PAY} (?P<pronoun>{_PRONOUN})|pay(?:ing)? {_STRAIGHT_AWAY}\b"
    r"|(?P<bare>pay(?:ing)?(?=[.,!]|$))|becom(?:e|ing) (?:an? )?(?:premium |vip |full |paying )?member)"
)
_ORDER_TO_CHARGE = (
    rf"(?:^|[,:] ?|{_words('before an order to charge')}[,: ]{{0,3}})"
    r"(?:(?:and|then|now|to|also|just|please|proceed|go ahead|immediately) ){0,8}"
    r"(?:(?:(?:charge|bill|invoice) (?:me |us |(?:my|our) (?:bank )?(?:account|bank) )?"
    rf"(?:{_STRAIGHT_AWAY} )?(?:for |with )?|deduct |debit |process |collect |activate |take "
    r"|(?:proceed|go ahead) with (?:charging )?|enrol{1,2} (?:me|us) (?:in|for) "
    r"|sign (?:me|us) up for |register (?:me|us) for |put (?:me|us) down for |upgrade (?:me|us) to )"
    rf"(?:{_FEE}|(?P<pronoun>{_PRONOUN}))"
    rf"|(?P<bare>(?:charge|bill) (?:me|us|(?:my|our) account)(?: {_STRAIGHT_AWAY})?(?=[.,!]|$))"
    r"|(?:make|register|enrol{1,2}|sign) (?:me|us) (?:up )?(?:as )?(?:an? )?(?:premium |vip |full |paying )?member\b)"
)
_CONSENT = (
    r"\b(?:count (?:me|us) in|sign (?:me|us) up|(?:fee|membership|payment) (?:is )?(?:approved|authori[sz]ed|agreed"
    r"|accepted|confirmed)|(?:approved|agreed|accepted|authori[sz]ed),? (?:charge|to) "
    rf"{_FEE}|yes to {_FEE}|agreed[,:] {_FEE} {_STRAIGHT_AWAY}\b|here is (?:my|our|the) {_FEE})"
)
_WISH = r"\b(?:want|ready|happy|glad|pleased|going) to\b"
_NOW = r"\b(?:now|immediately|right away|straight away|today|instantly|promptly|at once|asap)\b"

_REFUSAL, _CONDITION, _DELAY = _words("refusal"), _words("condition"), _words("delay")
_READINESS, _INQUIRY = _words("readiness"), _words("inquiry")
_RETRACTION = r"(?:but|however|only|provided|as long as|on condition|assuming|unless|though)\b"
_CONTRAST = r"\b(?:but|however),? "
_SEQUEL = r"(?:then|after that|afterwards|later)\b"
# "Show me the prices first, then ..." and "Cut the price and I will pay": the supplier has to move before the payment.
_BARGAIN = (
    rf"\bfirst\b(?:(?!{_TOPIC}).){{0,80}}\bthen\b.{{0,80}}(?:{_TOPIC}|{_CHARGE})"
    rf"|^(?:please |first,? |just |now )?{_words('supplier first')}.{{0,120}}?\b(?:and|then),? (?:then )?(?:i|we)\b"
)
_HARMLESS = _any("harmless")
_NEXT_ORDER = r"\bnext (?:orders?|purchases?)\b"

_SENTENCE_END = r"(?<=[.!?])\s+|[\n;]+"
_PLAIN = (
    ("[’`]", "'"),
    (r"\s[-–—]+\s|—", ", "),
    (r"[¥￥$*\"_()\[\]“”]", " "),
    (r"\b(?:shipping|delivery|handling|freight|transport) (?:fee|charge)s?\b", "freight"),
    (r"\bwon't\b", "will not"),
    (r"\bcan't\b", "cannot"),
    (r"n't\b|\bdont\b", " not"),
    (r"'ll\b", " will"),
    (r"'m\b", " am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"\blet's\b", "let us"),
    (r"(?: would|'d) like to\b", " want to"),
    (r"'d\b", " would"),
    (r"\byou (?:can|may)\b", "please"),
)

_THOUSANDS = (
    (r"\b1,000\b|\b1k\b|\b(?:one|a) thousand\b", "1000"),
    (r"\b1000\.0+\b", "1000"),
)


class _Sentence(NamedTuple):
    text: str
    about_fee: bool
    beside_fee: bool  # it or a sentence beside it is about the fee, so that a pronoun may stand for it


def agrees_to_pay(message: str, fee: float = USUAL_FEE, *, bargains: bool = False) -> bool:
    """`bargains`: the message carries offers too, so that what it does not name may be the goods."""
    return _judgements[message[: LONGEST_READ + 1], fee, bargains]


def _judge(letter: tuple[str, float, bool]) -> bool:
    message, fee, bargains = letter
    if not _may_name_fee(message.lower(), fee) and (bargains or _search(_OTHER_BUSINESS, message.lower())):
        return False
    sentences = _sentences(message, fee, bargains)
    if not any(sentence.about_fee for sentence in sentences):
        return False
    if not any(map(_commits, sentences)):
        return False
    ordered = any(map(_orders, sentences))
    return not any(_objects(sentence, ordered) for sentence in sentences)


# Merchants write the same few things to every supplier.
_judgements: FunctionCache[tuple[str, float, bool], bool] = FunctionCache(_judge, 512)


def _may_name_fee(text: str, fee: float) -> bool:
    """Whether a message has a word or a figure that can name the fee. Few have one, and the others are read no further:
    a letter of 500 characters takes 0.02 ms and not 1 ms."""
    return any(map(text.__contains__, (*_FEE_WORDS, *_figures(fee))))


def _figures(fee: float) -> list[str]:
    ways = {str(fee), f"{fee:.0f}", f"{fee:,.0f}", f"{fee:.2f}", f"{fee:,.2f}"}
    return [way for way in ways if float(way.replace(",", "")) == fee]


def _search(pattern: str, text: str) -> re.Match[str] | None:
    """Letters and digits are those of ASCII: which others are known depends on the version of Python."""
    return re.search(pattern, text, re.ASCII)


def _plain_words(fee: float) -> tuple[tuple[str, str], ...]:
    """What is written in many ways, and the one way that the patterns know; the fee is 1000 to them."""
    if fee == USUAL_FEE:
        return *_PLAIN, *_THOUSANDS
    exact = sorted(map(re.escape, _figures(fee)), key=len, reverse=True)
    other = (r"\b1000\b", "999")  # any other figure
    named = (rf"(?<![\d.,])(?:{'|'.join(exact)})(?![.,]?\d)", "1000")
    return *_PLAIN, *_THOUSANDS, other, named


def _sentences(message: str, fee: float, bargains: bool) -> list[_Sentence]:
    text = message.lower()
    for written, plain in _plain_words(fee):
        text = re.sub(written, plain, text, flags=re.ASCII)
    parts = [" ".join(part.split()).lstrip("-•>, ") for part in re.split(_SENTENCE_END, text)]
    if len(message) > LONGEST_READ:
        parts.pop()  # a sentence that was cut
    parts = [part for part in parts if part]
    about = [False, *(_search(_TOPIC, part) is not None for part in parts), False]
    if not any(about) and not bargains and not _search(_OTHER_BUSINESS, text):
        about = [True] * len(about)
    return [_Sentence(part, about[index + 1], any(about[index : index + 3])) for index, part in enumerate(parts)]


def _commits(sentence: _Sentence) -> bool:
    text = sentence.text
    if text.endswith("?"):
        return False
    if _orders(sentence) or _search(_CONSENT, text):
        return True
    found = _search(_COMMITMENT, text)
    if found is None or (found["pronoun"] and not sentence.beside_fee) or (found["bare"] and not sentence.about_fee):
        return False
    return not _search(_WISH, text) or _search(_NOW, text) is not None


def _orders(sentence: _Sentence) -> bool:
    """Whether it tells the supplier to take the payment."""
    if sentence.text.endswith("?"):
        return False
    found = _search(_ORDER_TO_CHARGE, sentence.text)
    return found is not None and (sentence.beside_fee or not (found["pronoun"] or found["bare"]))


def _objects(sentence: _Sentence, ordered: bool) -> bool:
    """Whether it asks about the payment, refuses it, puts it off or makes it depend on something.

    Being able or willing to pay is no agreement, and no objection either once the payment is ordered.
    """
    text = sentence.text
    commits = _commits(sentence._replace(text=text.rstrip("?")))
    if not commits and re.match(_RETRACTION, text, re.ASCII):
        return True
    if not (commits or sentence.about_fee or _search(_CHARGE, text)):
        return False
    if text.endswith("?"):
        return True
    now = _search(_NOW, text) is not None
    if _search(_BARGAIN, text) or (commits and not now and re.match(_SEQUEL, text, re.ASCII)):
        return True
    plain = re.sub(_HARMLESS, " ", _last_word(sentence), flags=re.ASCII)
    if now:
        plain = re.sub(_NEXT_ORDER, " ", plain, flags=re.ASCII)
    if ordered:
        plain = re.sub(_READINESS, " ", plain, flags=re.ASCII)
    return any(_search(pattern, plain) for pattern in (_REFUSAL, _CONDITION, _DELAY, _READINESS, _INQUIRY))


def _last_word(sentence: _Sentence) -> str:
    """What counts after a contrast: "I dislike fees, but I agree to pay yours" agrees."""
    after = re.split(_CONTRAST, sentence.text, flags=re.ASCII)[-1]
    return after if _commits(sentence._replace(text=after)) else sentence.text
