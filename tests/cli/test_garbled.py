"""Worlds, options and merchants, garbled at random: a known exit code, one line of error, nothing touched or lost."""

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.command import TRADER, files_in
from tests.conftest import write_little_world

from ecbench.cli import main

CODES = (0, 1, 2, 130)
STARTS = ("ecbench: ", "Error: ")
checked = partial(settings, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def command(*arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors; whatever else a command raises fails the test."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as ended:
        main(arguments)
    code = ended.value.code or 0
    assert isinstance(code, int)
    return code, out.getvalue(), err.getvalue()


def told(*arguments: str) -> tuple[int, str]:
    """Exit code and output of a command that says in one line what is wrong, if anything is."""
    code, out, err = command(*arguments)
    assert code in CODES
    assert "Traceback" not in out + err
    lines = [line for line in err.split("\n") if line.startswith(STARTS)]
    assert len(lines) == (1 if code else 0), err
    assert not any(character in err + out for character in "\x1b\x07\x00\x9b")
    return code, out


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
    code, _ = told("world", "check", str(world))
    shown, _ = told("world", "show", str(world), "--categories")
    played, _ = told("run", "--agent", TRADER, "--world", str(world), "--days", "4", "-q", "--out", str(place / "out"))
    assert code == shown
    assert code == played or (code, played) == (0, 1)
    assert files_in(world) == before
    if code:
        assert not (place / "out").exists()


# Merchants

YIELDS = (
    *("None", "[]", "()", "[None]", "[{}]", "{}", "7", "'wait'", "b'x'", "range(3)", "iter([])", "object()", "schemas"),
    *("[WAIT]", "[WAIT] * 3", "[WAIT] * 20_000", "[dict(WAIT, more=object())]"),
    *("[{'name': 10**400}]", "[{'name': [1]}]"),
    *("[{'name': 'x' * 10**6}]", "[{'name': '\\ud800[/red]\\x1b'}]", "[{1: 2}]", "[call(float('nan'))]"),
    *("[call(nest(50))]", "[call(nest(99))]", "[call(nest(500))]", "[call(nest(10**5))]", "[call({NAN: 1})]"),
    *("[call(10**400)]", "[call(10**5_000)]", "[call({1, 2})]", "[call(Unspeakable())]", "Unspeakable()"),
    *("[{'name': 'open_store', 'arguments': {'store_type': 'tea', 'store_name': '[/x]\\x1b[31m\\ud800'}}]",),
    *("[{'name': 'operate_memory', 'arguments': {'action': 'add', 'title': '\\u2028', 'content': 'x' * 10**6}}]",),
    *("[{'name': 'chatbox', 'arguments': {'uid': 'a@b', 'content': '```negotiate' + '[' * 10**5}}]",),
)
STATEMENTS = (
    *("return", "raise SystemExit", "raise SystemExit('[/red]')", "raise KeyboardInterrupt", "raise GeneratorExit"),
    *("raise StopIteration", "raise BaseException", "raise RecursionError", "raise MemoryError", "1 / 0"),
    *("raise ValueError('[/red]\\x1b[31m\\ud800\\n' * 1000)", "raise Unspeakable", "nest(10**5).missing", "exit(3)"),
    *("schemas.clear()", "schemas.append(schemas)", "self.play = None", "assert not schemas, Unspeakable()"),
    *("self.play(schemas).throw(KeyboardInterrupt)", "import sys; sys.exit(130)", "print('[/x]')"),
)
PROGRAM = """
NAN = float("nan")
WAIT = {{"name": "wait_for_next_day", "arguments": {{}}}}

class Unspeakable(Exception):
    def __repr__(self):
        raise SystemExit("unspeakable")
    __str__ = __repr__

def nest(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value

def call(value):
    return {{"name": "check_balance", "arguments": {{"value": value}}}}

class Merchant:
    def play(self, schemas):
        yield [WAIT]
        {body}
"""
bodies = st.lists(
    st.sampled_from([f"yield {value}" for value in YIELDS]) | st.sampled_from(STATEMENTS), min_size=1, max_size=4
)


@checked(max_examples=60)
@given(body=bodies, lead=st.sampled_from(["", "", "", "raise SystemExit(3)", "1 / 0", "import nothing", "(", "\x00"]))
def test_whatever_a_merchant_does_its_score_is_the_one_that_its_record_gives(
    tmp_path_factory: pytest.TempPathFactory, body: list[str], lead: str
) -> None:
    place = tmp_path_factory.mktemp("merchant")
    merchant, world, out = place / "merchant.py", write_little_world(place), str(place / "out")
    merchant.write_text(lead + PROGRAM.format(body="\n        ".join(body)))
    code, _ = told("run", "--agent", f"{merchant}:Merchant", "--world", str(world), "--days", "9", "-q", "--out", out)
    assert Path(out).exists() == (code != 2)
    if Path(out).exists():
        proof = json.loads(command("verify", out, "--json")[1])
        [facts] = proof["episodes"]
        metrics: dict[str, Any] = json.loads(Path(out, "episodes/0/metrics.json").read_bytes())["seats"][0]
        assert proof["differences"] == [] and proof["holds"] == (code != 1)
        assert metrics["score"]["final_assets"] == round(facts["final_assets"], 2)
        assert (metrics["run"]["ending"] == "stopped") == (code == 1)
