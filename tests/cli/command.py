"""A command of the program, run in this process."""

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
    """The message of a command that is refused: exit code 2, and nothing but the message."""
    refused = cli(*arguments)
    assert (refused.code, refused.out) == (2, "")
    return refused.err
