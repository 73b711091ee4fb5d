"""The text classifier of the leak study finds what repeats from world to world, and nothing else."""

from random import Random

import numpy as np
import pytest
from word_model import auc, auc_interval, classes, held_out_scores, with_pairs

WORLDS, SUPPLIERS = 4, 80


def letters(telling: str) -> tuple[list[list[str]], list[bool], list[int]]:
    """Random letters of several worlds, a quarter of them by cheats; `telling` says what cheats write more often."""
    rng = Random(1)
    documents, labels, worlds = [], [], []
    for world in range(WORLDS):
        for number in range(SUPPLIERS):
            cheat = number % 4 == 0
            words = rng.sample("abcdefghijkl", 5)
            if cheat and rng.random() < 0.8:
                words.append(telling.format(world=world))
            documents.append(words)
            labels.append(cheat)
            worlds.append(world)
    return documents, labels, worlds


def learned(telling: str) -> float:
    documents, labels, worlds = letters(telling)
    marks = np.array(labels)
    return auc(held_out_scores(documents, marks, np.array(worlds)), marks)


def test_a_word_of_all_cheats_is_learned() -> None:
    assert learned("hurry") > 0.85


def test_a_word_that_only_the_cheats_of_one_world_use_helps_nobody_in_another() -> None:
    assert learned("word of world {world}") == pytest.approx(0.5, abs=0.1)


def test_the_area_is_the_share_of_pairs_in_the_right_order_and_ties_count_half() -> None:
    labels = np.array([True, True, False, False])
    assert auc(np.array([2.0, 1.0, 1.0, 0.0]), labels) == pytest.approx(3.5 / 4)
    assert auc(np.zeros(4), labels) == 0.5


def test_the_interval_holds_the_area_and_narrows_with_more_suppliers() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for count in (100, 1_000):
        labels = np.arange(count) % 4 == 0
        scores = rng.normal(size=count) + labels
        low, high = auc_interval(scores, labels)
        assert low < auc(scores, labels) < high
        widths.append(high - low)
    assert widths[1] < widths[0] / 2


def test_words_come_alone_and_with_their_neighbour() -> None:
    assert with_pairs(["no", "fee"]) == ["no", "fee", "no fee"]


def test_figures_fall_into_classes_of_equal_size() -> None:
    found = list(classes("price", range(120)))
    assert len(set(found)) == 12
    assert found[0] == found[8] != found[-1]
