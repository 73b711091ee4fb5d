"""Signed runs: every year is signed when it ends or stops, and no signature survives a change of its record."""

import json
import pickle
import sys
from collections.abc import Callable
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
from ecbench.runs.record.reader import read_record
from ecbench.runs.signatures.keys import SigningKey, read_public_key, read_signing_key, write_new_key
from ecbench.runs.signatures.signature import SIGNATURES, FoundSignatures, Participant, check_signatures, signed_with
from ecbench.world.model import World

Capture = pytest.CaptureFixture[str]
SLEEPER = f"{MERCHANTS}:Sleeper"
SIGNER = SigningKey(bytes(range(32)))
STRANGER = SigningKey(bytes(32))
DAYS = 4


def signatures_path(run: Run, episode: int = 0) -> Path:
    return run.episode_folder(episode) / SIGNATURES


def lines_of(run: Run, episode: int = 0) -> list[bytes]:
    return signatures_path(run, episode).read_bytes().splitlines(keepends=True)


def found_in(run: Run, content: bytes | None = None, episode: int = 0) -> FoundSignatures:
    content = b"".join(lines_of(run, episode)) if content is None else content
    return check_signatures(run, episode, read_episode(run, episode), content)


def is_signed(run: Run, episode: int = 0) -> bool:
    found = found_in(run, episode=episode)
    return not found.problem and found.covers(read_episode(run, episode))


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


@pytest.fixture
def signed_twice(new_run: NewRun, play: Play) -> Run:
    """Stopped once, and resumed to its end."""
    run = new_run("Sleeper", days=DAYS, name="twice", signing_key=SIGNER)
    play(run, diary=Diary(stop_on_day=2))
    assert play(run).over
    return run


def test_a_year_is_signed_once_and_no_file_of_the_run_has_the_key(signed: Run) -> None:
    [signature] = found_in(signed).signatures
    assert is_signed(signed)
    year_end = read_episode(signed, 0).year_end
    assert year_end is not None and signature.head == year_end.head and signature.over
    assert signature.participants == (Participant("merchants.py:Sleeper", DAYS),)
    secrets = (bytes(range(32)), SIGNER.pem().splitlines()[1])
    assert not [path for path in signed.folder.rglob("*.*") if any(each in path.read_bytes() for each in secrets)]
    assert pickle.loads(pickle.dumps(SIGNER)).public == SIGNER.public
    assert repr(SIGNER) == f"<SigningKey {SIGNER.public}>"


def test_a_resumed_year_is_signed_again_and_keeps_its_earlier_heads(signed_twice: Run) -> None:
    recording = read_episode(signed_twice, 0)
    first, last = found_in(signed_twice).signatures
    assert first.head in [entry.head for entry in recording.entries] and not first.over
    assert last.over and is_signed(signed_twice)
    assert [signature.participants[0].turns for signature in (first, last)] == [2, DAYS]


def resigned(key: SigningKey, **changes: Any) -> Callable[[list[bytes]], list[bytes]]:
    """The second line with other content, signed again."""

    def change(lines: list[bytes]) -> list[bytes]:
        record = json.loads(lines[1]) | changes | {"signature": ""}
        record["signature"] = key.sign(json.dumps(record, separators=(",", ":")).encode())
        return [lines[0], json.dumps(record, separators=(",", ":")).encode() + b"\n"]

    return change


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (lambda lines: lines[1:], "line 1: it does not follow the line before it"),
        (lambda lines: [lines[1], lines[0]], "line 1: it does not follow the line before it"),
        (lambda lines: [*lines, lines[1]], "line 3: it does not follow the line before it"),
        (resigned(STRANGER), "line 2: it was edited, or it was signed with another key"),
        (resigned(STRANGER, over=False), "line 2: it was edited"),
        (resigned(SIGNER, over=False), "what it says of the participants does not follow from the record"),
        (resigned(SIGNER, head="0" * 64), "line 2: the record is not the one that was signed"),
        (resigned(SIGNER, participants=[]), "what it says of the participants does not follow from the record"),
        (lambda lines: [lines[0], b"{}\n"], "line 2: it is not a signature"),
        (lambda lines: [lines[0], lines[1].replace(b'","', b'", "', 1)], "line 2: it was edited"),
    ],
)
def test_a_signature_that_is_missing_repeated_out_of_order_or_of_another_key_is_named(
    signed_twice: Run, forge: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    assert message in found_in(signed_twice, b"".join(forge(lines_of(signed_twice)))).problem


def test_signatures_of_another_run_another_episode_or_another_year_are_named(new_run: NewRun, play: Play) -> None:
    """All of one signer; the other run has the same terms, and so the same record to the byte."""
    run, other = (new_run("Sleeper", days=DAYS, episodes=2, name=name, signing_key=SIGNER) for name in "ab")
    for each in (run, other):
        play(each), play(each, 1)
    assert run.events_path(0).read_bytes() == other.events_path(0).read_bytes()
    assert "line 1: it is about another run or episode" in found_in(run, b"".join(lines_of(other))).problem
    assert "line 1: it is about another run or episode" in found_in(run, b"".join(lines_of(run, 1))).problem
    shorter = new_run("Sleeper", days=DAYS - 1, name="c", signing_key=SIGNER)
    play(shorter)
    posing = shorter.stating(signed=run.signed)
    assert "the record is not the one that was signed" in found_in(posing, b"".join(lines_of(run))).problem


@settings(max_examples=60)
@given(data=st.data())
def test_no_change_to_a_byte_of_signatures_or_record_goes_unnoticed(signed_once: Run, data: st.DataObject) -> None:
    run = signed_once
    contents = {path: path.read_bytes() for path in (run.events_path(0), signatures_path(run))}
    path = data.draw(st.sampled_from(sorted(contents)))
    place = data.draw(st.integers(0, len(contents[path]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != contents[path][place]))
    changed = contents[path][:place] + bytes([byte]) + contents[path][place + 1 :]
    signatures = changed if path == signatures_path(run) else contents[signatures_path(run)]
    record = changed if path == run.events_path(0) else contents[run.events_path(0)]
    try:
        recording = read_record(record, "the record")
    except RunError:
        return
    found = check_signatures(run, 0, recording, signatures)
    assert found.problem or recording.damage or not found.covers(recording)


@pytest.fixture(scope="module")
def signed_once(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("signed")
    key = write_new_key(folder / "key")
    options = ("--days", "3", "-q", "--sign", str(folder / "key"), "--out", str(folder / "run"))
    with pytest.raises(SystemExit):
        main(["run", "--agent", "idle", *options])
    return signed_with(open_run(folder / "run"), key)


def test_a_signed_run_that_dies_at_any_change_is_signed_when_it_is_resumed(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small_world: Path, key_file: Path
) -> None:
    sign = ("--sign", str(key_file), "--json")
    run = ("run", "--agent", SLEEPER, "--world", str(small_world), "--days", "3", *sign, "--out")
    for step in count(1):
        folder = tmp_path / f"run-{step}"
        with dying(monkeypatch, step) as death, pytest.raises(SystemExit):
            main([*run, str(folder)])
        if (folder / "run.json").exists():
            assert Command(capsys, "resume", str(folder), *sign).code == 0
            assert is_signed(open_run(folder)) and len(lines_of(open_run(folder))) == 1
        if not death.struck:
            break


def test_a_stopped_year_continues_only_with_its_key_and_finished_ones_need_none(
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
    assert is_signed(run)
    assert Command(capsys, "resume", str(run.folder), "-q").code == 0
    assert is_signed(run)
    unsigned = new_run("Sleeper", days=DAYS, name="unsigned")
    refused = Command(capsys, "resume", str(unsigned.folder), "--sign", str(key_file))
    assert refused.code == 2 and "was begun without signatures" in refused.err


def test_what_a_power_cut_took_of_a_signed_record_is_refused_and_salvaged_on_request(
    capsys: Capture, new_run: NewRun, play: Play, key_file: Path
) -> None:
    run = new_run("Sleeper", days=6, signing_key=read_signing_key(key_file))
    play(run, diary=Diary(stop_on_day=4))
    path = run.events_path(0)
    cut = path.read_bytes()[: read_episode(run, 0).entries[1].end]
    path.write_bytes(cut)
    (run.episode_folder(0) / "metrics.json").unlink()
    sign = ("--sign", str(key_file), "-q")
    refused = Command(capsys, "resume", str(run.folder), *sign)
    assert refused.code == 2 and "is not the one that was signed" in refused.err and "--salvage" in refused.err
    assert path.read_bytes() == cut
    assert Command(capsys, "resume", str(run.folder), "--salvage", *sign).code == 0
    assert is_signed(run)
    assert Command(capsys, "verify", str(run.folder), "--trust", f"{key_file}.pub").code == 0
    assert (run.episode_folder(0) / "signatures.damaged-1.jsonl").exists()


def test_workers_sign_and_so_do_the_seats_of_an_arena(
    capsys: Capture, small_world: Path, tmp_path: Path, key_file: Path
) -> None:
    world = ("--world", str(small_world), "--days", "3", "-n", "3", "-j", "2")
    out = ("--sign", str(key_file), "-q", "--out")
    assert Command(capsys, "run", "--agent", SLEEPER, *world, *out, str(tmp_path / "run")).code == 0
    for episode in range(3):
        assert is_signed(open_run(tmp_path / "run"), episode)
        assert found_in(open_run(tmp_path / "run"), episode=episode).signatures[0].episodes == 3
    seats = ("--seats", "idle,idle", "--worlds", str(small_world), "--days", "3")
    assert Command(capsys, "arena", *seats, *out, str(tmp_path / "arena")).code == 0
    run = open_run(tmp_path / "arena")
    assert is_signed(run)
    assert [each.name for each in found_in(run).signatures[0].participants] == ["idle-1", "idle-2"]


def test_the_signature_of_a_models_year_has_its_provider_its_reported_id_and_its_usage(
    monkeypatch: pytest.MonkeyPatch, new_run: NewRun, play: Play
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(diligent) as provider:
        run = new_run(NAME, days=3, model={"base_url": provider.url}, signing_key=SIGNER)
        assert play(run).over
    assert is_signed(run)
    [played] = found_in(run).signatures[0].participants
    turns = read_episode(run, 0).turns
    assert (played.provider, played.models, played.turns) == ("openai-api", (MODEL,), len(turns))
    written = sum(turn.message["usage"]["output_tokens"] for turn in turns)
    assert played.usage["output_tokens"] == written > 0


def test_a_fork_copies_no_signatures_and_does_not_count_what_it_took_over(
    capsys: Capture, signed: Run, tmp_path: Path, key_file: Path
) -> None:
    fork = ("fork", str(signed.folder), "--day", "2", "--agent", "idle", "-q", "--out")
    assert Command(capsys, *fork, str(tmp_path / "plain")).code == 0
    assert open_run(tmp_path / "plain").signed is None and not list((tmp_path / "plain").rglob(SIGNATURES))
    assert Command(capsys, *fork, str(tmp_path / "fork"), "--sign", str(key_file)).code == 0
    run = open_run(tmp_path / "fork")
    assert is_signed(run)
    assert [each.turns for each in found_in(run).signatures[0].participants] == [DAYS - 2]


def test_keys_are_private_are_never_overwritten_and_never_lie_in_a_run(
    capsys: Capture, tmp_path: Path, signed: Run
) -> None:
    path = tmp_path / "key"
    made = Command(capsys, "season", "keys", "new", str(path))
    public = made.out.strip()
    assert made.code == 0 and (tmp_path / "key.pub").read_text() == made.out
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o600
    for file in (path, tmp_path / "key.pub"):
        assert Command(capsys, "season", "keys", "show", str(file)).out.strip() == public
        assert json.loads(Command(capsys, "season", "keys", "show", str(file), "--json").out) == {"public_key": public}
    assert read_public_key(public) == public
    (tmp_path / "text").write_text("nothing of the kind")
    inside = signed.episode_folder(0) / "key"
    for arguments, message in (
        (("season", "keys", "new", str(path)), "never overwritten"),
        (("season", "keys", "new", str(inside)), "lies in the run"),
        (("season", "keys", "new", str(tmp_path / "no" / "folder")), "cannot write"),
        (("season", "keys", "show", str(tmp_path / "text")), "is not a public key"),
        (("season", "keys", "show", str(tmp_path / "none")), "cannot read the key"),
        (("run", "--sign", str(tmp_path / "key.pub")), "contains no private key"),
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
        assert is_signed(open_run(run.folder), episode)
        [signature] = found_in(open_run(run.folder), episode=episode).signatures
        assert [each.name for each in signature.participants] == ["visitor"]
    verified = Command(capsys, "verify", str(run.folder), "--trust", key.public)
    assert verified.code == 0, verified.text
    assert "visitor: 7 turns" in verified.text
    assert "that the program of a participant is what its name says" in verified.text
    refused = Command(capsys, "http", "--out", str(run.folder), "--world", str(small_world), "--port", "0")
    assert refused.code == 2 and "are signed; give --sign KEYFILE" in refused.err
