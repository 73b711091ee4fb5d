"""A command of the program, run in this process."""

import json
from collections.abc import Callable

import pytest

from ecbench.cli import main


class Command:
    """What a command printed, and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        self.code = ended.value.code or 0
        self.out, self.err = capsys.readouterr()
        assert "--traceback" in arguments or "Traceback" not in self.err

    @property
    def text(self) -> str:
        """What it printed, with single spaces."""
        return " ".join(self.out.split())


Cli = Callable[..., Command]


def refusal(cli: Cli, *arguments: str) -> str:
    """The message of a command that is refused: exit code 2, and nothing but the message, with --json as an object."""
    refused = cli(*arguments)
    assert refused.code == 2
    if "--json" in arguments:
        assert json.loads(refused.out)["error"] in refused.err
    else:
        assert not refused.out
    return refused.err
