"""The run in which external agents play, begun or continued."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from ecbench.cancellation import signals_held
from ecbench.cli.new_run import check_reach, provenance, run_folder, signing_key, supplier_terms, terms_on, voice_of
from ecbench.cli.options import HostOptions
from ecbench.cli.run_file import RunFile, model_options, read_settings
from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, create_run, open_run
from ecbench.runs.signatures.signature import signed_with
from ecbench.runs.terms import CALLS_A_TURN, MAX_TURNS, SeatTerms, Terms, differing_terms
from ecbench.world.load import load_world
from ecbench.world.model import World

EXTERNAL_AGENT = "visitor"  # the name of an agent that gives none
NOT_OF_HOSTS = ("episodes", "jobs", "executor", "budget", "doctor")  # keys of a run file


@dataclass(frozen=True, slots=True)
class ExternalRun:
    """A run whose options have been checked. Nothing is written before `begin` opens its folder."""

    terms: Terms
    world: World
    begin: Callable[[], Run]


def external_run(transport: str, host: HostOptions) -> ExternalRun:
    """Check the options. A run that was begun keeps its terms; options that differ from them are refused."""
    key, out = signing_key(host.sign), host.out
    given, _ = read_settings(host.game, supplier=host.supplier, agent=host.agent)
    given.refuse("an external agent plays as many episodes as it opens", *NOT_OF_HOSTS)
    source = given.world or "default"
    if not isinstance(source, str):
        raise RunError("an external agent plays on one world; name it as a text")
    if out is not None and (out / MANIFEST).exists():
        begun = signed_with(open_run(out), key).with_world_at(source if given.world else None)
        _refuse_changes(begun, transport, given)
        check_reach(begun.terms)
        return ExternalRun(begun.terms, begun.load_world(), lambda: begun)
    world = load_world(source)
    turns = given.max_turns or MAX_TURNS * (CALLS_A_TURN if transport == "mcp" else 1)
    agent, voice = given.agent or EXTERNAL_AGENT, voice_of(given)
    terms = terms_on(world, replace(given, max_turns=turns), agent, voice, _recorded(given))
    terms = replace(terms, seats=(SeatTerms(agent, _recorded(given), transport),))
    check_reach(terms)
    made = provenance(terms.voice)

    def begin() -> Run:
        with signals_held(), run_folder(out, terms.seats[0].agent) as claimed:
            return create_run(claimed, terms, episodes=1, world_source=source, signing_key=key, **made)

    return ExternalRun(terms, world, begin)


def _refuse_changes(run: Run, transport: str, given: RunFile) -> None:
    """Raise RunError if what is given differs from the terms of the run."""
    begun = run.terms.seats[0]
    seat = SeatTerms(given.agent or begun.agent, _recorded(given) or begun.model, transport)
    changes = {
        "days": given.days,
        "stake": given.stake,
        "max_turns": given.max_turns,
        "rule_set": given.rules,
        "rules": given.set,
        "voice": voice_of(given) if given.supplier else None,
    }
    kept: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
    if differing := differing_terms(run.terms, replace(run.terms, seats=(seat,), **kept)):
        name, stated, wanted = differing
        raise RunError(
            f"{run.folder} was begun with {name} {stated}, not {wanted}; continue under its own terms, or give --out "
            "another folder"
        )


def _recorded(given: RunFile) -> dict[str, Any]:
    """What the record keeps of the suppliers' model and of the brief."""
    own = model_options("model", given.model or {})
    if set(own) - {"brief"}:
        raise RunError(f"model: an external agent takes only a brief, not {', '.join(given.model or {})}")
    return own | supplier_terms(given)
