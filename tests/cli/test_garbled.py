"""Worlds garbled at random: a known exit code, one line of error, nothing touched or lost."""

from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.command import TRADER, files_in
from tests.conftest import write_little_world

from ecbench.cli import main

CODES = (0, 1, 2, 130)
checked = partial(settings, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def command(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors; whatever else a command raises fails the test."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(arguments)
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code, out.getvalue(), err.getvalue()


def told(*arguments: str) -> int:
    """The exit code of a command that says in one line what is wrong, if anything is."""
    code, out, err = command(*arguments)
    assert code in CODES
    assert "Traceback" not in out + err
    lines = [line for line in err.split("\n") if line.startswith("ecbench: ")]
    assert len(lines) == (1 if code else 0), err
    assert not any(character in err + out for character in "\x1b\x07\x00\x9b")
    return code


# What may happen to the bytes of a file

TOKENS = (
    *("", "nan", "inf", "-1", "0", "1e308", "1e999", "5e-324", "9" * 5_000, "0x" + "f" * 5_000, "true", "null", "1_0"),
    *('"', "'", "'''", "\x00", "\x1b[31m", "\ufeff", "\u202e", "[/red]", "[bold]", "[[events]]", "[x]", "{}", "[]"),
    *("2026-02-30", "07:32:00", "A1", "a,b", "a@b", "=1+1", "tea", "Kettles", "[" * 3_000, "a." * 3_000 + "a = 1"),
)


def replace_part(content: bytes, draw: st.DataObject) -> bytes:
    start = draw.draw(st.integers(0, len(content)))
    end = min(len(content), start + draw.draw(st.integers(0, 40)))
    return content[:start] + draw.draw(st.binary(max_size=8)) + content[end:]


def replace_word(content: bytes, draw: st.DataObject) -> bytes:
    words = sorted(set(content.replace(b",", b" ").replace(b'"', b" ").split()))
    word = draw.draw(st.sampled_from(words)) if words else b""
    return content.replace(word, draw.draw(st.sampled_from(TOKENS)).encode(), 1)


def swap_lines(content: bytes, draw: st.DataObject) -> bytes:
    lines = content.split(b"\n")
    return b"\n".join(draw.draw(st.permutations(lines)))


def repeat_part(content: bytes, draw: st.DataObject) -> bytes:
    start = draw.draw(st.integers(0, len(content)))
    part = content[start : start + draw.draw(st.integers(0, 200))]
    return content[:start] + part * draw.draw(st.sampled_from([2, 3, 5_000])) + content[start:]


def cut(content: bytes, draw: st.DataObject) -> bytes:
    return content[: draw.draw(st.integers(0, len(content)))]


def encode_otherwise(content: bytes, draw: st.DataObject) -> bytes:
    return content.decode(errors="replace").encode(draw.draw(st.sampled_from(["utf-16", "utf-32", "utf-8-sig"])))


Garble = Callable[[bytes, st.DataObject], bytes]
GARBLES: tuple[Garble, ...] = (replace_part, replace_word, replace_word, swap_lines, repeat_part, cut, encode_otherwise)


def garble_file(folder: Path, draw: st.DataObject) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for _ in range(draw.draw(st.integers(1, 3))):
        path = draw.draw(st.sampled_from(files))
        path.write_bytes(draw.draw(st.sampled_from(GARBLES))(path.read_bytes(), draw))


@checked(max_examples=60)
@given(data=st.data())
def test_a_garbled_world_is_refused_or_played(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    place = tmp_path_factory.mktemp("garbled")
    world = write_little_world(place)
    garble_file(world, data)
    before = files_in(world)
    code = told("world", "check", str(world))
    shown = told("world", "show", str(world), "--categories")
    played = told("run", "--agent", TRADER, "--world", str(world), "--days", "4", "-q", "--out", str(place / "out"))
    assert code == shown
    assert code == played or (code, played) == (0, 1)
    assert files_in(world) == before
    if code:
        assert not (place / "out").exists()
