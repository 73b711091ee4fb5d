"""Short years first, and never a world of the scored ones."""

from collections import Counter

import pytest

from ecbench.rl import HELD_OUT, TRAINING, Curriculum
from ecbench.season.seasons import seasons
from ecbench.world.load import FRESH, seed_of


def test_years_grow_from_7_to_30_to_90_days() -> None:
    lessons = [Curriculum(years=4).lesson(number) for number in range(14)]
    assert [lesson.days for lesson in lessons] == [7] * 4 + [30] * 4 + [90] * 6


def test_lessons_are_on_worlds_of_their_own_and_the_same_for_every_worker() -> None:
    lessons = [Curriculum().lesson(number) for number in range(300)]
    assert lessons == [Curriculum().lesson(number) for number in range(300)]
    assert Counter(lesson.world_seed for lesson in lessons).most_common(1)[0][1] <= 2
    assert lessons != [Curriculum(seed=1).lesson(number) for number in range(300)]


def test_nothing_is_learned_on_worlds_that_scores_are_taken_on() -> None:
    assert set(TRAINING).isdisjoint(HELD_OUT)
    assert min(*TRAINING, *HELD_OUT) >= 1_000_000
    scored = {site.seed for season in seasons() for site in season.worlds if site.name.startswith(FRESH)}
    assert scored
    assert scored.isdisjoint(TRAINING) and scored.isdisjoint(HELD_OUT)
    assert all(seed_of(f"seed-{seed}") == seed for seed in (TRAINING[0], TRAINING[-1], HELD_OUT[-1]))


@pytest.mark.parametrize("wrong", [{"stages": ()}, {"stages": (0,)}, {"years": 0}, {"worlds": range(0)}])
def test_a_curriculum_without_lessons_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a curriculum needs"):
        Curriculum(**wrong)  # type: ignore[arg-type]


def test_lessons_count_from_zero() -> None:
    with pytest.raises(ValueError, match="count from 0"):
        Curriculum().lesson(-1)
