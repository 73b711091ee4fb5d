"""Signed runs: every year is signed when it ends or stops, and no signature survives a change of its record."""

import json
import pickle
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.cli.command import Command
from tests.runs.conftest import MERCHANTS, Diary, NewRun, Play
from tests.runs.dying import dying

from ecbench.cli import main
from ecbench.errors import DamagedRecord, RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.reader import read_record
from ecbench.runs.signatures.keys import SigningKey, read_public_key, read_signing_key, write_new_key
from ecbench.runs.signatures.signature import SIGNATURE, Participant, Signature, check_signature, signed_with

Capture = pytest.CaptureFixture[str]
SLEEPER = f"{MERCHANTS}:Sleeper"
SIGNER = SigningKey(bytes(range(32)))
STRANGER = SigningKey(bytes(32))
DAYS = 4


def signature_path(run: Run, episode: int = 0) -> Path:
    return run.episode_folder(episode) / SIGNATURE


def signature_of(run: Run, episode: int = 0) -> Signature:
    """Checked, and about all of the record."""
    recording = read_episode(run, episode)
    signature = check_signature(run, episode, recording)
    assert signature is not None and signature.covers(recording)
    return signature


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


def test_a_year_is_signed_and_no_file_of_the_run_has_the_key(signed: Run) -> None:
    signature, year_end = signature_of(signed), read_episode(signed, 0).year_end
    assert year_end is not None and signature.head == year_end.head and signature.over
    assert signature.participants == (Participant("merchants.py:Sleeper", DAYS),)
    secrets = (bytes(range(32)), SIGNER.pem().splitlines()[1])
    assert not [path for path in signed.folder.rglob("*.*") if any(each in path.read_bytes() for each in secrets)]
    assert pickle.loads(pickle.dumps(SIGNER)).public == SIGNER.public
    assert repr(SIGNER) == f"<SigningKey {SIGNER.public}>"


def test_a_resumed_year_is_signed_again_and_keeps_its_earlier_heads(new_run: NewRun, play: Play) -> None:
    run = new_run("Sleeper", days=DAYS, signing_key=SIGNER)
    play(run, diary=Diary(stop_on_day=2))
    first = signature_of(run)
    assert play(run).over
    last = signature_of(run)
    assert not first.over and not first.earlier and last.over and last.earlier == (first.head,)
    assert first.began == last.began and [each.participants[0].turns for each in (first, last)] == [2, DAYS]


@pytest.mark.parametrize(
    ("key", "changes", "message"),
    [
        (STRANGER, {}, "it was edited, or it was signed with another key"),
        (SIGNER, {"run": "0" * 32}, "it is about another run or episode"),
        (SIGNER, {"episode": 1}, "it is about another run or episode"),
        (SIGNER, {"head": "0" * 64}, "the record is not the one that was signed"),
        (SIGNER, {"earlier": ("0" * 64,)}, "the record is not the one that was signed"),
    ],
)
def test_a_signature_by_another_key_or_about_something_else_is_named(
    signed: Run, key: SigningKey, changes: dict[str, Any], message: str
) -> None:
    stated = structs.replace(signature_of(signed), **changes, signature="")
    signature_path(signed).write_bytes(stated.signed_with(key).text)
    with pytest.raises(DamagedRecord, match=message):
        signature_of(signed)


@pytest.mark.parametrize("content", [b"", b"{}\n", b'{"event":'])
def test_a_file_that_is_not_a_signature_is_named(signed: Run, content: bytes) -> None:
    signature_path(signed).write_bytes(content)
    with pytest.raises(DamagedRecord, match="it is not a signature"):
        signature_of(signed)


def test_earlier_heads_must_stand_in_the_record_in_their_order(signed: Run) -> None:
    heads = [entry.head for entry in read_episode(signed, 0).entries]
    for earlier, holds in ((heads[:2], True), (heads[1::-1], False), (heads[:1] * 2, False)):
        stated = structs.replace(signature_of(signed), earlier=tuple(earlier), signature="")
        honest = signature_path(signed).read_bytes()
        signature_path(signed).write_bytes(stated.signed_with(SIGNER).text)
        if holds:
            assert signature_of(signed).earlier == tuple(earlier)
        else:
            with pytest.raises(DamagedRecord, match="not the one that was signed"):
                signature_of(signed)
        signature_path(signed).write_bytes(honest)


@settings(max_examples=60)
@given(data=st.data())
def test_no_change_to_a_byte_of_signature_or_record_goes_unnoticed(signed_once: Run, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([signed_once.events_path(0), signature_path(signed_once)]))
    content = path.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    path.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
    try:
        recording = read_record(signed_once.events_path(0).read_bytes(), "the record")
        signature = check_signature(signed_once, 0, recording)
    except RunError:
        return
    finally:
        path.write_bytes(content)
    assert signature and (recording.damage or not signature.covers(recording))


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
            assert not signature_of(open_run(folder)).earlier
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
    assert signature_of(run)
    assert Command(capsys, "resume", str(run.folder), "-q").code == 0
    unsigned = new_run("Sleeper", days=DAYS, name="unsigned")
    refused = Command(capsys, "resume", str(unsigned.folder), "--sign", str(key_file))
    assert refused.code == 2 and "was begun without signatures" in refused.err


@pytest.mark.parametrize("left", ["nothing", "another record's"])
def test_a_finished_year_without_its_signature_is_signed_by_a_resume_with_the_key(
    capsys: Capture, new_run: NewRun, play: Play, key_file: Path, left: str
) -> None:
    key = read_signing_key(key_file)
    run, other = (new_run("Sleeper", days=days, name=f"{days}", signing_key=key) for days in (DAYS, DAYS + 1))
    assert play(run).over and play(other).over
    path, genuine = signature_path(run), signature_path(run).read_bytes()
    resume = ("resume", str(run.folder), "--sign", str(key_file), "-q")
    if left == "nothing":
        path.unlink()
    else:
        path.write_bytes(signature_path(other).read_bytes())
        refused = Command(capsys, *resume)
        assert refused.code == 2 and "it is about another run or episode" in refused.err
    assert Command(capsys, *resume, "--salvage").code == 0
    assert signature_of(run).head == json.loads(genuine)["head"]


def test_what_a_power_cut_took_of_a_signed_record_is_refused_and_salvaged_on_request(
    capsys: Capture, new_run: NewRun, play: Play, key_file: Path
) -> None:
    run = new_run("Sleeper", days=6, signing_key=read_signing_key(key_file))
    play(run, diary=Diary(stop_on_day=4))
    path = run.events_path(0)
    cut = path.read_bytes()[: read_episode(run, 0).entries[1].end]
    path.write_bytes(cut)
    sign = ("--sign", str(key_file), "-q")
    refused = Command(capsys, "resume", str(run.folder), *sign)
    assert refused.code == 2 and "is not the one that was signed" in refused.err and "--salvage" in refused.err
    assert path.read_bytes() == cut
    assert Command(capsys, "resume", str(run.folder), "--salvage", *sign).code == 0
    assert signature_of(run)
    assert Command(capsys, "verify", str(run.folder), "--trust", f"{key_file}.pub").code == 0
    assert (run.episode_folder(0) / "signature.damaged-1.json").exists()


def test_workers_sign_and_so_do_the_seats_of_an_arena(
    capsys: Capture, small_world: Path, tmp_path: Path, key_file: Path
) -> None:
    world = ("--world", str(small_world), "--days", "3", "-n", "3", "-j", "2")
    out = ("--sign", str(key_file), "-q", "--out")
    assert Command(capsys, "run", "--agent", SLEEPER, *world, *out, str(tmp_path / "run")).code == 0
    for episode in range(3):
        assert signature_of(open_run(tmp_path / "run"), episode).episodes == 3
    seats = ("--seats", "idle,idle", "--worlds", str(small_world), "--days", "3")
    assert Command(capsys, "arena", *seats, *out, str(tmp_path / "arena")).code == 0
    participants = signature_of(open_run(tmp_path / "arena")).participants
    assert [each.name for each in participants] == ["idle-1", "idle-2"]


def test_keys_are_private_are_never_overwritten_and_never_lie_in_a_run(
    capsys: Capture, tmp_path: Path, signed: Run
) -> None:
    path = tmp_path / "key"
    made = Command(capsys, "season", "keys", str(path))
    public = made.out.strip()
    assert made.code == 0 and (tmp_path / "key.pub").read_text() == made.out
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o600
    assert read_public_key(str(tmp_path / "key.pub")) == read_public_key(public) == public
    (tmp_path / "text").write_text("nothing of the kind")
    inside = signed.episode_folder(0) / "key"
    for arguments, message in (
        (("season", "keys", str(path)), "never overwritten"),
        (("season", "keys", str(inside)), "lies in the run"),
        (("season", "keys", str(tmp_path / "no" / "folder")), "cannot write"),
        (("verify", str(signed.folder), "--trust", str(tmp_path / "text")), "is not a public key"),
        (("verify", str(signed.folder), "--trust", str(tmp_path / "none")), "none"),
        (("run", "--sign", str(tmp_path / "key.pub")), "contains no private key"),
        (("run", "--sign", str(tmp_path / "none"), "--out", str(tmp_path / "out")), "cannot read the key"),
    ):
        refused = Command(capsys, *arguments)
        assert refused.code == 2 and message in refused.err and refused.err.count("\n") == 1
    assert not inside.exists() and not (tmp_path / "out").exists()
