"""A command of the program, run in this process."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.harness.provider import MODEL, Provider, Turn

from ecbench.cli import main
from ecbench.runs.folder import world_of

NAME = f"openai-api/loopback/{MODEL}"
TRADER = f"{Path(__file__).parents[2] / 'examples' / 'my_merchant.py'}:MyMerchant"
WAIT: tuple[tuple[str, dict[str, Any]], ...] = (("wait_for_next_day", {}),)


class Command:
    """What a command printed, and its exit code."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        world_of.cache_clear()  # a new process has read no world
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        self.code = ended.value.code or 0
        self.out, self.err = capsys.readouterr()
        assert "--traceback" in arguments or "Traceback" not in self.err

    def __iter__(self) -> Iterator[Any]:
        return iter((self.code, self.out, self.err))

    @property
    def text(self) -> str:
        """What it printed, with single spaces."""
        return " ".join(self.out.split())

    @property
    def json(self) -> Any:
        """The object that it printed."""
        return json.loads(self.out)


Cli = Callable[..., Command]


def complete(*arguments: str) -> None:
    """Run a command that must succeed, for a fixture that several tests share."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert not ended.value.code


def refusal(cli: Cli, *arguments: str) -> str:
    """The message of a command that is refused: exit code 2, and nothing but the message, with --json as an object."""
    refused = cli(*arguments)
    assert refused.code == 2
    if "--json" in arguments:
        assert json.loads(refused.out)["error"] in refused.err
    else:
        assert not refused.out
    return refused.err


def waiting(_request: dict[str, Any]) -> Turn:
    """A model that lets every day pass."""
    return Turn("On with it.", WAIT)


def agent(provider: Provider, name: str = NAME) -> tuple[str, ...]:
    """The options that let a model of the provider play."""
    return ("--agent", name, "-M", f"base_url={provider.url}")


def turns_so_far(request: dict[str, Any]) -> int:
    return sum(message["role"] == "assistant" for message in request["messages"])


WAITS = "yield [{'name': 'wait_for_next_day', 'arguments': {}}]"


def write_merchant(path: Path | str, *play: str, above: str = "") -> None:
    """A file with the merchant `Mine`, whose play are these lines."""
    body = "".join(f"        {line}\n" for line in play)
    Path(path).write_text(f"{above}class Mine:\n    def play(self, schemas):\n{body}", encoding="utf-8")


def files_in(folder: Path | str) -> dict[Path, bytes]:
    """Every file but those in which Python keeps what it has compiled."""
    paths = (path for path in sorted(Path(folder).rglob("*")) if "__pycache__" not in path.parts)
    return {path: path.read_bytes() for path in paths if path.is_file()}


def manifest(folder: str = "out") -> dict[str, Any]:
    """What a run states about itself."""
    stated: dict[str, Any] = json.loads(Path(folder, "run.json").read_text(encoding="utf-8"))
    return stated
