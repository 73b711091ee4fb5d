"""Sentences with choices: what they may become, and that suppliers have many of them."""

import re
from collections import Counter

import pytest

from ecbench.suppliers.voices import phrases as said
from ecbench.suppliers.voices.customs import CUSTOMS
from ecbench.suppliers.voices.wording import Dice, Phrases, Wording, phrases, sentences, wording


def all_words(option: Wording, throws: int = 400) -> set[str]:
    return {option.word(Dice("test", number)) for number in range(throws)}


def test_a_wording_becomes_every_combination_of_its_choices_and_nothing_else() -> None:
    offered = wording("[We|They] can do [it|this][|, gladly].")
    assert offered.variants == 8
    assert len(all_words(offered)) == 8
    assert "They can do this, gladly." in all_words(offered)


def test_choices_nest() -> None:
    offered = wording("[a|b [c|d]] {price}")
    assert offered.variants == 3
    assert all_words(offered) == {"a {price}", "b c {price}", "b d {price}"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[a|b", "never closes"), ("a]b", "outside any choice"), ("a|b", "outside any choice")],
)
def test_brackets_that_do_not_match_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        wording(text)


def test_the_same_names_throw_the_same_dice_and_all_sides_come_up_alike() -> None:
    assert [Dice("a", 1).below(6) for _ in range(3)] == [Dice("a", 1).below(6)] * 3
    thrown = Counter(Dice("supplier", number).below(6) for number in range(6_000))
    assert len(thrown) == 6
    assert all(850 < count < 1_150 for count in thrown.values())


def test_sentences_begin_with_a_capital() -> None:
    assert sentences("here it is. {goods} costs 1.5 a piece. is it so? yes.") == (
        "Here it is. {goods} costs 1.5 a piece. Is it so? Yes."
    )


def test_two_lists_of_the_same_phrases_are_not_mistaken_for_one_another() -> None:
    first, second = phrases("a"), phrases("a")
    assert first != second
    assert len({first, second, first}) == 2


@pytest.mark.parametrize("topic", CUSTOMS)
def test_a_trap_and_a_fair_rule_begin_and_end_alike(topic: str) -> None:
    """So that only what is asked between the first word and the last tells them apart."""
    customs = CUSTOMS[topic]  # type: ignore[index]
    assert len(customs.fair) == len(customs.trap) >= 6
    for fair, trap in zip(customs.fair, customs.trap, strict=True):
        for end in (0, -1):
            assert ends(fair, end) & ends(trap, end), (ends(fair, end), ends(trap, end))


def ends(option: Wording, place: int) -> set[str]:
    return {re.findall(r"[a-z{}]+", text.lower())[place] for text in all_words(option)}


@pytest.mark.parametrize("topic", CUSTOMS)
def test_a_supplier_has_hundreds_of_ways_to_tell_a_rule(topic: str) -> None:
    customs = CUSTOMS[topic]  # type: ignore[index]
    for rules in (customs.fair, customs.trap):
        assert sum(rule.variants for rule in rules) >= 15
    assert variants(customs.fair) * variants(customs.trap) >= 225


def variants(options: Phrases) -> int:
    return sum(option.variants for option in options)


@pytest.mark.parametrize("tone", ["positive", "neutral", "negative"])
def test_a_counter_offer_has_many_phrasings_in_every_tone_that_name_goods_and_price(tone: str) -> None:
    options = said.COUNTER[tone]
    assert variants(options) >= 10
    for option in options:
        assert all("{goods}" in text and "{price}" in text for text in all_words(option, 40))
