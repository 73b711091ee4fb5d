"""What a number of worlds can show."""

from statistics import variance

import numpy as np
import pytest

from ecbench.analysis.compare.chance import more_worlds, smallest_shown
from ecbench.analysis.compare.verdict import from_gaps, paired_verdict


@pytest.mark.parametrize("worlds", [6, 7, 10])
def test_what_is_shown_comes_true_in_four_of_five_cases(worlds: int) -> None:
    draws, rounds = np.random.default_rng(4), 1_500
    shown = 0
    for _ in range(rounds):
        before, after = draws.normal(0, 1, (2, worlds))
        found = paired_verdict(from_gaps((after + smallest_shown(variance(before.tolist()), worlds)).tolist()))
        shown += found.p is not None and found.p <= 0.05 and found.first_is_better
    assert shown / rounds == pytest.approx(0.8, abs=0.03)


def test_half_the_difference_takes_about_four_times_the_worlds() -> None:
    needed = [more_worlds(effect, 1.0, 0) for effect in (0.9, 0.45, 0.225)]
    assert needed == sorted(needed, key=lambda units: units or 0)
    assert needed[1] and needed[2] and 3.5 < needed[2] / needed[1] < 4.1


def test_without_noise_the_fewest_worlds_do_and_without_an_effect_none_do() -> None:
    assert more_worlds(1.0, 0.0, 2) == 4 and more_worlds(1.0, 0.0, 9) == 0
    assert more_worlds(0.0, 1.0, 6) is None and more_worlds(0.0, 0.0, 6) is None


def test_more_than_200_further_worlds_are_no_feasible_number() -> None:
    effect = smallest_shown(1.0, 10 + 200)
    assert more_worlds(effect * 1.001, 1.0, 10) == 200
    assert more_worlds(effect * 0.999, 1.0, 10) is None
