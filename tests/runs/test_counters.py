"""What the turns of a year add up to beside its books."""

from typing import Any

from ecbench.episode import Episode
from ecbench.metrics.losses.account import Mark, Query
from ecbench.players.merchants.protocol import call
from ecbench.players.turn import Turn
from ecbench.runs.record.lines import End
from ecbench.runs.results.derived_files import Counters, run_section
from ecbench.world.model import World


def played(year: Episode, *turns: list[dict[str, Any]]) -> Counters:
    tally = Counters()
    for calls in turns:
        tally.add(Turn(calls, year.table.act(0, calls) or []), year)
    return tally


def section(tally: Counters) -> dict[str, Any]:
    return run_section(End("stopped", 0.0, 0, 0, 0), tally, "template")


def test_a_query_has_the_day_on_which_it_was_answered(world: World) -> None:
    """The working day has 600 minutes: a search of 10 and twenty-one letters of 30 reach into the next."""
    search, chat = call("supplier_search", category="Green Tea"), call("chatbox", uid="nobody@x", content="Hello")
    tally = played(Episode(world), [search], [*[chat] * 21, search], [{"name": "list_products", "arguments": None}])
    tea = '{"category": "Green Tea"}'
    assert tally.log.queries == [
        Query(1, 0, "supplier_search", tea),
        Query(2, 1, "supplier_search", tea),
        Query(3, 1, "list_products", "{}"),
    ]
    assert tally.log.marks == [Mark(0, 0, 0, 0), Mark(1, 1, 0, 0), Mark(1, 1, 0, 0)]


def test_only_promotions_that_let_the_store_in_are_joined(world: World) -> None:
    year = Episode(world)
    shop = call("open_store", store_type="tea", store_name="Leaf")

    def join(name: str) -> dict[str, Any]:
        return call("join_promotion", store_id="store_001", event_name=name, discount_rate=0.2)

    wait = [[call("wait_for_next_day")]] * 58  # to the 28th of February, the day before Spring Week
    tally = played(year, [shop], [join("Spring Week")], *wait, [join("Spring Week"), join("Autumn Week")])
    told = section(tally)
    assert (told["calls_by_tool"]["join_promotion"], told["promotions_joined"]) == (3, 1)


def test_tokens_are_added_up_over_turns_and_passes(world: World) -> None:
    tally, year = Counters(), Episode(world)
    tally.add(Turn([], [], {"context": 100}), year)
    tally.add(Turn([], [], {"context": 301}, [{"before": 400, "freed": 60, "cleared": [2]}]), year)
    tally.add(Turn([], [], {"context": 202}, [{"before": 400, "freed": 9, "cleared": [4]}]), year)
    told = section(tally)
    assert (told["evictions"], told["tokens_freed"]) == (2, 69)
    assert told["context_tokens"] == {"mean": 201.0, "peak": 301}
    assert section(Counters())["context_tokens"] == {"mean": None, "peak": None}
