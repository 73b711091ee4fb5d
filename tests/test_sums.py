"""The last bits of a result must not depend on which version of Python added it up."""

import builtins
import sys
from collections.abc import Iterable
from math import fsum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.episode import Episode
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.sums import ordered_difference, ordered_sum
from ecbench.world.load import load_world

DAYS = 40


def test_values_are_added_from_the_first_to_the_last() -> None:
    assert ordered_sum([0.1, 0.2, 0.3]) == (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)
    assert ordered_sum([1e16, 1.0, -1e16]) == 0.0 != fsum([1e16, 1.0, -1e16])
    assert ordered_sum([0.2, 0.3], 0.1) == (0.1 + 0.2) + 0.3
    assert ordered_difference(1.0, [0.7, 0.2]) == (1.0 - 0.7) - 0.2 != 1.0 - (0.7 + 0.2)


@given(st.floats(-1e9, 1e9), st.lists(st.floats(0.0, 1e6), max_size=8))
def test_what_is_taken_off_leaves_what_it_leaves_one_by_one(start: float, values: list[float]) -> None:
    left = start + 0.0  # a zero without a sign
    for value in values:
        left -= value
    assert repr(ordered_difference(start, values)) == repr(left)


@pytest.mark.parametrize("agent", ["steady", "insider"])
def test_nothing_a_year_depends_on_is_added_by_sum(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A different last bit seldom shows in a result, so whoever adds fractions with `sum` is caught in the act."""
    plain_sum, offenders = builtins.sum, set()

    def watched_sum(values: Iterable[Any], start: Any = 0) -> Any:
        entries = list(values)
        caller = sys._getframe(1)
        if caller.f_globals["__name__"].startswith("ecbench.") and any(isinstance(entry, float) for entry in entries):
            offenders.add(f"{caller.f_globals['__name__']}, line {caller.f_lineno}")
        return plain_sum(entries, start)

    monkeypatch.setattr(builtins, "sum", watched_sum)
    episode = Episode(load_world("default"), days=DAYS)
    play_year(get_merchant(agent, days=DAYS - 10), episode)
    looks = ("check_balance", "check_warehouse", "check_store_status", "trace_return_sources", "ship_orders")
    episode.act([{"name": name, "arguments": {}} for name in looks])
    episode.report()
    assert offenders == set()
