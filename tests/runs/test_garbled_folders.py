"""Run folders, garbled at random: a known exit code, a line that says what is wrong, no record touched, one score."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.test_garbled import CODES, GARBLES, checked, command
from tests.conftest import write_little_world
from tests.runs.conftest import TRADER, Diary

from ecbench.errors import RunError
from ecbench.runs.folder import create_run, open_run
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.play_here import play_here
from ecbench.runs.record.chain import FIRST, chained
from ecbench.runs.record.reader import read_record
from ecbench.runs.results.derived_files import METRICS
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

DAYS = 8
STARTS = ("ecbench: ", "Continue with: ecbench resume ")


def told(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a command that says in a line what is wrong, if anything is."""
    code, out, err = command(*arguments)
    assert code in CODES
    assert "Traceback" not in out + err
    assert all(line.startswith(STARTS) for line in err.splitlines()), err
    assert len([line for line in err.splitlines() if line.startswith("ecbench: ")]) <= 1, err
    assert not code or err or out
    return code, out, err


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A year that is over, one that was stopped, one that was killed, and a fork."""
    place = tmp_path_factory.mktemp("originals")
    source = write_little_world(place)
    world = load_world(source)
    terms = Terms.alone(world, agent=TRADER, days=DAYS, stake=100_000.0)
    for name, stop_on_day in (("over", None), ("stopped", 3), ("killed", None)):
        run = create_run(place / name, terms, episodes=1, world_source=str(source))
        diary = Diary(stop_on_day=stop_on_day)
        play_here(run, 0, diary, diary.stop)
    fork = take_over(open_run(place / "over"), episode=0, day=4, agent=TRADER, model={}).create_in(place / "fork")
    assert fork.terms.fork is not None
    killed = place / "killed/episodes/0"
    content = (killed / "events.jsonl").read_bytes()
    (killed / "events.jsonl").write_bytes(content[: len(content) * 2 // 3])
    for path in killed.glob("*[!l]"):
        path.unlink()
    return place


# What may happen to a file of a run

VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 2**70, 0.5, -0.0, float("nan"), float("inf"), "", "x", "0", "a/b", "\ud800", "\x00"),
    *([], {}, [[]], {"": 0}, ["days"], {"name": 1}, "[" * 9, 365),
)


def change_value(content: bytes, draw: st.DataObject) -> bytes:
    """Another value, of any kind, somewhere in one of the objects that a file consists of."""
    lines = content.split(b"\n") if content.startswith(b'{"') else [content]
    number = draw.draw(st.integers(0, len(lines) - 1))
    try:
        value = json.loads(lines[number])
    except (ValueError, RecursionError):  # garbled twice
        return content
    _change_within(value, draw)
    if len(lines) == 1:
        return json.dumps(value, indent=2).encode() + b"\n"
    lines[number] = json.dumps(value, separators=(",", ":")).encode()
    return b"\n".join(lines)


def _change_within(value: Any, draw: st.DataObject) -> None:
    while isinstance(value, dict | list) and value:
        key = draw.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if isinstance(value[key], dict | list) and value[key] and draw.draw(st.booleans()):
            value = value[key]
        elif draw.draw(st.booleans()):
            value[key] = draw.draw(st.sampled_from(VALUES))
            return
        else:
            del value[key]
            return


def change_value_and_digests(content: bytes, draw: st.DataObject) -> bytes:
    """By somebody who knows how the lines of a record are chained."""
    head, sealed = FIRST, []
    for line in change_value(content, draw).splitlines(keepends=True):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # garbled twice
            return content
        if not isinstance(record, dict) or not record.pop("sha256", None):
            sealed.append(line)
            continue
        chained_line, head = chained(json.dumps(record, separators=(",", ":")).encode(), head)
        sealed.append(chained_line)
    return b"".join(sealed)


OWN = (change_value, change_value_and_digests)


def replace_by(path: Path, draw: st.DataObject) -> None:
    """Nothing, or a file from beside it, in the place of this one; `test_places` has what is not a file."""
    replaced = draw.draw(st.booleans())
    path.unlink()
    others = sorted(each for each in path.parent.iterdir() if each.is_file())
    if others and replaced:
        shutil.copyfile(draw.draw(st.sampled_from(others)), path)


def garble(folder: Path, draw: st.DataObject) -> None:
    for _ in range(draw.draw(st.integers(1, 3))):
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != METRICS)
        if not files:
            return
        path = draw.draw(st.sampled_from(files))
        if draw.draw(st.integers(0, 4)) == 0:
            replace_by(path, draw)
        else:
            path.write_bytes(draw.draw(st.sampled_from([*GARBLES, *OWN]))(path.read_bytes(), draw))


def files_in(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()}


def kept_part(events: bytes) -> bytes:
    """What must stay of a record, whatever is made of it."""
    try:
        return read_record(events, "events").written
    except RunError:
        return events


def assert_one_score(folder: Path, summary: dict[str, Any]) -> None:
    """A field that no version writes or leaves out changes no score, so that only `verify` refuses it."""
    code, out, _ = told("verify", str(folder), "--json")
    proof = json.loads(out)
    (verified,), different = proof["episodes"], "; ".join(proof["differences"])
    harmless = ("no such field", "is not recorded", "is not written as", "under the id of")
    assert code == 0 or any(why in different for why in harmless), out
    (episode,) = summary["episodes"]
    assert episode["final_assets"] == verified["final_assets"]
    assert summary["axes"]["final_assets"] == pytest.approx(verified["final_assets"], abs=0.01)


@checked(max_examples=60)
@given(data=st.data())
def test_a_garbled_run_is_refused_or_mended_and_never_shows_another_score(
    originals: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    place = tmp_path_factory.mktemp("garbled")
    name = data.draw(st.sampled_from(["over", "stopped", "killed", "fork"]))
    folder = Path(shutil.copytree(originals / name, place / name))
    garble(folder, data)
    manifest, events = folder / "run.json", folder / "episodes/0/events.jsonl"
    before = files_in(folder)
    for look in (("show",), ("verify",), ("show", "--json")):
        told(look[0], str(folder), *look[1:])
    told("fork", str(folder), "--day", "2", "--agent", "idle", "--out", str(place / "taken"), "-q")
    assert files_in(folder) == before

    code, out, err = told("resume", str(folder), "--json")
    summary = json.loads(out)
    after = files_in(folder)
    assert after.get(manifest) == before.get(manifest)
    if "error" in summary or not summary["episodes"][0]["ending"]:
        assert code == 2
        assert after.get(events, b"") == before.get(events, b"")
    elif events in before:
        assert after[events].startswith(kept_part(before[events]))
    if code == 0:
        assert_one_score(folder, summary)
    if "--salvage" in err:
        told("resume", str(folder), "--salvage", "-q")
        asides = [path.read_bytes() for path in events.parent.glob("events.damaged-*.jsonl")]
        assert before.get(events, b"") in (*asides, files_in(folder).get(events, b""))


MEASURES_OF_OTHER_TYPES: tuple[tuple[str, Any], ...] = (
    ("run", None),
    ("profitability", {}),
    ("failure_modes", "x"),
    ("loopholes", []),
    ("diagnostics", None),
    ("score", {"drawdown_over_peak": "x"}),
)


@pytest.mark.parametrize(("section", "value"), MEASURES_OF_OTHER_TYPES)
def test_measures_of_other_types_are_computed_again(
    originals: Path, tmp_path: Path, section: str, value: object
) -> None:
    folder = Path(shutil.copytree(originals / "over", tmp_path / "over"))
    path = folder / "episodes/0" / METRICS
    commands = (("show", str(folder)), ("report", str(folder), "--tables"), ("resume", str(folder), "-q"))
    said, before = [told(*command)[1] for command in commands], path.read_bytes()
    edited = json.loads(before)
    edited["seats"][0][section] = value
    path.write_text(json.dumps(edited))
    assert [told(*command)[1] for command in commands] == said
    assert path.read_bytes() == before
