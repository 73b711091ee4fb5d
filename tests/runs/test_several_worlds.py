"""One run on several worlds: every year knows its own, and all that can be done to a run can be done to it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.runs.conftest import TRADER, Diary, play_on

from ecbench.errors import RunError
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.episodes import Result, read_episode, recorded_end
from ecbench.runs.play.fork import take_over
from ecbench.runs.results.anchors_file import stored_anchors, write_bounds
from ecbench.runs.results.summary import summarize
from ecbench.runs.terms import Terms, read_worlds, worlds_at
from ecbench.runs.verify.run_check import check_run
from ecbench.world.load import load_world
from ecbench.world.save import save_world

DAYS = 30
NewTour = Callable[..., Run]


@pytest.fixture
def folders(small_world: Path, tmp_path: Path) -> list[str]:
    """Three little worlds with other draws each."""
    world = load_world(small_world)
    places = [tmp_path / f"shop {number}" for number in range(3)]
    for number, place in enumerate(places):
        save_world(replace(world, name=place.name, seed=number), place)
    return list(map(str, places))


@pytest.fixture
def new_tour(folders: list[str], tmp_path: Path) -> NewTour:
    def create(name: str = "tour", *, episodes: int = 6, agent: str = TRADER, rule_set: str = "paper") -> Run:
        first, *others = worlds_at(folders)
        terms = Terms.alone(load_world(first.source), agent=agent, days=DAYS, rule_set=rule_set)
        return create_run(tmp_path / name, terms, episodes=episodes, world_source=first.source, others=others)

    return create


def played(run: Run, executor: str = "here", diary: Diary | None = None) -> list[Result]:
    diary = diary or Diary()
    return play_on(executor, run, diary)


def test_years_take_turns_on_the_worlds_and_each_record_and_the_summary_name_their_own(new_tour: NewTour) -> None:
    run = new_tour()
    told = summarize(run, played(run)).to_json()
    names = [recording.terms and recording.terms.world.name for recording in (read_episode(run, e) for e in range(6))]
    assert names == [each["world"] for each in told["episodes"]] == ["shop 0", "shop 1", "shop 2"] * 2
    assert told["world"] is None and len(told["worlds"]) == 3
    assert open_run(run.folder) == run


def test_a_fork_of_a_tour_is_a_run_on_the_world_of_its_year(new_tour: NewTour, tmp_path: Path) -> None:
    run = new_tour()
    played(run)
    fork = take_over(run, episode=4, day=10, agent="idle", model={}).create_in(tmp_path / "fork")
    assert [ref.name for ref in fork.worlds] == ["shop 1"] and fork.terms.world.name == "shop 1"
    (result,) = played(open_run(fork.folder))
    assert result.end is not None and result.end.ending == "year_end"


def test_under_secret_draws_alone_each_year_on_a_world_has_its_own_salt(new_tour: NewTour, tmp_path: Path) -> None:
    alike, run = new_tour("alike", agent="haggler"), new_tour(agent="haggler", rule_set="fair-2")
    played(alike)
    assert recorded_end(alike, 1) == recorded_end(alike, 4)
    played(run)
    first, second = (recorded_end(run, episode) for episode in (1, 4))
    assert first and second and first.final_assets != second.final_assets
    assert run.load_world(4).salt not in ("", run.load_world(1).salt)
    assert [run.world_of(episode).year for episode in range(6)] == [0, 0, 0, 1, 1, 1]
    assert not check_run(run).differences
    fork = take_over(run, episode=4, day=9, agent="haggler", model={}).create_in(tmp_path / "fork")
    assert fork.load_world().salt == run.load_world(4).salt
    write_bounds(run)
    assert len(stored_anchors(run).bounds) == 6


def test_a_world_that_changed_keeps_its_own_years_from_going_on_and_no_others(new_tour: NewTour) -> None:
    run = new_tour(episodes=3)
    settings = Path(run.worlds[1].source, "world.toml")
    settings.write_text(settings.read_text().replace("seed = 1", "seed = 99"))
    by_episode = {result.episode: result for result in played(run)}
    assert "give the same world with --world DIR" in by_episode[1].problem
    assert by_episode[0].end and by_episode[2].end and not run.events_path(1).exists()
    there = {result.episode: result for result in play_on("processes", run)}
    assert there[1] == by_episode[1]


def test_moved_world_is_found_by_its_id(new_tour: NewTour) -> None:
    run = new_tour()
    moved = Path(run.worlds[2].source).rename(Path(run.worlds[2].source).with_name("moved"))
    with pytest.raises(RunError, match="there is no such folder"):
        run.load_world(2)
    assert run.with_world_at(str(moved)).load_world(5).name == "shop 2"
    with pytest.raises(RunError, match="which none of the worlds"):
        run.with_world_at("default")


def test_worlds_are_listed_by_seed_range_name_and_folder() -> None:
    assert read_worlds("3-5") == ["seed-3", "seed-4", "seed-5"]
    assert read_worlds("default, 7,1-2") == ["default", "seed-7", "seed-1", "seed-2"]
    assert read_worlds("w7,my-world") == ["w7", "my-world"]


@pytest.mark.parametrize("text", ["", "1,,2", "5-3", "1,1", "1-3,2", "0-1000", f"{2**63}", "1-99999999999999999999"])
def test_a_list_that_names_no_worlds_or_one_twice_is_refused(text: str) -> None:
    with pytest.raises(RunError, match="--world"):
        read_worlds(text)


def test_worlds_with_years_of_different_length_need_a_length(folders: list[str]) -> None:
    settings = Path(folders[1], "world.toml")
    settings.write_text(settings.read_text().replace("days = 365", "days = 90"))
    with pytest.raises(RunError, match=r"has 365 days, one of .*shop 1 90; give --days"):
        worlds_at(folders)
    assert len(worlds_at(folders, days=30)) == 3
