"""A command of the program, run in this process."""

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
