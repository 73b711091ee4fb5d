"""What a new run needs before it begins: its terms, its folder, where it comes from, and models that answer."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import structs

from ecbench.cancellation import signals_held
from ecbench.cli.model_costs import announce_estimate, check_limits
from ecbench.cli.options import HostOptions, Playing, SeatServer
from ecbench.cli.play import check_seat_server, play_run
from ecbench.cli.run_file import RunFile, model_options, read_limits, read_settings, table_of
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.harness.context import ContextPolicy
from ecbench.harness.settings import package_versions
from ecbench.house_rules import read_policy
from ecbench.rules import DEFAULT_SET
from ecbench.runs.folder import MANIFEST, Run, create_run, free_folder, open_run, refuse_used
from ecbench.runs.manifest import StoppingPlan
from ecbench.runs.play.agents import (
    canonical_name,
    is_model,
    short_name,
    transport_of,
)
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.play_here import choose_executor
from ecbench.runs.signatures.keys import SigningKey, read_signing_key
from ecbench.runs.signatures.signature import signed_with
from ecbench.runs.terms import (
    CALLS_A_TURN,
    MAX_TURNS,
    SeatTerms,
    Terms,
    WorldRef,
    differing_terms,
    read_worlds,
    worlds_at,
)
from ecbench.world.load import load_world
from ecbench.world.model import World

LONGEST_NAME = 60  # characters of an agent's name in that of a folder
EXTERNAL_AGENT = "visitor"  # the name of an agent that gives none
TEMPLATE = "template"  # the voice of suppliers without a model

_OWN_MODULE = re.compile(r"[\w.]+:\w+")
_ADDRESS = re.compile(r'"([^"]*://[^"]*)"')


Create = Callable[..., Run]
"""Makes a run in a folder, with its provenance, signing key and budget."""


def on_worlds(worlds: Sequence[WorldRef], terms: Terms, episodes: int, plan: StoppingPlan | None = None) -> Create:
    """Makes a run whose episodes take turns on the worlds, to the end or until a plan stops them."""
    first, *others = worlds
    return partial(create_run, terms=terms, episodes=episodes, world_source=first.source, others=others, stopping=plan)


def new_terms(
    given: RunFile, agents: Sequence[str], *, transport: str = "", most: int | None = None
) -> tuple[Terms, World, list[WorldRef]]:
    """The terms with these agents at the seats, the first world, and all worlds, at most `most`.

    What is left open is the world's or the rules'. Raises RunError if the settings do not fit together.
    """
    voice = voice_of(given) if given.supplier else TEMPLATE
    models, worlds = model_terms(agents, given, transport), _worlds_of(given, most)
    world = load_world(worlds[0].source)
    try:
        policy = read_policy(given.policy).to_json() if isinstance(given.policy, str) else given.policy or {}
        terms = Terms.alone(
            world,
            agent=agents[0],
            days=given.days,
            stake=given.stake,
            max_turns=given.max_turns or MAX_TURNS,
            voice=voice,
            rule_set=given.rules or DEFAULT_SET,
            rules=given.set,
            policy=policy,
            brief_style=given.brief_style,
        )
    except (ValueError, OSError) as problem:
        raise RunError(f"--policy {given.policy}: {problem}" if given.policy else str(problem)) from problem
    seats = (SeatTerms(agent, model, transport or transport_of(agent)) for agent, model in zip(agents, models))
    return structs.replace(terms, seats=tuple(seats)), world, worlds


def _worlds_of(given: RunFile, most: int | None) -> list[WorldRef]:
    """Raises RunError if one is not the world of the run to repeat."""
    named = "default" if given.world is None else given.world
    sources = list(named) if isinstance(named, list) else [named] if Path(named).is_dir() else read_worlds(named)
    if not sources:
        raise RunError("world: the list is empty; name at least one world, or leave it out")
    worlds = worlds_at(sources[:most], given.days)
    for world, known in zip(worlds, given.world_ids or ()):
        if world.id != known:
            raise RunError(f"the world at {world.source} is not the one of that run any more; give --world")
    return worlds


def voice_of(given: RunFile) -> str:
    """The model that writes the suppliers' letters. Raises RunError for options of one that is not named."""
    name = given.supplier.get("model")
    if name is None:
        named = ", ".join(given.supplier)
        raise RunError(f"--supplier-M {named}: only a suppliers' model takes this; name --supplier-model")
    if not is_model(str(name)):
        raise RunError(f"--supplier-model {name}: a model is named provider/model")
    return str(name)


def model_terms(agents: Sequence[str], given: RunFile, transport: str = "") -> list[dict[str, Any]]:
    """As the run records it for each agent: the options of its model, and under `supplier` those of the suppliers'.

    The window is recorded even where it is the default. Raises RunError for options that have no effect.
    """
    own, named = model_options("-M", given.model) if given.model else {}, ", ".join(given.model)
    if transport and set(own) - {"brief"}:
        raise RunError(f"-M {named}: an external agent takes only a brief")
    played = list(map(is_model, agents))
    if own and not (transport or any(played)):
        raise RunError(
            f"-M {named}: only a model takes this, and {agents[0]} is a merchant; name a model as provider/model"
        )
    window = {} if transport else {"window": ContextPolicy().to_json()}
    options = {key: value for key, value in given.supplier.items() if key != "model"}
    supplier = {"supplier": model_options("--supplier-M", options)} if options else {}
    return [(window | own if is_model or transport else {}) | supplier for is_model in played]


def begin(
    terms: Terms,
    episodes: int,
    create: Create,
    given: RunFile,
    playing: Playing,
    out: Path | None,
    *,
    first_day: int = 0,
    label: Mapping[str, str] | None = None,
    server: SeatServer | None = None,
) -> None:
    """Make the folder of a run and play it; nothing is written before every option has been checked.

    `first_day` is that of a fork; `label` names the protocol and the preset for `run.json`.
    """
    key, jobs, limits = signing_key(playing.sign), given.jobs, None
    if playing.budget or given.budget:
        limits = read_limits(playing.budget).over(given.budget)
        check_limits(limits, terms)
    executor = choose_executor(given.executor, terms, jobs, episodes)
    if server is not None:
        check_seat_server(terms, server, jobs)
    doctor = given.doctor and not playing.no_doctor
    facts: dict[str, Any] = {}
    if terms.asks_model:
        if out is not None:
            refuse_used(out)  # before a request is sent
        seconds = check_reach(terms, doctor=doctor, silent=playing.output.silent)
        facts = announce_estimate(terms, [max(1, terms.days - first_day)] * episodes, playing.output, seconds)
    made = provenance(*(seat.agent for seat in terms.seats), terms.voice) | dict(label or {})
    name = "arena" if terms.shared else short_name(terms.seats[0].agent)
    with signals_held(), run_folder(out, name) as folder:
        run = create(folder, signing_key=key, budget=limits and limits.lasting, **made)
    budget = Budget(limits) if limits and limits.flags else None
    play_run(run, range(episodes), executor, playing, jobs, server=server, budget=budget, facts=facts)


def external_run(transport: str, host: HostOptions) -> tuple[Terms, World, Callable[[], Run]]:
    """Check the options, also against a run that was begun; only the third of what is returned writes anything."""
    key, out, begun = signing_key(host.sign), host.out, None
    earlier = {"agent": EXTERNAL_AGENT}
    if out is not None and (out / MANIFEST).exists():
        begun = signed_with(open_run(out), key).with_world_at(host.game.world)
        begun.load_world()  # its id is the recorded one
        earlier = table_of(begun.manifest)
    given, _ = read_settings(
        host.game,
        supplier=host.supplier,
        agent=host.agent,
        refused=("episodes", "jobs", "executor", "budget", "doctor"),
        why="an external agent plays as many episodes as it opens",
        earlier=earlier,
    )
    turns = given.max_turns or MAX_TURNS * (CALLS_A_TURN if transport == "mcp" else 1)
    given = structs.replace(given, max_turns=turns)
    terms, world, (source, *others) = new_terms(given, [str(given.agent)], transport=transport)
    if others:
        raise RunError("an external agent plays on one world; name one")
    if begun is not None and (differing := differing_terms(begun.terms, terms)):
        name, stated, wanted = differing
        advice = "continue under its own terms, or give --out another folder"
        raise RunError(f"{out} was begun with {name} {stated}, not {wanted}; {advice}")
    check_reach(terms)
    made = provenance(terms.voice)

    def begin() -> Run:
        if begun is not None:
            return begun
        with signals_held(), run_folder(out, terms.seats[0].agent) as claimed:
            return create_run(claimed, terms, episodes=1, world_source=source.source, signing_key=key, **made)

    return terms, world, begin


def signing_key(path: Path | None) -> SigningKey | None:
    """The key that --sign names. Raises RunError if it cannot be read, or lies where runs are handed on."""
    if path is None:
        return None
    refuse_in_run(path)
    return read_signing_key(path)


def refuse_in_run(path: Path) -> None:
    """Raise RunError for a key in a run folder."""
    for folder in path.absolute().parents:
        if (folder / MANIFEST).exists():
            raise RunError(f"{path} lies in the run {folder}, and a run is handed on; keep the key in another folder")


def known_agents(*names: str, at_seats: bool = False) -> list[str]:
    """The lasting names of agents, merchants of the current folder included. Raises RunError if there is none."""
    find_own_modules(*names)
    return [canonical_name(name, at_seat=at_seats) for name in names]


def find_own_modules(*names: str) -> None:
    """Put the current folder last on the import path if one of these agents is a `module:Class`.

    Last, and only then: a received folder may contain a `rich.py`, and no command may run it.
    """
    try:
        here = str(Path.cwd())
    except FileNotFoundError as error:
        raise RunError("the current folder was deleted; run the command in another one") from error
    own = any(_OWN_MODULE.fullmatch(name) and not transport_of(name) for name in names)
    if own and here not in sys.path:
        sys.path.append(here)


def provenance(*players: str) -> dict[str, Any]:
    """When, from which commit and through which packages a run is made. The layers below have no clock."""
    models = any(map(is_model, players))
    made = {"created": datetime.now().astimezone().isoformat(timespec="seconds"), "git_commit": _git_commit()}
    return made | {"packages": package_versions()} if models else made


@contextmanager
def run_folder(out: Path | None, agent: str) -> Iterator[Path]:
    """The folder that was given, or a new one under `runs`, which is removed if no run is made in it."""
    name = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in agent).strip("-.")
    folder = out or free_folder(Path("runs"), f"{datetime.now():%Y%m%d-%H%M%S}_{name[:LONGEST_NAME]}")
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
    if terms.asks_model:
        models = import_module("ecbench.runs.play.models")  # which loads the providers' library, for seconds
        found = models.diagnose_models(terms, ask=doctor)
        for diagnosis in found:
            if diagnosis.fit and not silent:
                checks = [each for each in diagnosis.checks if each.check in ("tool call", "window")]
                seen = [f"{diagnosis.seconds_a_turn:.1f} s a turn", *(f"{each.check}: {each.text}" for each in checks)]
                say(f"Checked {diagnosis.model}: {'; '.join(seen)}")
            for each in diagnosis.checks:
                if each.verdict != "ok" and each.remedy:
                    say(f"ecbench: warning: {diagnosis.model}: {each.check}: {each}", err=True)
        agents = [each.seconds_a_turn for each in found if each.seconds_a_turn and each.model != terms.voice]
        return sum(agents) / len(agents) if agents else 0.0
    return 0.0


def name_addresses(terms: Terms, folder: Path, *, replaced: int | None = None) -> None:
    """Say where requests will go whose address comes from a run folder: they carry the user's keys.

    `replaced` is the seat for which the user gives the model.
    """
    asked = [(seat.agent, seat.model) for n, seat in enumerate(terms.seats) if seat.asks_model and n != replaced]
    if terms.model_voice:
        asked.append((terms.voice, terms.supplier_options))
    for name, options in asked:
        stated = json.dumps([options.get("base_url"), options.get("model_args")])
        for address in _ADDRESS.findall(stated):
            note = f"{folder}: its run.json sends the requests to {name}, with your key, to {address}"
            say(f"ecbench: note: {note}", err=True)


def _git_commit() -> str | None:
    root = Path(__file__).resolve().parents[3]
    if not (root / ".git").exists():
        return None
    try:
        command = ["git", "-C", str(root), "rev-parse", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
