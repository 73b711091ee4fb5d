"""A season's site: what fails the check is refused, the rest is ranked, and the same folder gives the same bytes."""

import json
import os
import re
import resource
import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal
from tests.season.site.conftest import Example
from tests.season.site.seasons import TAMPERED

from ecbench.analysis.compare.comparison import compare
from ecbench.analysis.compare.entries import read_entries
from ecbench.errors import RunError
from ecbench.runs.folder import open_run
from ecbench.season.site import build, submissions
from ecbench.season.site.build import build_site, process_limits, with_equal_years
from ecbench.season.site.leaderboard import groups
from ecbench.season.site.submissions import SubmissionCheck, VerifiedEntry, refuse_enormous

OTHERS = {
    "<b>bold<b>": "its name is not one of",
    "README.md": "not a folder",
    "other-season": "its worlds are not those of season 2027-01",
}
REFUSED = OTHERS | {name: words for name, (_, words) in TAMPERED.items()}


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_exactly_what_does_not_hold_is_refused_with_its_reason(example: Example) -> None:
    assert {entry["name"] for entry in example.built.facts["entries"]} == {
        *("early", "haggler", "steady", "trader", "zcopy")
    }
    reasons = {each.name: each.reason for each in example.built.refused}
    assert set(reasons) == set(REFUSED)
    assert {name: words for name, words in REFUSED.items() if words not in reasons[name]} == {}
    assert not [reason for reason in reasons.values() if "\n" in reason or str(example.submissions) in reason]


def test_equal_years_are_listed_on_both_entries_and_nobody_is_refused(example: Example, tmp_path: Path) -> None:
    entry = SubmissionCheck(example.season, (), tmp_path)(example.submissions / "haggler")
    assert isinstance(entry, VerifiedEntry)
    calls = entry.proof.calls
    copied = replace(entry.proof, calls=["other calls", calls[1], *["more"] * 6])
    first, second = with_equal_years([entry, replace(entry, name="second", proof=copied)])
    same = "episode 1: every call is the same as in {}, so that they are one observation"
    assert first.proof.remarks == [*entry.proof.remarks, same.format("second")]
    assert second.proof.remarks == [*entry.proof.remarks, same.format("haggler")]


@pytest.mark.parametrize("limit", ["time", "memory"])
def test_a_submission_whose_check_takes_too_much_is_refused(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    shutil.copytree(example.submissions / "trader", folder / "trader")
    if limit == "time":
        built = build_site(folder, tmp_path / "site", example.season, seconds=0.01, progress=lambda *_: None)
        [refused] = built.refused
        assert refused.reason == "its check took more than 0.01 seconds"
    else:
        before = resource.getrlimit(resource.RLIMIT_DATA)
        monkeypatch.setattr(build, "MOST_MEMORY", 1 << 20)
        with pytest.raises(MemoryError), process_limits(60):
            bytearray(1 << 30)
        assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_the_same_folder_gives_the_same_bytes_wherever_it_lies(example: Example, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(example.submissions, moved, symlinks=True)
    build_site(moved, tmp_path / "site", example.season, trusted=[example.key], jobs=2, progress=lambda *_: None)
    first, second = files_of(example.out), files_of(tmp_path / "site")
    assert set(first) == set(second) and [name for name in first if first[name] != second[name]] == []
    assert [name for name, content in first.items() if str(example.submissions.parent).encode() in content] == []


def test_every_link_leads_to_a_page_and_no_submitted_name_is_markup(example: Example) -> None:
    files = files_of(example.out)
    assert len(files) == 2 + 5 * 2 + 2
    for name, content in files.items():
        if name.endswith("report.html") or not name.endswith(".html"):
            continue
        page = content.decode()
        assert (
            "default-src 'none'" in page.replace("&#39;", "'") and "<b>bold" not in page and "<script>alert" not in page
        )
        for link in re.findall(r'href="(?!mailto:)([^"#]+)"', page):
            assert (example.out / name).parent.joinpath(link).resolve().is_file(), (name, link)


def test_pairs_are_those_of_compare(example: Example) -> None:
    """Entries are made anew from the records, and give the figures that the submitted folders give."""
    names = ("trader", "steady", "haggler")
    runs = [open_run(example.submissions / name) for name in names]
    found = compare(read_entries(runs))
    for pair in found.pairs:
        first, second = (run.run.label for run in (pair.first, pair.second))
        assert pair.verdict.shown and pair.verdict.first_is_better, (first, second)
    lines = example.built.facts["entries"]
    assert [(line["name"], line["rank"], line["possible_ranks"], line["groups"]) for line in lines] == [
        ("trader", 1, [1, 2], ["A"]),
        ("zcopy", 1, [1, 2], ["A"]),
        ("steady", 3, [3, 3], ["B"]),
        ("haggler", 4, [4, 4], ["C"]),
        ("early", None, None, []),
    ]
    money = {pair.first.label: pair.differences[0].first for pair in found.pairs}
    assert lines[0]["final_assets"] == pytest.approx(money[runs[0].terms.labels[0]])


def test_a_page_states_who_signed_what_stopped_early_and_no_path_of_a_program(example: Example) -> None:
    pages = {name: (example.out / f"entries/{name}/index.html").read_text() for name in ("early", "haggler", "trader")}
    assert f"The owner of {example.key}, whom the organiser trusts, vouches for" in pages["haggler"]
    assert "Not signed" in pages["trader"] and "my_merchant.py:MyMerchant made the calls" in pages["trader"]
    assert "/my_merchant.py" not in pages["trader"]
    assert "stopped early, after 6 of 8 worlds" in pages["early"]


@pytest.mark.parametrize(
    ("size", "apart", "expected"),
    [
        (1, [], ["A"]),
        (3, [], ["A", "A", "A"]),
        (3, [(0, 2)], ["A", "A B", "B"]),
        (4, [(0, 1)], ["A", "B", "B", "B"]),
        (3, [(0, 1), (0, 2), (1, 2)], ["A", "B", "C"]),
    ],
)
def test_two_share_a_letter_only_if_they_cannot_be_told_apart(
    size: int, apart: list[tuple[int, int]], expected: list[str]
) -> None:
    assert groups(size, apart) == expected


def test_bad_input_is_refused_in_one_line_and_writes_nothing(cli: Cli, example: Example, tmp_path: Path) -> None:
    out, subs, run = str(tmp_path / "out"), str(example.submissions), str(example.submissions / "steady")
    assert "cannot read" in refusal(cli, "season", "site", str(tmp_path / "none"), "--out", out)
    assert "is a run; give the folder" in refusal(cli, "season", "site", run, "--out", out)
    assert "is not empty" in refusal(cli, "season", "site", subs, "--out", str(example.out))
    assert "there is no season" in refusal(cli, "season", "site", subs, "1999-01", "--out", out)
    (tmp_path / "empty").mkdir()
    assert "holds 0 submissions" in refusal(cli, "season", "site", str(tmp_path / "empty"), "--out", out)
    nothing = cli("season", "site", subs, "--out", out, "--json")  # they are of another season than the practice season
    found = json.loads(nothing.out)
    assert nothing.code == 1 and found["entries"] == [] and len(found["refused"]) == len(REFUSED) + 5
    assert not [each for each in found["refused"] if "cannot be checked" in each["reason"]]
    assert "nothing was written" in nothing.err and not Path(out).exists()


@pytest.mark.parametrize(("name", "size", "refused"), [("a/b/3", 10, True), ("2", 10**6, True), ("2", 10, False)])
def test_a_submission_of_too_many_files_or_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int, refused: bool
) -> None:
    monkeypatch.setattr(submissions, "MOST_FILES", 4)
    monkeypatch.setattr(submissions, "MOST_BYTES", 10**6)
    for path in (tmp_path / "run/1", tmp_path / "run/a/2", tmp_path / "run" / name):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    os.truncate(path, size)
    with pytest.raises(RunError, match="a submission has at most") if refused else nullcontext():
        refuse_enormous(tmp_path / "run")
