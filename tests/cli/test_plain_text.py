"""Data is data: nothing that a world, a merchant or a path says is taken for markup or obeyed by a terminal."""

import ast
import json
import re
from pathlib import Path

import pytest
from tests.cli.command import WAITS, Cli, write_merchant

import ecbench
from ecbench.cli.terminal import harmless, say_json

SOURCE = Path(ecbench.__file__).parent
OBEYED = "\x1b[31m \x9b2J \x07 \x7f \r \u202e \u2066 \u2028 \ud83d"
SHOWN = r"\u001b[31m \u009b2J \u0007 \u007f \u000d \u202e \u2066 \u2028 \ud83d"


@pytest.fixture(params=("[/x]", ":smile:", "\\[x]"))
def odd_world(request: pytest.FixtureRequest, small_world: Path) -> tuple[str, Path]:
    """Every name in it is odd."""
    name: str = request.param
    quoted = json.dumps(name)[1:-1]
    settings = small_world / "world.toml"
    text = settings.read_text()
    for plain in ("corner shop", "Tea & Coffee", "Dock Strike", "Spring Week", "Kettles", "pots"):
        text = text.replace(f'"{plain}"', f'"{quoted} {plain}"').replace("pots = 0.25", f'"{quoted} pots" = 0.25')
    settings.write_text(text)
    for file in ("categories.csv", "products.csv", "suppliers.csv"):
        path = small_world / file
        text = re.sub(r"\b(Kettles|pots|Tin Works|Tin Kettle)\b", lambda found: f"{name} {found[0]}", path.read_text())
        path.write_text(text)
    return name, small_world


def test_terminal_control_characters_are_escaped() -> None:
    assert harmless(OBEYED) == SHOWN
    assert harmless("¥1,000 – 茶\tone\ntwo [/x]") == "¥1,000 – 茶\tone\ntwo [/x]"


def test_escapes_in_json_mean_the_characters_they_stand_for(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"name": OBEYED})
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\u202e" not in printed
    assert json.loads(printed) == {"name": OBEYED}


@pytest.mark.parametrize("terminal", [False, True])
def test_a_world_may_be_called_anything(
    cli: Cli, odd_world: tuple[str, Path], terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, folder = odd_world
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    checked = cli("world", "check", str(folder))
    assert (checked.code, checked.err) == (0, "")
    assert f"{name} corner shop is a valid world" in checked.out
    shown = cli("world", "show", str(folder), "--categories")
    assert shown.code == 0
    for plain in ("corner shop", "Tea & Coffee", "Dock Strike", "Spring Week", "Kettles"):
        assert name in shown.out and plain.split()[-1] in shown.out
    played = cli("run", "--world", str(folder), "--agent", "idle", "--days", "3", "--out", "out")
    assert (played.code, played.err) == (0, "")
    assert name in played.out


@pytest.mark.parametrize("terminal", [False, True])
def test_a_merchant_may_have_any_name_and_say_anything(
    cli: Cli, small_world: Path, terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    write_merchant("[bold].py", WAITS, r'raise ValueError("[/red] \x1b[31m \ud83d\n[bold]two lines")')
    failed = cli("run", "--agent", "[bold].py:Mine", "--world", str(small_world), "--out", "out")
    assert failed.code == 1
    assert r"ValueError: [/red] \u001b[31m \ud83d [bold]two lines ([bold].py, line 4), in turn 2" in failed.err
    assert "ecbench: episode 0, day 1: the merchant failed" in failed.err
    assert "\x1b[31m" not in failed.out + failed.err
    again = cli("show", "out", "--by", "day")
    assert again.code == 0 and "[/red]" in re.sub(r"\s+", " ", again.out)
    assert cli("show", "out").text.count("merchant failed") == 1


def test_an_error_shows_brackets_and_escapes_as_they_are(cli: Cli) -> None:
    refused = cli("run", "--world", "[/red]\x1b[31m")
    assert refused.code == 2
    assert refused.err.startswith(r"ecbench: no world at '[/red]\x1b[31m'")


def test_no_other_module_prints() -> None:
    ways = {("typer", "echo"), ("typer", "secho"), ("click", "echo"), ("sys", "stdout"), ("sys", "stderr")}
    for path in [*SOURCE.glob("cli/**/*.py"), *SOURCE.glob("pages/report/*.py")]:
        if path.name in ("terminal.py", "program.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in ways, f"{path.name} line {node.lineno}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "Console"), f"{path.name} line {node.lineno}"
