"""What a new run needs before it begins: its terms, its folder, where it comes from, and models that answer."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from ecbench.cli.options import GameOptions
from ecbench.cli.plain_text import say
from ecbench.errors import RunError
from ecbench.harness.package_versions import package_versions
from ecbench.runs.folder import free_folder
from ecbench.runs.play.agents import ModelAgent, canonical_name, parse_agent, transport_of
from ecbench.runs.terms import Terms, read_overrides
from ecbench.world.model import World

LONGEST_NAME = 60  # characters of an agent's name in that of a folder


_OWN_MODULE = re.compile(r"[\w.]+:\w+")


def find_own_modules(*names: str) -> None:
    """Put the current folder last on the import path if one of these agents is a `module:Class`.

    Last, and only then: a received folder may hold a `rich.py`, and no command may run it.
    """
    try:
        here = str(Path.cwd())
    except FileNotFoundError as error:
        raise RunError("the current folder was deleted; run the command in another one") from error
    own = any(_OWN_MODULE.fullmatch(name) and not transport_of(name) for name in names)
    if own and here not in sys.path:
        sys.path.append(here)


def terms_on(world: World, game: GameOptions, agent: str, voice: str, model: Mapping[str, Any]) -> Terms:
    """The terms of the episodes; what the options leave open is the world's or the rules'."""
    return Terms.alone(
        world,
        agent=agent,
        days=game.days,
        stake=game.stake,
        max_turns=game.max_turns,
        voice=voice,
        rule_set=game.rules,
        rules=read_overrides(game.settings or [], game.rules),
        model=model,
    )


def provenance(*players: str) -> dict[str, Any]:
    """When, from which commit and through which packages a run is made. The layers below have no clock."""
    models = [name for name in players if isinstance(parse_agent(name), ModelAgent)]
    made = {"created": datetime.now().astimezone().isoformat(timespec="seconds"), "git_commit": _git_commit()}
    return made | {"packages": package_versions(*models)} if models else made


def new_folder(agent: str) -> Path:
    """Make a folder under `runs` that no other run has, even one that starts in the same second."""
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in agent).strip("-.")
    return free_folder(Path("runs"), f"{datetime.now():%Y%m%d-%H%M%S}_{name[:LONGEST_NAME]}")


@contextmanager
def run_folder(out: Path | None, agent: str) -> Iterator[Path]:
    """The folder that was given, or a new one, which is removed if no run is made in it."""
    folder = out or new_folder(agent)
    try:
        yield folder
    except BaseException:
        if out is None:
            with suppress(OSError):
                folder.rmdir()
        raise


def check_reach(terms: Terms, *, doctor: bool = True, silent: bool = True) -> float:
    """Check that the models of a run can play, before anything is written; raises RunError with what to set.

    Without `doctor` no request is sent. Only problems are printed if `silent`. Returns the seconds that an agent's turn
    takes, 0 if they are not known.
    """
    if terms.model_voice:
        canonical_name(terms.voice)
    if doctor and (terms.model_voice or any(seat.asks_model for seat in terms.seats)):
        models = import_module("ecbench.runs.play.models")  # which loads the providers' library, for seconds
        found = models.diagnose_models(terms)
        for diagnosis in found:
            if diagnosis.fit and not silent:
                say(f"Checked {diagnosis.summary()}")
            for finding in diagnosis.warnings():
                say(f"ecbench: warning: {diagnosis.model}: {finding.check}: {finding}", err=True)
        agents = [each for each in found if each.answers and each.model != terms.voice]
        return sum(each.seconds / each.answers for each in agents) / len(agents) if agents else 0.0
    return 0.0


def name_addresses(terms: Terms, folder: Path, *, replaced: int | None = None) -> None:
    """Say where requests will go whose address comes from a run folder: they carry the user's keys.

    `replaced` is the seat for which the user gives the model.
    """
    asked = [
        (seat.agent, seat.model) for number, seat in enumerate(terms.seats) if seat.asks_model and number != replaced
    ]
    if terms.model_voice:
        asked.append((terms.voice, terms.supplier_options))
    for name, options in asked:
        for address in _addresses([options.get("base_url"), options.get("model_args")]):
            place = f"{folder}: its run.json sends the requests to {name}, with your key, to {address}"
            say(f"ecbench: note: {place}", err=True)


def _addresses(options: object) -> Iterator[str]:
    if isinstance(options, str) and "://" in options:
        yield options
    elif isinstance(options, Mapping | list):
        for value in options.values() if isinstance(options, Mapping) else options:
            yield from _addresses(value)


def _git_commit() -> str | None:
    """The commit of the checkout that the code runs from; None where it is installed."""
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return None
    try:
        command = ["git", "-C", str(root), "rev-parse", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
