"""ecbench suite: the seasons that leaderboards use, and how to play one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.model_options import (
    AttemptSecondsOption,
    BaseUrlOption,
    EffortOption,
    ExtraBodyOption,
    GiveUpSecondsOption,
    ModelArgOption,
    PriceOption,
)
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.run import DEFAULT_AGENT, AgentOption
from ecbench.cli.run_episodes import ExecutorOption, JobsOption, JsonOption, OutOption, QuietOption

if TYPE_CHECKING:
    from ecbench.suite.seasons import Season

app = typer.Typer(
    help="List, show and play the seasons that leaderboards use.", no_args_is_help=True, rich_markup_mode=None
)

SeasonArgument = Annotated[
    str | None, typer.Argument(metavar="SEASON", help="Its name, such as 2026-11. [default: the newest]")
]
FactsOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_seasons(as_json: FactsOption = False) -> None:
    """List the seasons, the newest last."""
    from ecbench.suite.seasons import EPISODES, seasons

    if as_json:
        say_json([_facts(season) for season in seasons()])
        return
    for season in seasons():
        fresh = len(season.sites) - 1
        say(f"{season.name}  issued {season.issued}  {fresh} fresh worlds and default, {EPISODES} years on each")


@app.command()
def show(season: SeasonArgument = None, as_json: FactsOption = False) -> None:
    """Show the worlds and the terms of a season."""
    from ecbench.suite.seasons import season_named

    chosen = season_named(season)
    facts = _facts(chosen)
    if as_json:
        say_json(facts)
        return
    say(f"Season {chosen.name}, issued {chosen.issued}")
    for site in chosen.sites:
        say(f"  {site.name:16} {site.id[:12]}")
    say("Terms: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts["terms"].items()))


@app.command()
def play(
    season: SeasonArgument = None,
    agent: AgentOption = DEFAULT_AGENT,
    jobs: JobsOption = 1,
    executor: ExecutorOption = None,
    out: OutOption = None,
    model_arg: ModelArgOption = None,
    base_url: BaseUrlOption = None,
    effort: EffortOption = None,
    extra_body: ExtraBodyOption = None,
    price: PriceOption = None,
    attempt_seconds: AttemptSecondsOption = None,
    give_up_seconds: GiveUpSecondsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a season: twice on each of its worlds, in one run.

    Days, stake, rules, brief, window and the suppliers' voice are the season's. The run is like any other: resume,
    replay, compare and verify it.

    Exit codes: 0 every year was finished, 1 an agent or a model failed, 2 bad input, 130 stopped by a signal.
    """
    from ecbench.cli.model_terms import model_terms, patience, provider_options
    from ecbench.cli.run_episodes import find_own_modules, play_new
    from ecbench.runs.play.agents import lasting_name
    from ecbench.suite.seasons import EPISODES, VOICE, open_world, season_named, season_terms

    find_own_modules()
    chosen, agent = season_named(season), lasting_name(agent)
    own = provider_options("--", model_arg, base_url, effort, extra_body, price)
    model = model_terms(agent, VOICE, own=own, supplier={}, waits=patience(attempt_seconds, give_up_seconds))
    terms = season_terms(chosen, agent, model)
    play_new(
        terms,
        open_world(chosen),
        chosen.sites,
        EPISODES,
        out=out,
        jobs=jobs,
        executor=executor,
        quiet=quiet,
        as_json=as_json,
    )


def _facts(season: "Season") -> dict[str, Any]:
    from ecbench.suite.seasons import EPISODES, season_terms

    terms = season_terms(season, "", {})
    return {
        "name": season.name,
        "issued": season.issued.isoformat(),
        "worlds": [site.to_json() for site in season.sites],
        "terms": {
            "years_on_each_world": EPISODES,
            "days": terms.days,
            "stake": terms.stake,
            "max_turns": terms.max_turns,
            "voice": terms.voice,
            "rule_set": terms.rule_set,
        },
    }
