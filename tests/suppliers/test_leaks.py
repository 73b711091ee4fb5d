"""What gives a cheat away before its goods arrive: the study of `benchmarks/leaks.py` on three worlds of few goods.

Gradient boosting is trained on two of them and judges the suppliers of the third.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice
from statistics import fmean

import pytest
from leaks import CHEATS, VIEWS, Study
from shortcuts import kind_of, labels_of

from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import World

BEFORE_THE_DEAL, IN_THE_GOODS = CHEATS["before the deal"], CHEATS["in the goods"]
GOODS = 6  # of a category, so that catalogs stay short


@cache
def small_world(seed: int) -> World:
    world = generate_world(seed=seed, name=f"seed {seed}")
    few = [item for goods in world.products_by_category.values() for item in islice(goods, GOODS)]
    return replace(world, products=tuple(few))


@pytest.fixture(scope="module")
def study() -> Study:
    return Study([small_world(1), small_world(2)], [small_world(3)], "paper")


@pytest.mark.parametrize("view", ["words of three", "tone of three"])
def test_three_bargaining_letters_do_not_say_in_words_who_will_deliver_badly(study: Study, view: str) -> None:
    assert fmean(study.areas(VIEWS[view], IN_THE_GOODS)) < 0.6


def test_words_of_an_inquirys_answer_are_no_sure_sign_of_a_scam_before_the_deal(study: Study) -> None:
    assert fmean(study.areas(VIEWS["words of an inquiry's answer"], BEFORE_THE_DEAL)) < 0.85


@pytest.mark.parametrize("cheats", CHEATS)
@pytest.mark.parametrize("view", list(VIEWS)[:4])
def test_directory_catalog_and_length_of_an_answer_tell_nothing(study: Study, view: str, cheats: str) -> None:
    assert fmean(study.areas(VIEWS[view], CHEATS[cheats])) < 0.65


def test_prices_still_tell_because_kernels_are_as_published(study: Study) -> None:
    """Which also shows that the study finds what there is to find."""
    quotes = VIEWS["all numbers after three"]
    assert fmean(study.areas(quotes, BEFORE_THE_DEAL)) > 0.95
    assert fmean(study.areas(quotes, IN_THE_GOODS)) > 0.8


def test_under_fair_a_computed_kernel_names_nobody() -> None:
    """Where no kernel explains the quotes, a script takes every supplier for a scam before the deal."""
    world = small_world(4)
    found = labels_of(world, "fair")
    assert sum(found[one.name] == kind_of(one) for one in world.suppliers if one.scam not in PRE_DEAL) == 0


def test_under_fair_no_number_tells_a_cheat_in_the_goods_and_none_surely_a_scam_before_the_deal() -> None:
    study = Study([small_world(1), small_world(2)], [small_world(3)], "fair")
    numbers = VIEWS["all numbers after three"]
    assert fmean(study.areas(numbers, IN_THE_GOODS)) < 0.6
    assert fmean(study.areas(numbers, BEFORE_THE_DEAL)) < 0.75
    assert fmean(study.areas(VIEWS["tone of three"], IN_THE_GOODS)) < 0.6


def test_tones_are_as_frequent_among_scams_in_the_goods_as_among_honest_suppliers(study: Study) -> None:
    heard = {True: Counter[str](), False: Counter[str]()}
    for seen in study.roster:
        if seen.supplier.scam not in PRE_DEAL:
            heard[seen.supplier.honest].update(seen.tones)
    for tone in ("positive", "neutral", "negative"):
        honest, scam = (heard[label][tone] / heard[label].total() for label in (True, False))
        assert scam == pytest.approx(honest, abs=0.08)
