"""Signed runs: every turn has a receipt, whatever stops its process, and no receipt survives a change."""

import json
import pickle
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.hosting import LOOK, WAIT, Client, begin, hosted
from tests.cli.command import Command
from tests.harness.provider import KEY, MODEL, serve
from tests.runs.conftest import MERCHANTS, Diary, NewRun, Play
from tests.runs.dying import dying
from tests.runs.test_models import NAME, diligent

from ecbench.cli import main
from ecbench.errors import RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.receipts.receipt import RECEIPTS
from ecbench.runs.receipts.receipt_check import FoundReceipts, examine_receipts
from ecbench.runs.receipts.receipt_writer import signed_with
from ecbench.runs.receipts.signing import SigningKey, read_public_key, read_signing_key, write_new_key
from ecbench.runs.record.reader import read_record
from ecbench.world.model import World

Capture = pytest.CaptureFixture[str]
SLEEPER = f"{MERCHANTS}:Sleeper"
SIGNER = SigningKey(bytes(range(32)))
STRANGER = SigningKey(bytes(32))
DAYS = 4


def receipts_path(run: Run, episode: int = 0) -> Path:
    return run.episode_folder(episode) / RECEIPTS


def lines_of(run: Run, episode: int = 0) -> list[bytes]:
    return receipts_path(run, episode).read_bytes().splitlines(keepends=True)


def found_in(run: Run, content: bytes | None = None, episode: int = 0) -> FoundReceipts:
    content = b"".join(lines_of(run, episode)) if content is None else content
    return examine_receipts(run, episode, read_episode(run, episode), content)


def late_in(run: Run) -> list[str]:
    return [receipt.event for receipt in found_in(run).receipts if receipt.late]


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "keys" / "organiser"
    path.parent.mkdir()
    write_new_key(path)
    return path


@pytest.fixture
def signed(new_run: NewRun, play: Play) -> Run:
    run = new_run("Sleeper", days=DAYS, signing_key=SIGNER)
    assert play(run).over
    return run


def test_every_group_of_a_signed_year_has_a_receipt_and_no_file_of_the_run_has_the_key(
    signed: Run, key_file: Path
) -> None:
    found = found_in(signed)
    assert not found.problem and not found.unsigned
    assert [receipt.event for receipt in found.receipts] == ["start", *["turn"] * DAYS, "end"]
    assert {receipt.participant for receipt in found.receipts[1:-1]} == {"merchants.py:Sleeper"}
    assert found.signed == signed.events_path(0).stat().st_size
    secrets = (bytes(range(32)), SIGNER.pem().splitlines()[1])
    assert not [path for path in signed.folder.rglob("*.*") if any(each in path.read_bytes() for each in secrets)]
    assert pickle.loads(pickle.dumps(SIGNER)).public == SIGNER.public
    assert repr(SIGNER) == f"<SigningKey {SIGNER.public}>"


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], lines[3], lines[2], *lines[4:]]


def resigned(**changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    """The third line with other content, signed by somebody else."""

    def change(lines: list[bytes]) -> list[bytes]:
        record = json.loads(lines[2]) | changes
        del record["signature"]
        content = json.dumps(record, separators=(",", ":")).encode()[:-1]
        line = content + b',"signature":"' + STRANGER.sign(content).encode() + b'"}\n'
        return [*lines[:2], line, *lines[3:]]

    return change


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (lambda lines: lines[1:], "receipt 1 stands where receipt 0 belongs"),
        (lambda lines: [*lines[:2], *lines[3:]], "line 3: receipt 3 stands where receipt 2 belongs"),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], "line 4: receipt 2 stands where receipt 3 belongs"),
        (swapped, "line 3: receipt 3 stands where receipt 2 belongs"),
        (lambda lines: lines[:-2], "2 groups of lines have no receipt"),
        (lambda lines: [], "6 groups of lines have no receipt"),
        (resigned(), "line 3: it was edited, or it was signed with another key"),
        (resigned(participant="oracle"), "line 3: it was edited"),
        (lambda lines: [*lines[:2], b"{}\n"], "line 3: it is not a receipt"),
        (lambda lines: [*lines, lines[-1]], "receipt 5 stands where receipt 6 belongs"),
    ],
)
def test_a_receipt_that_is_missing_repeated_out_of_order_or_of_another_key_is_named(
    signed: Run, forge: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    assert message in found_in(signed, b"".join(forge(lines_of(signed)))).problem


def test_receipts_of_another_run_another_episode_or_another_year_are_named(new_run: NewRun, play: Play) -> None:
    """All of one signer; the other run has the same terms, and so the same record to the byte."""
    run, other = (new_run("Sleeper", days=DAYS, episodes=2, name=name, signing_key=SIGNER) for name in "ab")
    for each in (run, other):
        play(each), play(each, 1)
    assert run.events_path(0).read_bytes() == other.events_path(0).read_bytes()
    assert "line 1: it is a receipt of another run" in found_in(run, b"".join(lines_of(other))).problem
    assert "line 1: it is a receipt of episode 1, not of 0" in found_in(run, b"".join(lines_of(run, 1))).problem
    shorter = new_run("Sleeper", days=DAYS - 1, name="c", signing_key=SIGNER)
    play(shorter)
    posing = replace(shorter, signed=run.signed)
    assert "the record up to the start of the year is not the one" in found_in(posing, b"".join(lines_of(run))).problem


@settings(max_examples=60)
@given(data=st.data())
def test_no_change_to_a_byte_of_receipts_or_record_goes_unnoticed(signed_once: Run, data: st.DataObject) -> None:
    run = signed_once
    contents = {path: path.read_bytes() for path in (run.events_path(0), receipts_path(run))}
    path = data.draw(st.sampled_from(sorted(contents)))
    place = data.draw(st.integers(0, len(contents[path]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != contents[path][place]))
    changed = contents[path][:place] + bytes([byte]) + contents[path][place + 1 :]
    receipts = changed if path == receipts_path(run) else contents[receipts_path(run)]
    record = changed if path == run.events_path(0) else contents[run.events_path(0)]
    try:
        recording = read_record(record, "the record")
    except RunError:
        return
    found = examine_receipts(run, 0, recording, receipts)
    assert found.problem or recording.damage or found.unsigned  # cut off before the last line break: no end is signed


@pytest.fixture(scope="module")
def signed_once(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("signed")
    key = write_new_key(folder / "key")
    options = ("--days", "3", "-q", "--sign", str(folder / "key"), "--out", str(folder / "run"))
    with pytest.raises(SystemExit):
        main(["run", "--agent", "idle", *options])
    return signed_with(open_run(folder / "run"), key)


def test_a_signed_run_that_dies_at_any_change_signs_one_turn_late_at_most(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_world: Path, key_file: Path
) -> None:
    sign = ("--sign", str(key_file), "--json")
    run = ("run", "--agent", SLEEPER, "--world", str(small_world), "--days", "3", *sign, "--out")
    late = []
    for step in count(1):
        folder = tmp_path / f"run-{step}"
        with dying(monkeypatch, step) as death, pytest.raises(SystemExit):
            main([*run, str(folder)])
        if (folder / "run.json").exists():
            assert Command(capsys, "resume", str(folder), *sign).code == 0
            found = found_in(open_run(folder))
            assert not found.problem and not found.unsigned and found.receipts[-1].event == "end"
            late += (found_late := late_in(open_run(folder)))
            assert len(found_late) <= 1
        if not death.struck:
            break
    assert {"start", "turn", "end"} <= set(late)


def test_a_stopped_year_goes_on_only_with_its_key_and_finished_ones_need_none(
    capsys: Capture, new_run: NewRun, play: Play, key_file: Path, tmp_path: Path
) -> None:
    key = read_signing_key(key_file)
    run = new_run("Sleeper", days=DAYS, signing_key=key)
    play(run, diary=Diary(stop_on_day=2))
    files = {path: path.read_bytes() for path in run.folder.rglob("*.*")}
    write_new_key(tmp_path / "other")
    for options, message in (
        ((), f"are signed; give --sign KEYFILE with the key {key.public}"),
        (("--sign", str(tmp_path / "other")), f"is signed with {key.public}, and --sign gives"),
    ):
        refused = Command(capsys, "resume", str(run.folder), *options)
        assert refused.code == 2 and message in refused.err and refused.err.count("\n") == 1
    assert {path: path.read_bytes() for path in run.folder.rglob("*.*")} == files
    assert Command(capsys, "resume", str(run.folder), "--sign", str(key_file), "-q").code == 0
    assert late_in(run) == [] and not found_in(run).problem
    assert Command(capsys, "resume", str(run.folder), "-q").code == 0
    assert Command(capsys, "replay", str(run.folder), "--rebuild").code == 0
    assert not found_in(run).problem
    unsigned = new_run("Sleeper", days=DAYS, name="unsigned")
    refused = Command(capsys, "resume", str(unsigned.folder), "--sign", str(key_file))
    assert refused.code == 2 and "was begun without receipts" in refused.err


@pytest.mark.parametrize("lost", ["record", "receipts"])
def test_what_a_power_cut_took_of_either_file_is_refused_and_recovered_on_request(
    capsys: Capture, new_run: NewRun, play: Play, key_file: Path, lost: str
) -> None:
    run = new_run("Sleeper", days=6, signing_key=read_signing_key(key_file))
    play(run, diary=Diary(stop_on_day=4))
    path = receipts_path(run) if lost == "receipts" else run.events_path(0)
    groups = [group.end for group in read_episode(run, 0).groups]
    content = path.read_bytes()
    cut = groups[1] if lost == "record" else len(b"".join(lines_of(run)[:3]))
    path.write_bytes(content[:cut])
    shutil.rmtree(run.folder / "summary.json", ignore_errors=True)
    for name in ("checksums.json", "metrics.json"):
        (run.episode_folder(0) / name).unlink()
    sign = ("--sign", str(key_file), "-q")
    refused = Command(capsys, "resume", str(run.folder), *sign)
    assert refused.code == 2 and "--salvage" in refused.err
    assert path.read_bytes() == content[:cut]
    assert Command(capsys, "resume", str(run.folder), "--salvage", *sign).code == 0
    assert not found_in(run).problem and found_in(run).receipts[-1].event == "end"
    assert len(late_in(run)) == (lost == "receipts")
    verified = Command(capsys, "verify", str(run.folder), "--trust", f"{key_file}.pub")
    assert verified.code == 0 and ("1 receipt was signed late" in verified.text) == (lost == "receipts")
    assert (run.episode_folder(0) / "receipts.damaged-1.jsonl").exists()


def test_workers_sign_and_so_do_the_seats_of_an_arena(
    capsys: Capture, small_world: Path, tmp_path: Path, key_file: Path
) -> None:
    world = ("--world", str(small_world), "--days", "3", "-n", "3", "-j", "2")
    out = ("--sign", str(key_file), "-q", "--out")
    assert Command(capsys, "run", "--agent", SLEEPER, *world, *out, str(tmp_path / "run")).code == 0
    for episode in range(3):
        found = found_in(open_run(tmp_path / "run"), episode=episode)
        assert not found.problem and not found.unsigned and {receipt.episodes for receipt in found.receipts} == {3}
    seats = ("--seats", "idle,idle", "--worlds", str(small_world), "--days", "3")
    assert Command(capsys, "arena", *seats, *out, str(tmp_path / "arena")).code == 0
    found = found_in(open_run(tmp_path / "arena"))
    assert not found.problem and not found.unsigned
    assert {(receipt.seat, receipt.participant) for receipt in found.receipts} == {
        (None, None),
        (0, "idle-1"),
        (1, "idle-2"),
    }


def test_receipts_of_a_model_have_its_provider_its_reported_id_and_its_usage(
    monkeypatch: pytest.MonkeyPatch, new_run: NewRun, play: Play
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(diligent) as provider:
        run = new_run(NAME, days=3, model={"base_url": provider.url}, signing_key=SIGNER)
        assert play(run).over
    found, turns = found_in(run), read_episode(run, 0).turns
    assert not found.problem and not found.unsigned
    of_turns = found.receipts[1:-1]
    assert [receipt.usage for receipt in of_turns] == [turn.said["usage"] for turn in turns]
    assert sum(sum((receipt.usage or {}).values()) for receipt in of_turns) > 0
    assert {(receipt.provider, receipt.model) for receipt in of_turns} == {("openai-api", MODEL)}


def test_a_fork_copies_no_receipts_and_signs_what_it_took_over_as_its_start(
    capsys: Capture, signed: Run, tmp_path: Path, key_file: Path
) -> None:
    fork = ("fork", str(signed.folder), "--day", "2", "--agent", "idle", "-q", "--out")
    assert Command(capsys, *fork, str(tmp_path / "plain")).code == 0
    assert open_run(tmp_path / "plain").signed is None and not list((tmp_path / "plain").rglob(RECEIPTS))
    assert Command(capsys, *fork, str(tmp_path / "fork"), "--sign", str(key_file)).code == 0
    run = open_run(tmp_path / "fork")
    found = found_in(run)
    assert not found.problem and not found.unsigned and late_in(run) == []
    assert [receipt.turn for receipt in found.receipts] == [None, 3, 4, None]
    assert found.receipts[0].bytes == read_episode(run, 0).groups[1].end


def test_keys_are_private_are_never_overwritten_and_never_lie_in_a_run(
    capsys: Capture, tmp_path: Path, signed: Run
) -> None:
    path = tmp_path / "key"
    made = Command(capsys, "keys", "new", str(path))
    public = made.out.strip()
    assert made.code == 0 and (tmp_path / "key.pub").read_text() == made.out
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o600
    for file in (path, tmp_path / "key.pub"):
        assert Command(capsys, "keys", "show", str(file)).out.strip() == public
        assert json.loads(Command(capsys, "keys", "show", str(file), "--json").out) == {"public_key": public}
    assert read_public_key(public) == public
    (tmp_path / "text").write_text("nothing of the kind")
    inside = signed.episode_folder(0) / "key"
    for arguments, message in (
        (("keys", "new", str(path)), "never overwritten"),
        (("keys", "new", str(inside)), "lies in the run"),
        (("keys", "new", str(tmp_path / "no" / "folder")), "cannot write"),
        (("keys", "show", str(tmp_path / "text")), "is no public key"),
        (("keys", "show", str(tmp_path / "none")), "cannot read the key"),
        (("run", "--sign", str(tmp_path / "key.pub")), "holds no private key"),
        (("run", "--sign", str(tmp_path / "none"), "--out", str(tmp_path / "out")), "cannot read the key"),
    ):
        refused = Command(capsys, *arguments)
        assert refused.code == 2 and message in refused.err and refused.err.count("\n") == 1
    assert not inside.exists() and not (tmp_path / "out").exists()


def wait_to_the_end(client: Client) -> None:
    client.take([WAIT])
    client.take([WAIT])
    assert client.ask("GET", "/v1/result").status == 200


def test_a_host_signs_what_its_clients_do(
    capsys: Capture, tmp_path: Path, small_world: Path, world: World, key_file: Path
) -> None:
    key = read_signing_key(key_file)
    run = begin(tmp_path / "run", world, small_world, signing_key=key, days=2)
    with hosted(run, world) as client:
        client.take([LOOK])
        second = client.another()
        wait_to_the_end(client)
        wait_to_the_end(second)
        wait_to_the_end(client.another())
    for episode in range(3):
        found = found_in(open_run(run.folder), episode=episode)
        assert not found.problem and not found.unsigned
        assert {receipt.participant for receipt in found.receipts[1:-1]} == {"visitor"}
    verified = Command(capsys, "verify", str(run.folder), "--trust", key.public)
    assert verified.code == 0, verified.text
    assert "visitor: 7 turns" in verified.text
    assert "that the program of a participant is what its name says" in verified.text
    refused = Command(capsys, "host", "--out", str(run.folder), "--world", str(small_world), "--port", "0")
    assert refused.code == 2 and "are signed; give --sign KEYFILE" in refused.err
