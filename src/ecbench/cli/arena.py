"""ecbench arena: several agents in one market."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.arena_host import (
    Outside,
    SeatBindOption,
    SeatPortOption,
    SeatTokenOption,
    refuse_address,
    refuse_tokens,
)
from ecbench.cli.host import USUAL_PORT
from ecbench.cli.model_options import (
    AttemptSecondsOption,
    BaseUrlOption,
    BriefOption,
    EffortOption,
    ExtraBodyOption,
    GiveUpSecondsOption,
    ModelArgOption,
    PriceOption,
    WindowOption,
)
from ecbench.cli.run import DaysOption, MaxTurnsOption, RuleOption, RuleSetOption, StakeOption
from ecbench.cli.run_episodes import JobsOption, JsonOption, OutOption, QuietOption, new_folder
from ecbench.ranges import EPISODES, SEATS, SECONDS
from ecbench.rules import DEFAULT_SET

if TYPE_CHECKING:
    from pathlib import Path

    from ecbench.runs.arena.folder import ArenaRun
    from ecbench.runs.arena.terms import ArenaTerms

SeatsOption = Annotated[
    str,
    typer.Option(
        "--seats",
        metavar="AGENT,AGENT,...",
        help="Who plays: merchants of `ecbench agents`, file.py:Class, provider/model; or http, mcp and person, whose "
        "turns come from outside, with a name if you like (http:my-agent). Names may repeat.",
    ),
]
RoundsOption = Annotated[
    int,
    typer.Option(
        "--rounds",
        metavar="N",
        min=EPISODES.least,
        max=EPISODES.most,
        help="Years to play; after each, everybody moves on by one seat.",
    ),
]
WorldsOption = Annotated[
    str,
    typer.Option("--worlds", metavar="LIST", help="Worlds by round, such as 1-5 (seeds of fresh ones) or default."),
]


TurnSecondsOption = Annotated[
    int | None,
    typer.Option(
        "--turn-seconds",
        metavar="N",
        min=SECONDS.least,
        max=SECONDS.most,
        help="In an arena, a seat that keeps the others waiting longer for one turn leaves. [default: no limit]",
    ),
]


NoSupplierModel = Annotated[str | None, typer.Option("--supplier-model", hidden=True)]
"""Known from other commands, so whoever gives it here is told why not."""


def arena(
    seats: SeatsOption,
    rounds: RoundsOption = 1,
    worlds: WorldsOption = "default",
    jobs: JobsOption = 1,
    days: DaysOption = None,
    stake: StakeOption = None,
    max_turns: MaxTurnsOption = 4_000,
    turn_seconds: TurnSecondsOption = None,
    out: OutOption = None,
    rules: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    model_arg: ModelArgOption = None,
    base_url: BaseUrlOption = None,
    effort: EffortOption = None,
    extra_body: ExtraBodyOption = None,
    price: PriceOption = None,
    brief: BriefOption = None,
    window: WindowOption = None,
    attempt_seconds: AttemptSecondsOption = None,
    give_up_seconds: GiveUpSecondsOption = None,
    port: SeatPortOption = USUAL_PORT,
    bind: SeatBindOption = "127.0.0.1",
    token: SeatTokenOption = None,
    supplier_model: NoSupplierModel = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Let several agents trade in one market, and rank them.

    They compete for the same customers, share the suppliers' order limits and see of each other only what a market
    shows. `ecbench resume`, `replay --verify` and `fork --seat` work on the folder. Model options apply to every model.
    Ctrl-C stops after the current turn.

    For each seat that is played from outside, one line of JSON tells the address and the token. The market waits for
    its turns.

    Exit codes: 0 every round was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.arena_runs import play_arena, refuse_jobs
    from ecbench.cli.model_terms import harness_options, patience, provider_options
    from ecbench.cli.run_episodes import find_own_modules

    find_own_modules()
    _refuse_letters(supplier_model)
    agents = _agents(seats)
    refuse_jobs(agents, jobs)
    refuse_tokens(agents, token or ())
    own = provider_options("--", model_arg, base_url, effort, extra_body, price) | harness_options(brief, window)
    models = _model_options(agents, own, patience(attempt_seconds, give_up_seconds))
    terms = _terms(agents, rounds, worlds, days, stake, max_turns, rules, settings, models, turn_seconds)
    outside = Outside(port, bind, token or ())
    refuse_address(agents, outside)
    begun = _begin(terms, out, as_json=as_json)
    play_arena(begun, outside, jobs=jobs, quiet=quiet, as_json=as_json)


def _refuse_letters(supplier_model: str | None) -> None:
    from ecbench.runs.errors import RunError

    if supplier_model is not None:
        raise RunError(
            "--supplier-model: in an arena suppliers write from templates; a model writes their letters in a year "
            "alone, with ecbench run"
        )


def _begin(terms: "ArenaTerms", out: "Path | None", *, as_json: bool) -> "ArenaRun":
    """The new arena's folder; nothing is written before all that can be wrong has been said."""
    from ecbench.cli.arena_runs import reach_models
    from ecbench.cli.plain_text import say
    from ecbench.cli.run_episodes import provenance
    from ecbench.runs.arena.folder import create_arena
    from ecbench.runs.folder import refuse_used
    from ecbench.runs.play.cancellation import signals_held

    if len(set(terms.agents)) < terms.seats and not as_json:
        say(f"Some sit at several seats: {', '.join(terms.labels)}")
    if out is not None:
        refuse_used(out)
    reach_models(terms)
    made = provenance(*terms.agents)
    with signals_held():
        return create_arena(out or new_folder("arena"), terms, made)


def _agents(seats: str) -> tuple[str, ...]:
    from ecbench.runs.arena.seat_names import lasting_seat_name
    from ecbench.runs.errors import RunError

    names = [name.strip() for name in seats.split(",")]
    if not all(names):
        raise RunError(f"--seats {seats!r}: name an agent for each seat, such as steady,haggler")
    if len(names) not in SEATS:
        raise RunError(f"--seats: {len(names)} seats; there can be {SEATS.bounds}")
    return tuple(map(lasting_seat_name, names))


def _model_options(agents: Sequence[str], own: dict[str, Any], waits: dict[str, Any]) -> dict[str, Mapping[str, Any]]:
    from ecbench.cli.model_terms import model_terms
    from ecbench.runs.errors import RunError
    from ecbench.runs.play.agents import is_model

    models = [agent for agent in dict.fromkeys(agents) if is_model(agent)]
    if (own or waits) and not models:
        raise RunError(
            "options about models were given, but no model has a seat; name one as provider/model in --seats"
        )
    return {agent: model_terms(agent, "template", own=own, supplier={}, waits=waits) for agent in models}


def _terms(
    agents: tuple[str, ...],
    rounds: int,
    worlds: str,
    days: int | None,
    stake: float | None,
    max_turns: int,
    rule_set: str,
    settings: Sequence[str] | None,
    models: Mapping[str, Mapping[str, Any]],
    turn_seconds: int | None,
) -> "ArenaTerms":
    from ecbench.runs.arena.terms import ArenaTerms
    from ecbench.runs.rule_overrides import read_overrides, rules_with
    from ecbench.runs.run_worlds import read_worlds, sites_at
    from ecbench.world.load import load_world

    sources = read_worlds(worlds)
    sites_at(sources[:rounds], days)
    overrides = read_overrides(settings or [], rule_set)
    return ArenaTerms(
        agents=agents,
        rounds=rounds,
        worlds=tuple(sources),
        days=load_world(sources[0]).days if days is None else days,
        stake=rules_with(overrides, rule_set).stake if stake is None else stake,
        max_turns=max_turns,
        rule_set=rule_set,
        rules=overrides,
        models=models,
        turn_seconds=turn_seconds,
    )
