"""What a reader of `help` and a person who presses Tab are shown: the public interface, and nothing else."""

import inspect
import pydoc

import pytest

import ecbench
from ecbench.rules import DEFAULT_RULES, Rules

EPISODE = ("act", "at", "copy", "finish", "report")
READINGS = (
    *("account", "bank", "day", "desk", "done", "ending", "escrow", "now", "seat", "table", "voice", "wallet", "world"),
)


def test_the_package_shows_its_public_names_and_nothing_else() -> None:
    assert ecbench.Episode.__name__ == "Episode"  # what was imported for it does not show
    assert sorted(ecbench.__all__) == dir(ecbench)
    assert all(getattr(ecbench, name) is not None for name in dir(ecbench))


def test_an_episode_shows_its_methods_and_readings_and_nothing_else() -> None:
    shown = [name for name in dir(ecbench.Episode) if not name.startswith("_")]
    assert shown == sorted((*EPISODE, *READINGS))


@pytest.mark.parametrize("name", [*EPISODE, *READINGS])
def test_every_part_of_an_episode_is_explained(name: str) -> None:
    assert inspect.getdoc(getattr(ecbench.Episode, name))


def test_help_of_an_episode_fits_a_reader() -> None:
    told = pydoc.plain(pydoc.render_doc(ecbench.Episode))
    assert "_office" not in told and "mappingproxy" not in told
    assert max(map(len, told.splitlines())) < 300


@pytest.mark.parametrize(
    "name", ["Arena", "Rules", "call", "evaluate", "load_run", "load_world", "open_kernel", "tool_schemas", "harness"]
)
def test_every_public_name_is_explained(name: str) -> None:
    assert inspect.getdoc(getattr(ecbench, name))


def test_episodes_and_arenas_show_where_they_stand() -> None:
    world = ecbench.load_world("default")
    episode, arena = ecbench.Episode(world, days=2), ecbench.Arena(world, seats=2, days=2)
    assert repr(episode) == "<Episode on 'default': day 0 of 2, ¥100,000.00>"
    assert repr(arena) == "<Arena on 'default' with 2 seats: day 0 of 2, turn of seat 0>"
    episode.act([ecbench.call("wait_for_next_day")])
    episode.act([ecbench.call("wait_for_next_day")])
    arena.finish()
    assert repr(episode) == "<Episode on 'default': year_end, ¥100,000.00>"
    assert repr(arena) == "<Arena on 'default' with 2 seats: over>"


def test_rules_show_what_was_changed() -> None:
    assert repr(DEFAULT_RULES) == "Rules()"
    changed = Rules().with_overrides({"commission": 0.05, "freight_factor": {"fast": 3}})
    assert repr(changed) == "Rules(commission=0.05, freight_factor={'fast': 3.0, 'standard': 1.0, 'slow': 0.5})"
    assert eval(repr(changed)).values() == changed.values()
