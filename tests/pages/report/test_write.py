"""What a report writes, of whatever runs it is given, and the verdict with which it begins."""

import csv
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.cli.command import Command
from tests.pages.report.conftest import play

from ecbench.formatting import yuan
from ecbench.metrics.anchors import Rung
from ecbench.pages.report.figure import figures
from ecbench.pages.report.output import write_report
from ecbench.pages.report.run_data import PlayedRun, read_run, world_of
from ecbench.pages.report.run_page import LARGEST
from ecbench.pages.report.year_data import ShownYear
from ecbench.pages.report.year_section import ChapterPlan, packed_transcript
from ecbench.pages.run_verdict import cause_sentence, idle_share, result_sentence
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.ranking import AnchorLadder


def page_of(runs: Sequence[Run], place: Path) -> str:
    write_report(runs, place / "report.html")
    return (place / "report.html").read_text(encoding="utf-8")


def keys_of(page: str) -> set[str]:
    return set(re.findall(r'<figure id="([\w-]+)"', page))


def test_a_report_is_one_small_file_that_may_load_nothing(trader: Run, tmp_path: Path) -> None:
    page = page_of([trader], tmp_path)
    assert len(page.encode()) < LARGEST
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;")
    assert "unsafe" not in policy[1]
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert list(tmp_path.iterdir()) == [tmp_path / "report.html"]


@pytest.mark.usefixtures("drawn_anew")
def test_the_same_runs_give_the_same_bytes(trader: Run, careless: Run, tmp_path: Path) -> None:
    assert page_of([trader, careless], tmp_path) == page_of([trader, careless], tmp_path)


def test_every_figure_has_a_caption_and_is_written_as_csv_and_svg(trader: Run, careless: Run, tmp_path: Path) -> None:
    write_report([trader, careless], tmp_path / "report.html", tmp_path / "figures")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert len(names) == 3
    assert "across" in names
    written = sorted((tmp_path / "figures").rglob("*.svg"))
    assert len(written) >= 20
    docs = (Path(__file__).parents[3] / "docs" / "understand.md").read_text(encoding="utf-8")
    lines = {key: line for line in docs.splitlines() for key in re.findall(r"^\| `([\w-]+)` \|", line)}
    for figure in (*figures("runs"), *figures("year")):
        assert list(figure.paper) == re.findall(r"fig:\w+", lines[figure.key]), figure.key
    for svg in written:
        assert svg.stem in lines
        text = svg.read_text(encoding="utf-8")
        assert "var(--" not in text
        ElementTree.fromstring(text)
        with svg.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
            assert list(csv.DictReader(file)), svg


def test_a_transcript_is_as_long_as_there_is_room_for(careless: Run) -> None:
    played = read_run("careless", careless)
    plan = ChapterPlan(0, 0, played, played.years[0], 0)
    whole = packed_transcript(plan, LARGEST)
    short = packed_transcript(plan, len(whole) - 1)
    assert 0 < len(short) < len(whole)
    assert packed_transcript(plan, 100) == ""


def test_a_run_without_a_sale_or_a_deal_has_no_empty_chart(idle: Run, tmp_path: Path) -> None:
    keys = keys_of(page_of([idle], tmp_path))
    assert {"all-assets", "all-trajectories", "r0-accounts", "r0-waterfall", "r0-calls"} <= keys
    assert not keys & {"r0-bargains", "r0-repeat-prices", "r0-prices", "r0-stores", "all-surplus"}


def test_the_tables_of_money_are_those_of_show(
    careless: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = page_of([careless], tmp_path)
    for name, amount in {"store": "result", "sku": "result", "cheat": "cost", "negotiation": "loss"}.items():
        section = page.partition(f'-by-{name}"')[2].partition("</table>")[0]
        cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", section)]
        told = json.loads(Command(capsys, "show", str(careless.folder), "--by", name, "--json").out)["lines"]
        assert told and len([row for row in cells if row]) == len(told)
        for row, line in zip([row for row in cells if row], told, strict=True):
            assert yuan(line[amount]) in row


def test_a_run_of_other_days_and_stake_stands_under_a_warning(trader: Run, little_world: Path, tmp_path: Path) -> None:
    other = play(tmp_path / "other", little_world, "idle", days=10, stake=5_000.0)
    page = page_of([trader, other], tmp_path)
    assert "Not the same game: days 365" in page
    assert "stake ¥100,000 (" in page and "and ¥5,000 (idle)" in page


def test_a_year_that_was_stopped_is_shown_as_far_as_it_goes(little_world: Path, tmp_path: Path) -> None:
    run = play(tmp_path / "stopped", little_world, "Careless", stop=20)
    page = page_of([run], tmp_path)
    assert "no episode is over" in page and "so there is no result yet" in page
    assert "stopped on day" in page
    assert {"all-episodes", "r0-accounts", "r0-waterfall"} <= keys_of(page)
    assert not {"all-assets", "all-trajectories"} & keys_of(page)


def test_a_year_in_play_is_shown_as_far_as_it_goes_and_has_no_result(careless: Run, tmp_path: Path) -> None:
    page = page_of([shortened(careless, 0, tmp_path / "run")], tmp_path)
    assert "not over, day" in page
    assert {"r0-accounts", "r0-calls", "r0-bargains"} <= keys_of(page)
    assert not {"r0-waterfall", "all-assets"} & keys_of(page)


def shortened(run: Run, episode: int, folder: Path) -> Run:
    """The same run with a year that is still in play: its record has no end, and nothing lies beside it."""
    shutil.copytree(run.folder, folder)
    running = open_run(folder)
    for path in running.episode_folder(episode).iterdir():
        if path.name != "events.jsonl":
            path.unlink()
    lines = running.events_path(episode).read_bytes().splitlines(keepends=True)
    running.events_path(episode).write_bytes(b"".join(lines[:32]))
    return running


def test_of_a_single_run_every_year_can_be_opened_and_of_several_the_one_in_the_middle(
    trader: Run, idle: Run, tmp_path: Path
) -> None:
    running = shortened(trader, 1, tmp_path / "run")
    write_report([running], tmp_path / "report.html", tmp_path / "figures")
    alone = (tmp_path / "report.html").read_text(encoding="utf-8")
    folders = {path.name for path in (tmp_path / "figures").iterdir()} - {"across"}
    assert {name.partition("episode")[2] for name in folders} == {"-0", "-1"}
    assert re.findall(r"<summary>\S+, (episode \d): ([a-z ]+),", alone) == [
        ("episode 0", "year end"),
        ("episode 1", "not over"),
    ]
    beside = page_of([running, idle], tmp_path)
    assert re.findall(r"<summary>\S+, (episode \d)", beside) == ["episode 0", "episode 0"]


def test_a_reader_chooses_the_year(capsys: pytest.CaptureFixture[str], trader: Run, tmp_path: Path) -> None:
    out = tmp_path / "new" / "page.html"

    def told(*options: str) -> Command:
        return Command(capsys, "report", str(trader.folder), "--out", str(out), *options)

    done = told("--episode", "1")
    assert done.code == 0 and str(out) in done.out
    assert ", episode 1 of 2" in out.read_text(encoding="utf-8")
    missing = told("--episode", "2")
    assert (missing.code, "has no episode 2; its episodes are 0 to 1" in missing.err) == (2, True)
    assert "-1 is not a whole number from 0" in told("--episode", "-1").err


def test_a_damaged_record_is_named_and_shown_up_to_the_damage(careless: Run, tmp_path: Path) -> None:
    shutil.copytree(careless.folder, tmp_path / "run")
    damaged = open_run(tmp_path / "run")
    path = damaged.events_path(0)
    content = path.read_bytes()
    half = content.index(b"\n", len(content) // 2) - 20
    path.write_bytes(content[:half] + b"#" + content[half + 1 :])
    page = page_of([damaged], tmp_path)
    assert "edited or damaged" in page
    assert "r0-accounts" in keys_of(page)


def test_a_run_that_has_not_begun_has_no_chart_and_no_error(little_world: Path, tmp_path: Path) -> None:
    run = play(tmp_path / "new", little_world, "idle", episodes=1)
    shutil.rmtree(run.folder / "episodes")
    page = page_of([run], tmp_path)
    assert not keys_of(page)
    assert "nothing has been played yet" in page


def test_what_an_agent_wrote_is_text_and_no_markup(little_world: Path, tmp_path: Path) -> None:
    """A store may be called anything."""
    merchant = tmp_path / "loud.py"
    merchant.write_text(
        "class Loud:\n"
        "    def play(self, schemas):\n"
        "        name = '</script><script>alert(1)</script><b>'\n"
        "        yield [{'name': 'open_store', 'arguments': {'store_type': 'tea', 'store_name': name}}]\n"
        "        while True:\n"
        "            yield [{'name': 'wait_for_next_day', 'arguments': {}}]\n"
    )
    run = play(tmp_path / "loud", little_world, f"{merchant}:Loud", days=5)
    assert "alert(1)" not in page_of([run], tmp_path)


@pytest.fixture
def played(idle: Run) -> PlayedRun:
    return read_run("idle", idle)


@pytest.mark.parametrize(
    ("steady", "haggler", "place"),
    [
        (8e4, 5e4, "more than every anchor on the same terms, of which the best is steady"),
        (5e6, 5e4, "between haggler (¥50,000) and steady (¥5.00M) on the same terms"),
        (5e6, 9e4, "less than every anchor on the same terms, of which the last is haggler"),
    ],
)
@pytest.mark.parametrize("on_ladder", [True, False])
def test_a_result_lies_among_merchants(
    played: PlayedRun, steady: float, haggler: float, place: str, on_ladder: bool
) -> None:
    """The idle merchant is charged ¥13,000 in its 20 days."""
    merchants = {"steady": steady, "haggler": haggler}
    rungs = [Rung(name, "anchor", assets, None, None) for name, assets in merchants.items()]
    ladder = AnchorLadder([Rung("idle", "run", 87_000.0, None, None), *rungs])
    summary = replace(played.summary, ladder=ladder if on_ladder else None)
    sentence = result_sentence(summary, {} if on_ladder else merchants)
    assert sentence.startswith(f"¥87,000, skill -0.03: {place}")


def test_the_cause_names_what_was_left_unused_and_the_largest_loss(played: PlayedRun) -> None:
    """The bank falls from 100,000 to 87,000, and nothing else has any money: all of it is idle."""
    year = ShownYear(played.years[0], world_of(played.years[0]))
    assert idle_share(year.database, year.seat) == pytest.approx(0.87)
    sentence = cause_sentence(year.database, year.seat, DEFAULT_RULES, year.world)
    assert sentence == (
        "0 stores where 2 may be open; 0 listings where 3 would have paid; 87% of the money idle; the largest loss is "
        "charge for having no store, ¥13,000."
    )


def test_a_page_begins_with_the_verdict_and_its_cause(idle: Run, tmp_path: Path) -> None:
    write_report([idle], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    order = ['class="verdict"', 'class="cause"', 'id="r0-money"', 'id="comparison"', 'id="r0-evidence"', 'id="across"']
    places = [page.index(f"{mark}") for mark in order]
    assert places == sorted(places)
