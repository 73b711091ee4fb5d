"""Does a message firmly agree, without conditions, to pay a membership fee now? Read by rule, sentence by sentence.

A yes takes a sentence that commits to the payment or orders it to be taken, in a message that speaks of the membership
and has no sentence that questions the payment, refuses it, hedges, postpones it or ties it to a condition. Every
repetition in the patterns is bounded, so a message of any size is read in one pass.
"""

import re

_TOPIC = re.compile(r"\b(?:members?|memberships?|premium|vip|fees?|subscription|1000)\b")
_CHARGE = re.compile(r"\b(?:charg\w*|refund\w*)\b")

# "the one-time 1000 yuan membership fee": what may be paid, with the words that may stand before it.
_PAYABLE = (
    r"(?:(?:the|your|this|that|my|our|a|an|one-?time|full|entire|exact|required|upfront|premium|vip|1000|yuan|rmb|cny"
    r"|payment|charge|of|for|member|joining) ){0,8}"
    r"(?:memberships?(?! (?:pric|rate|discount|term|benefit))|fees?|subscription|premium|vip|1000"
    r"(?! (?:per|each|a|units?|pcs|pieces))|it|that|this)\b"
)
_PAY = (
    r"(?:pay(?:ing)?(?: for)?|accept(?:ing)?|approve|authori[sz]e|confirm|purchas(?:e|ing)|buy(?:ing)?|tak(?:e|ing)"
    r"|join(?:ing)?|settle|transfer|remit|proceed with|go ahead with|sign(?:ing)? up for|subscribe to"
    r"|opt (?:into|for|in to)|enrol{1,2} in|agree to|consent to|commit to|agree on"
    r"|authori[sz]e you to (?:charge|bill|deduct|debit|take|process))"
)
_COMMITMENT = re.compile(
    r"(?:^|\b(?:i|we|let us|yes|ok|okay|sure|agreed)\b)[, ]{0,3}"
    r"(?:(?:i|we|am|are|will|shall|do|have|decided to|hereby|happily|gladly|now|fully|both|also|firmly|formally"
    r"|definitely|certainly|absolutely|just|immediately|and|agree to|consent to|commit to|want to|happy to|glad to"
    r"|pleased to|ready to) ){0,8}"
    rf"(?:{_PAY} {_PAYABLE}|pay(?:ing)? (?:now|immediately|today|right away))"
)
_ORDER_TO_CHARGE = re.compile(
    r"(?:^|[,:] ?|\b(?:please|yes|yep|ok|okay|sure|fine|agreed|deal|now|so|and|just|kindly|go ahead)\b[,: ]{0,3})"
    r"(?:(?:and|then|now|to|also|just|please|go ahead|immediately) ){0,8}"
    r"(?:(?:charge|bill|invoice) (?:me |us |(?:my|our) (?:bank )?(?:account|bank) )?(?:for |with )?"
    r"|deduct |debit |process |collect |activate |take |(?:proceed|go ahead) with (?:charging )?"
    r"|enrol{1,2} (?:me|us) (?:in|for) "
    rf"|sign (?:me|us) up for |register (?:me|us) for |put (?:me|us) down for |upgrade (?:me|us) to ){_PAYABLE}"
)
_CONSENT = re.compile(
    r"\b(?:count (?:me|us) in|sign (?:me|us) up|(?:fee|membership|payment) (?:is )?(?:approved|authori[sz]ed|agreed"
    r"|accepted|confirmed)|(?:approved|agreed|accepted|authori[sz]ed),? (?:charge|to) "
    rf"{_PAYABLE})"
)
_WISH = re.compile(r"\b(?:want|ready|happy|glad|pleased) to\b")
_NOW = re.compile(r"\b(?:now|immediately|right away|straight away|today|instantly|promptly)\b")

_REFUSAL = re.compile(
    r"\b(?:not|never|no|none|nor|neither|cannot|without|instead of|rather than|refus\w+|declin\w+|reject\w*|stop|cancel"
    r"|skip|waive\w*|avoid|against|unwilling|reluctant|too (?:high|much|expensive|steep)|scam|fraud|suspicious"
    r"|unacceptable|pass on|hold off|opt out|already paid)\b"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|until|once|when|whenever|after|before|provided|providing|assuming|(?:as|so) long as|subject to"
    r"|contingent|conditional|condition|depend\w*|in case|only|except|in exchange|in return|as soon as|guarante\w+"
    r"|whether|pending|upon|but|however|though|although|should you)\b"
)
_DELAY = re.compile(
    r"\b(?:later|tomorrow|soon|eventually|some ?day|next|future|another (?:day|time)|in (?:a|an|the|two|three|\d+)"
    r" (?:few |coming )?(?:days?|weeks?|months?|hours?)|(?:this|end of the) (?:week|month|year)|plan\w*"
    r"|intend\w*|hop(?:e|ing)|expect\w*|aim|going to|consider\w*|think\w*|discuss|review|evaluate|look into"
    r"|decid(?:e|ing)|interest\w*|maybe|perhaps|possibly|probably|likely|might|may|could|would|should|can|able|willing"
    r"|open to|tempted|prepared|wait\w*)\b"
)
_RETRACTION = re.compile(r"(?:but|however|only|provided|as long as|on condition|assuming|unless|though)\b")
_HARMLESS = re.compile(
    r"\bno (?:problem|worries|objections?|conditions?|questions?|issues?|further \w+|more \w+|need to wait|delays?"
    r"|doubt)\b"
    r"|\bnot a problem\b|\bwithout (?:any |further )?(?:delay|hesitation|conditions?|reservations?)\b|\bwhy not\b"
    r"|\bdo not (?:hesitate|wait|delay)\b|\bat once\b|\bafter that\b|\bafterwards\b|\bas soon as possible\b"
    r"|\bhave decided to\b"
)
_NEXT_ORDER = re.compile(r"\bnext (?:orders?|purchases?)\b")

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[\n;]+")
_PLAIN = (
    (re.compile("[’`]"), "'"),
    (re.compile(r"[¥￥$*\"_]"), " "),
    (re.compile(r"\b1,000\b|\b1k\b"), "1000"),
    (re.compile(r"\b1000\.0+\b"), "1000"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bcan't\b"), "cannot"),
    (re.compile(r"n't\b|\bdont\b"), " not"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"(?: would|'d) like to\b"), " want to"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\byou (?:can|may)\b"), "please"),
)


def agrees_to_pay(message: str) -> bool:
    sentences = _sentences(message)
    if not any(_TOPIC.search(sentence) for sentence in sentences):
        return False
    return any(map(_commits, sentences)) and not any(map(_objects, sentences))


def _sentences(message: str) -> list[str]:
    text = message.lower()
    for written, plain in _PLAIN:
        text = written.sub(plain, text)
    return [" ".join(part.split()) for part in _SENTENCE_END.split(text) if part.strip()]


def _commits(sentence: str) -> bool:
    if sentence.endswith("?"):
        return False
    if _ORDER_TO_CHARGE.search(sentence) or _CONSENT.search(sentence):
        return True
    if not _COMMITMENT.search(sentence):
        return False
    return not _WISH.search(sentence) or _NOW.search(sentence) is not None


def _objects(sentence: str) -> bool:
    """Whether it asks about the payment, refuses it, puts it off or makes it depend on something."""
    if _RETRACTION.match(sentence):
        return True
    if not (_TOPIC.search(sentence) or _CHARGE.search(sentence) or _commits(sentence.rstrip("?"))):
        return False
    if sentence.endswith("?"):
        return True
    plain = _HARMLESS.sub(" ", sentence)
    if _NOW.search(plain):
        plain = _NEXT_ORDER.sub(" ", plain)
    return any(pattern.search(plain) for pattern in (_REFUSAL, _CONDITION, _DELAY))
