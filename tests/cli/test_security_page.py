"""docs/security.md names commands, options, modules and scripts that exist."""

import re
from importlib.util import find_spec
from pathlib import Path

from tests.cli.command import Cli

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
CODE = [" ".join(found.split()) for found in re.findall(r"`([^`]+)`", PAGE)]
COMMANDS = sorted({found for found in CODE if re.match(r"ecbench [a-z]", found)})


def test_the_page_names_commands_options_scripts_and_modules_that_exist(cli: Cli) -> None:
    assert len(COMMANDS) >= 5
    for command in COMMANDS:
        done = cli(command.split()[1], "--help")
        assert done.code == 0
        assert all(option in done.out for option in re.findall(r"--[a-z-]+", command)), command
    for found in CODE:
        if script := re.match(r"python (benchmarks/\w+\.py)", found):
            assert (ROOT / script[1]).exists(), found
        if re.fullmatch(r"ecbench(\.\w+)+", found):
            assert find_spec(found), found
