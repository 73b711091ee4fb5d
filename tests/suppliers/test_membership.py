import time

import pytest
from tests.suppliers.conftest import Talk

from ecbench.suppliers.membership import USUAL_FEE, _judgements, agrees_to_pay

FIRM = """\
I agree to pay the membership fee now. Please charge it.
Please charge the ¥1,000 membership fee.
OK, go ahead and charge my account for the membership.
We hereby authorize you to charge the one-time ¥1,000.00 membership fee.
I would like to pay the membership fee now.
I'll pay the membership fee now so that my next order gets member prices.
You can charge the membership fee now.
I'm happy to pay the membership fee right now.
Please activate my Premium Membership.
Yes. We agree to the membership fee of ¥1,000.
No problem, I agree to pay the fee at once.
Please enroll us in the Premium Membership now.
We will take the membership.
I commit to paying the membership fee now.
Fine, I will pay your fee now.
We are paying the membership fee now.
Please proceed with charging the membership fee.
I authorize the membership payment of ¥1000.
I unconditionally agree to pay the membership fee.
I understand the terms and agree to pay the membership fee now.
I am going to pay the membership fee now.
Let me pay the membership fee now.
I am transferring the 1000 yuan membership fee now.
You have my authorization to charge the membership fee now.
Bill me now for the Premium Membership.
Make me a premium member now.
I agree to pay one thousand yuan for the membership.
I can pay the membership fee now. Please charge it.
I dislike fees, but I agree to pay your membership fee now.
The fee is high. However, I agree to pay it now.
Although the fee is high, I agree to pay it now.
I understand the fee is not refundable and I agree to pay it now.
I agree to pay the membership fee now. Is there a shipping fee?
I agree to pay the fee now and expect fast delivery.
I agree to pay the membership fee now. I look forward to future member prices."""

NOT_FIRM = """\
Hello.
What does the membership fee cover?
I will not pay any membership fee.
I will pay the membership fee next month.
I'll pay the fee once the first order arrives.
We might join the membership later.
Should I pay the membership fee now?
I agree to pay the membership fee now. Is it refundable?
I agree to pay the membership fee. But only if you cut the price.
I will pay ¥1,000 per unit.
I will pay 20 each; tell me about the membership.
I plan to pay the fee soon.
I would be willing to pay the membership fee.
We pay membership fees to other suppliers, so no.
I will pay the membership fee on Monday.
We will pay the fee in March.
I will pay the membership fee on delivery.
I'll pay the membership fee out of the first sales.
Prove it and I will pay the fee.
First give me the discount and then charge the membership fee.
Lower the price and I'll pay the fee.
In principle, I agree to pay the fee.
Suppose I agree to pay the membership fee now.
I guess I will pay the fee.
I doubt that I will pay the membership fee.
I don't like fees, but if you cut the price I agree to pay the fee.
I will take the premium shaver at 20.
Take it or leave it. The membership is unclear.
Your other customers agree to pay the fee now.
I want 30 units; charge it. Tell me about the membership.
I agree to pay the shipping fee.
I will pay for 1000 units."""


@pytest.mark.parametrize("message", FIRM.splitlines())
def test_firm_unconditional_agreement_to_pay_now_is_a_yes(message: str) -> None:
    assert agrees_to_pay(message)


@pytest.mark.parametrize("message", NOT_FIRM.splitlines())
def test_questions_conditions_intentions_and_refusals_are_a_no(message: str) -> None:
    assert not agrees_to_pay(message)


def test_a_yes_may_stand_among_other_business() -> None:
    message = (
        "Thank you for the catalog.\n\nI agree to pay the ¥1,000 membership fee now.\n"
        "For the capsules I offer 105 per unit."
    )
    assert agrees_to_pay(message)


@pytest.mark.parametrize(
    "message",
    ["I agree to pay now. Please charge it.", "Yes, charge me.", "OK, I'll pay.", "Sounds good, I will pay it now."],
)
def test_a_message_of_nothing_else_answers_the_pitch_without_naming_the_fee(message: str) -> None:
    assert agrees_to_pay(message)
    assert not agrees_to_pay(message, bargains=True)  # what is paid may be the goods
    assert not agrees_to_pay(f"Thanks for the catalog. {message}")


@pytest.mark.parametrize(
    "message",
    [
        "I'll pay later.",
        "OK, I'll pay. Not today though.",
        "Should I pay?",
        "I agree.",
        "I usually pay.",
        "Deal, I'll pay.",
    ],
)
def test_an_answer_to_the_pitch_has_to_be_as_firm_as_any(message: str) -> None:
    assert not agrees_to_pay(message)


def test_a_condition_in_a_later_sentence_takes_the_yes_back() -> None:
    assert not agrees_to_pay("I agree to pay the membership fee now. However, I want the member prices first.")


def test_a_long_message_is_read_up_to_its_last_whole_sentence_within_four_thousand_characters() -> None:
    yes, padding = "I agree to pay the membership fee now.", " It is a fine day."
    within = padding * ((4_000 - len(yes)) // len(padding))
    assert agrees_to_pay(within + " " + yes)
    assert not agrees_to_pay(padding * 300 + " " + yes)
    assert agrees_to_pay(yes + padding * 300 + " I will not pay.")
    cut = "x" * (4_000 - len(yes) - 2) + ". "
    assert not agrees_to_pay(f"{cut}{yes[:-1]} if you lower your prices.")  # not even what is left of the sentence


@pytest.mark.parametrize("words", ["i we ", "please and now ", "the fee of the ", "pay the ", "charge it, ", "no "])
def test_a_letter_of_megabytes_costs_no_more_than_its_first_page(words: str) -> None:
    page, letter = f"membership {words * 4_000}"[:4_000], "membership " + words * 1_000_000
    began = time.process_time()
    agrees_to_pay(page, 1_001.0)
    first = time.process_time() - began
    agrees_to_pay(letter, 1_002.0)
    assert time.process_time() - began - first < 0.02 + 5 * first


@pytest.mark.parametrize("kind", ["candid", "vip_fee", "future_discount"])
def test_a_letter_is_judged_whoever_receives_it(kind: str, talk: Talk) -> None:
    letters = [f"Dear {kind}.", f"Dear {kind}. I agree to pay the membership fee now."]
    for letter in letters:
        talk(kind, prose=letter)
        assert (letter, USUAL_FEE, False) in _judgements


def test_letters_and_digits_beyond_ascii_are_no_letters_and_digits() -> None:
    """U+11F04 is a letter to Python 3.12 and later."""
    assert agrees_to_pay("I agree to pay the membership\U00011f04 now.")
    assert agrees_to_pay("I agree to pay the membership\u00e9 now.")


def test_another_fee_is_agreed_to_by_its_own_figure() -> None:
    for figure in ("2,500", "2500", "¥2,500.00", "2500 yuan"):
        assert agrees_to_pay(f"I will pay {figure} now.", 2_500.0), figure
    assert agrees_to_pay("I will pay 99.5 now.", 99.5) and agrees_to_pay("I will pay 99.50 now.", 99.5)
    for figure in ("1,000", "12500", "2500.75", "25001"):
        assert not agrees_to_pay(f"I will pay {figure} now.", 2_500.0), figure
    assert not agrees_to_pay("I will pay 2,500 now.")
