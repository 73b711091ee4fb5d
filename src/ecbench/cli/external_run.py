"""The run in which external agents play, begun or continued."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ecbench.cancellation import signals_held
from ecbench.cli.external_options import ExternalTerms
from ecbench.cli.model_terms import brief_and_window, model_terms, provider_options, voice_of
from ecbench.cli.new_run import check_reach, provenance, run_folder, terms_on
from ecbench.cli.options import GameOptions
from ecbench.rules import DEFAULT_SET
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.play.external_sessions import external_run as open_external_run
from ecbench.runs.signatures.keys import SigningKey
from ecbench.runs.signatures.signature import signed_with
from ecbench.runs.terms import SeatTerms, Terms, read_overrides
from ecbench.world.load import load_world
from ecbench.world.model import World

EXTERNAL_AGENT = "visitor"  # the name of an agent that gives none


@dataclass(frozen=True, slots=True)
class ExternalRun:
    """A run whose options have been checked. Nothing is written before `begin` opens its folder."""

    terms: Terms
    world: World
    begin: Callable[[], Run]


def external_run(
    transport: str, out: Path | None, given: ExternalTerms, key: SigningKey | None, *, default_turns: int
) -> ExternalRun:
    """Check the options. A run that was begun keeps its terms; options that differ from them are refused."""
    if out is not None and (out / MANIFEST).exists():
        begun = signed_with(open_run(out), key).with_world_at(given.world)
        world = begun.load_world()
        terms = _changed(begun.terms, transport, given)
    else:
        world = load_world(given.world or "default")
        voice, model = _voice_and_model(given)
        turns, rules = given.max_turns or default_turns, given.rules or DEFAULT_SET
        game = GameOptions(given.days, given.stake, turns, rules, given.settings)
        terms = _changed(terms_on(world, game, given.agent or EXTERNAL_AGENT, voice, model), transport, ExternalTerms())
    check_reach(terms)
    made = provenance(terms.voice)

    def begin() -> Run:
        with signals_held(), run_folder(out, terms.seats[0].agent) as place:
            source = given.world or "default"
            return open_external_run(place, terms, world_source=source, provenance=made, signing_key=key)

    return ExternalRun(terms, world, begin)


def _changed(terms: Terms, transport: str, given: ExternalTerms) -> Terms:
    """The terms with those for which options were given."""
    voice, model = _voice_and_model(given)
    begun = terms.seats[0]
    seat = SeatTerms(given.agent or begun.agent, model or begun.model, transport)
    changes = {
        "days": given.days,
        "stake": given.stake,
        "max_turns": given.max_turns,
        "rule_set": given.rules,
        "rules": read_overrides(given.settings, given.rules or DEFAULT_SET) if given.settings else None,
        "voice": voice if given.supplier_model else None,
    }
    kept: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
    return replace(terms, seats=(seat,), **kept)


def _voice_and_model(given: ExternalTerms) -> tuple[str, dict[str, Any]]:
    """The suppliers' voice, and what the record keeps of models and of the brief."""
    voice = voice_of(given.supplier_model)
    supplier = provider_options("--supplier-", given.provider)
    letters = model_terms(EXTERNAL_AGENT, voice, own={}, supplier=supplier, limits={})
    return voice, letters | brief_and_window(given.brief, None)
