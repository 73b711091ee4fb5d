"""What gives a cheat away before its goods arrive: the study of `benchmarks/leaks.py` on three worlds of few goods.

A word model is trained on two of them and judges the suppliers of the third, each in turn.
"""

from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from leaks import CHEATS, VIEWS, Study
from word_model import auc

from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import World

BEFORE_THE_DEAL, IN_THE_GOODS = CHEATS["before the deal"], CHEATS["in the goods"]
GOODS = 6  # of a category, so that catalogs stay short


def small_world(seed: int) -> World:
    world = generate_world(seed=seed, name=f"seed {seed}")
    few = [item for goods in world.products_by_category.values() for item in islice(goods, GOODS)]
    return replace(world, products=tuple(few))


@pytest.fixture(scope="module")
def study() -> Study:
    return Study([small_world(seed) for seed in (1, 2, 3)])


def test_words_of_three_bargaining_letters_do_not_tell_who_will_deliver_badly(study: Study) -> None:
    assert study.auc(VIEWS["words of three bargaining letters"], IN_THE_GOODS) < 0.6


def test_the_tone_of_three_bargaining_letters_does_not_tell_who_will_deliver_badly(study: Study) -> None:
    assert study.auc(VIEWS["tone of three bargaining letters"], IN_THE_GOODS) < 0.6


def test_words_of_the_first_letter_are_no_sure_sign_of_a_scam_before_the_deal(study: Study) -> None:
    assert study.auc(VIEWS["words of the first letter"], BEFORE_THE_DEAL) < 0.85


def test_the_directory_and_the_catalog_tell_nothing(study: Study) -> None:
    for view in ("name and address", "catalog: goods, lead times, opening quotes"):
        assert study.auc(VIEWS[view], CHEATS["all five scams"]) < 0.56


def test_prices_still_tell_because_kernels_are_as_published(study: Study) -> None:
    """Which also shows that the study finds what there is to find."""
    concessions = VIEWS["concessions over three rounds"]
    assert study.auc(concessions, BEFORE_THE_DEAL) > 0.9
    assert study.auc(concessions, IN_THE_GOODS) > 0.75


def test_first_letters_of_scams_are_as_long_as_those_of_honest_suppliers(study: Study) -> None:
    chosen = [seen for seen in study.roster if seen.supplier.honest or BEFORE_THE_DEAL(seen)]
    lengths = np.array([float(len(seen.first_letter)) for seen in chosen])
    assert auc(lengths, np.array([BEFORE_THE_DEAL(seen) for seen in chosen])) == pytest.approx(0.5, abs=0.08)


def test_no_two_suppliers_in_twenty_write_the_same_first_letter(study: Study) -> None:
    letters = {" ".join(seen.first_letter) for seen in study.roster}
    assert len(letters) > 0.95 * len(study.roster)


def test_tones_are_as_frequent_among_scams_in_the_goods_as_among_honest_suppliers(study: Study) -> None:
    heard = {True: Counter[str](), False: Counter[str]()}
    for seen in study.roster:
        if seen.supplier.scam not in PRE_DEAL:
            heard[seen.supplier.honest].update(seen.tones)
    for tone in ("positive", "neutral", "negative"):
        honest, scam = (heard[label][tone] / heard[label].total() for label in (True, False))
        assert scam == pytest.approx(honest, abs=0.08)
