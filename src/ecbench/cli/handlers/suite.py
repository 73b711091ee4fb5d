"""List, show and play the seasons."""

from pathlib import Path
from typing import Any

from ecbench.cli.handlers.run import NewRun, play_new
from ecbench.cli.model_options import ProviderOptions
from ecbench.cli.model_terms import agent_options, model_terms, time_limits
from ecbench.cli.new_run import find_own_modules
from ecbench.cli.options import Output, Parallel
from ecbench.cli.plain_text import say, say_json
from ecbench.runs.play.agents import lasting_name
from ecbench.runs.receipts.signing import SigningKey
from ecbench.suite.seasons import EPISODES, VOICE, Season, open_world, season_named, season_terms, seasons

TERMS = ("days", "stake", "max_turns", "voice", "rule_set")


def list_seasons(*, as_json: bool) -> None:
    if as_json:
        say_json([_facts(season) for season in seasons()])
        return
    for season in seasons():
        fresh = len(season.sites) - 1
        say(f"{season.name}  issued {season.issued}  {fresh} fresh worlds and default, {EPISODES} years on each")


def show(name: str | None, *, as_json: bool) -> None:
    season = season_named(name)
    facts = _facts(season)
    if as_json:
        say_json(facts)
        return
    say(f"Season {season.name}, issued {season.issued}")
    for site in season.sites:
        say(f"  {site.name:16} {site.id[:12]}")
    say("Terms: " + ", ".join(f"{term.replace('_', ' ')} {value}" for term, value in facts["terms"].items()))


def play(
    name: str | None,
    agent: str,
    parallel: Parallel,
    out: Path | None,
    model: ProviderOptions,
    output: Output,
    key: SigningKey | None,
) -> None:
    find_own_modules(agent)
    season, agent = season_named(name), lasting_name(agent)
    recorded = model_terms(agent, VOICE, own=agent_options(model), supplier={}, limits=time_limits(model))
    new = NewRun(season_terms(season, agent, recorded), open_world(season), season.sites)
    play_new(new, EPISODES, out, parallel, output, key=key)


def _facts(season: Season) -> dict[str, Any]:
    terms = season_terms(season, "", {})
    return {
        "name": season.name,
        "issued": season.issued.isoformat(),
        "worlds": [site.to_json() for site in season.sites],
        "terms": {"years_on_each_world": EPISODES} | {name: getattr(terms, name) for name in TERMS},
    }
