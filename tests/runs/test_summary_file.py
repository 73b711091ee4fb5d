"""`summary.json` while a run goes on: up to date, and written seldom where episodes are many and short."""

import json
from dataclasses import replace

import pytest
from tests.runs.conftest import NewRun, Play, play_on

from ecbench.runs.results.derived_files import DERIVED
from ecbench.runs.results.summary_file import SUMMARY, SummaryWriter
from ecbench.runs.workers.episode_tasks import finished_episodes

MANY = 60


def test_the_first_result_is_in_the_summary_and_many_quick_ones_are_not_written_one_by_one(
    new_run: NewRun, play: Play
) -> None:
    run = new_run("idle", episodes=MANY, days=2)
    result, writer, path = play(run), SummaryWriter(run), run.folder / SUMMARY
    versions = set()
    for episode in range(MANY):
        writer.add(replace(result, episode=episode))
        versions.add(len(json.loads(path.read_bytes())["episodes"]))
    assert min(versions) == 1 and len(versions) < MANY / 4


def test_a_summary_that_is_written_during_a_resume_has_the_episodes_that_were_over_before(new_run: NewRun) -> None:
    run = new_run("idle", episodes=3, days=2)
    *before, last = play_on("inline", run)
    SummaryWriter(run, before).add(last)
    assert [each["episode"] for each in json.loads((run.folder / SUMMARY).read_bytes())["episodes"]] == [0, 1, 2]


@pytest.mark.parametrize("name", DERIVED)
def test_an_episode_is_finished_only_while_it_has_the_files_of_its_record(new_run: NewRun, name: str) -> None:
    run = new_run("idle", episodes=3, days=2)
    assert finished_episodes(run) == []
    results = play_on("inline", run)
    assert finished_episodes(run) == results
    foreign = (run.episode_folder(0) / name).read_bytes()
    (run.episode_folder(1) / name).write_bytes(foreign)
    (run.episode_folder(2) / name).unlink()
    assert finished_episodes(run) == [results[0]]
