"""`summary.json` while a run goes on: up to date, and written seldom where episodes are many and short."""

import json
from dataclasses import replace

from tests.runs.conftest import NewRun, Play, play_on

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


def test_an_episode_is_finished_only_while_its_files_match_their_checksums(new_run: NewRun) -> None:
    run = new_run("idle", episodes=3, days=2)
    assert finished_episodes(run) == []
    results = play_on("inline", run)
    assert finished_episodes(run) == results
    with (run.episode_folder(1) / "days.csv").open("a") as file:
        file.write("edited\n")
    assert finished_episodes(run) == [results[0], results[2]]
