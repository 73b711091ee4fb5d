"""Sentences with choices: what they may become, and that suppliers have many of them."""

import re
from collections import Counter

import pytest

from ecbench.suppliers.scams import PRE_DEAL, SCHEMES, Story
from ecbench.suppliers.voices.letters import COUNTER
from ecbench.suppliers.wording import Dice, Phrases, spelled_out

STORIES = [pytest.param(SCHEMES[scam].story, id=scam) for scam in sorted(PRE_DEAL)]


def test_a_text_with_choices_stands_for_every_combination_of_them() -> None:
    sentences = spelled_out("[We|They] can do [it|this][|, gladly].")
    assert len(set(sentences)) == 8
    assert "They can do this, gladly." in sentences and "We can do it." in sentences


def test_choices_nest() -> None:
    assert set(spelled_out("[a|b [c|d]] {price}")) == {"a {price}", "b c {price}", "b d {price}"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[a|b", "never closes"), ("a]b", "outside any choice"), ("a|b", "outside any choice")],
)
def test_brackets_that_do_not_match_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Phrases(text)


def test_the_same_name_throws_the_same_dice() -> None:
    first, second = Dice("a"), Dice("a")
    assert [first.throw() for _ in range(5)] == [second.throw() for _ in range(5)]
    assert Dice("a").throw() != Dice("b").throw()


def test_all_sides_come_up_alike_and_no_throw_foretells_the_next() -> None:
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(3_600):
        dice = Dice(f"supplier {number}")
        pairs[dice.pick(range(6)), dice.pick(range(6))] += 1
    assert len(pairs) == 36
    assert all(60 < count < 145 for count in pairs.values())  # 100 each, give or take four standard deviations


def test_every_way_and_every_variant_of_it_is_said() -> None:
    phrases = Phrases("[a|b]", "c")
    dice = Dice("letter")
    said = Counter(phrases.at(dice.throw()) for _ in range(4_000))
    assert said["c"] == pytest.approx(2_000, rel=0.1)  # ways are equally frequent, however many variants they have
    assert said["a"] == pytest.approx(1_000, rel=0.2)


@pytest.mark.parametrize("story", STORIES)
def test_a_trap_and_a_fair_rule_begin_and_end_alike(story: Story) -> None:
    """So that only what is asked between the first word and the last tells them apart."""
    assert len(story.fair.ways) >= 6
    for fair, trap in zip(story.fair.ways, story.trap.ways, strict=True):
        for end in (0, -1):
            assert ends(fair, end) & ends(trap, end), (fair, trap)


def ends(sentences: tuple[str, ...], place: int) -> set[str]:
    return {re.findall(r"[a-z{}]+", text.lower())[place] for text in sentences}


@pytest.mark.parametrize("story", STORIES)
def test_a_rule_can_be_told_in_dozens_of_ways(story: Story) -> None:
    assert min(story.fair.variants, story.trap.variants) >= 15


@pytest.mark.parametrize("phrases", COUNTER.values(), ids=COUNTER)
def test_a_counter_offer_has_many_phrasings_in_every_tone_that_name_goods_and_price(phrases: Phrases) -> None:
    assert phrases.variants >= 10
    assert all("{goods}" in text and "{price}" in text for way in phrases.ways for text in way)
