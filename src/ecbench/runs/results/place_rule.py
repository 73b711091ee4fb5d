"""The place rule: which years and runs have a place among the paper's models, and why the others have none.

Every reader (run, resume, show, report, board, arena, JSON) builds its entrant here. A run has a place only if all its
episodes qualify, and a single year of it if that year does. An episode qualifies if it ended by the calendar or by
bankruptcy, on world `default`, under the paper's terms, alone in its market, neither as a fork, nor in the loop of
another program, nor by an insider. On each axis it needs a sample too (`metrics/places.py`). Bad spend has a place only
if a model wrote the suppliers' letters, as it did in the paper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from ecbench.harness.context import ContextPolicy
from ecbench.market.finalize import ENDED_BY_MARKET
from ecbench.metrics.axes import AXES, BAD_SPEND, AxisFigures
from ecbench.metrics.places import Entrant
from ecbench.metrics.published import published_models
from ecbench.number_words import counted
from ecbench.players.merchants.registry import LISTINGS
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_model, short_name
from ecbench.runs.record.events import End, is_over
from ecbench.runs.terms import MAX_TURNS, OWN_LOOP_IN_INSPECT, PERSONS_BOARD, Terms
from ecbench.world.load import load_world

FULL_YEAR = 365
PAPERS_WORLD = "default"  # has the paper's rules, suppliers and figures, with goods of our own
PAPERS_WINDOW = ContextPolicy().to_json()
TEMPLATES = "suppliers wrote from templates, the paper's with a model"
REVIEW_ENGINE = "ecbench.review."  # the engine can be named as an agent, by its module
LONGEST = 24  # characters of a term that a phrase names

Departure = tuple[str, object, object]
"""The name of a term, its value, and the paper's."""


def entrant_of(run: Run, ends: Sequence[End | None], figures: AxisFigures | None) -> Entrant:
    """A run, or one of its years, as it is ranked. `ends` has an item for each episode that counts."""
    why = why_disqualified(run, ends)
    barred = {axis.name: why for axis in AXES} if why else {}
    if not is_model(run.terms.voice):
        barred.setdefault(BAD_SPEND.name, TEMPLATES)
    name = short_name(run.terms.agent)
    if figures is None:
        return Entrant(name, dict.fromkeys((axis.name for axis in AXES), None), barred=barred)
    return Entrant(name, asdict(figures), figures.episodes, figures.bankrupt_runs, barred)


def why_disqualified(run: Run, ends: Sequence[End | None]) -> str:
    """Why a run has no place on any axis, in a short phrase; empty where it qualifies."""
    return next(_disqualifications(run, ends), "")


def _disqualifications(run: Run, ends: Sequence[End | None]) -> Iterator[str]:
    terms = run.terms
    if is_insider(terms.agent):
        yield "an insider, which reads hidden state"
    if run.stopping and (open_years := sum(not is_over(end) for end in ends)):
        over, rival = f"{len(ends) - open_years} of {len(ends)} years", short_name(run.stopping.against.agent)
        yield f"it stops when it is clear, after {over}: a comparison with {rival}, not a place"
    if terms.shared:
        yield f"its market was shared by {run.seats} seats"
    if terms.fork:
        yield terms.fork.label
    if terms.door not in ("", OWN_LOOP_IN_INSPECT, PERSONS_BOARD):
        yield f"played over {terms.door}, in the loop of another program"
    yield from map(_phrase, papers_departures(terms))
    yield from resumed_departures(run)
    if not on_papers_world(run):
        yield f"played on {_other_world(run)}, not on world {PAPERS_WORLD}"
    yield from _incomplete(ends)


def resumed_departures(run: Run) -> Iterator[str]:
    """What a resume changed, a phrase each."""
    if run.resumed_window:
        yield f"resumed with a window of {run.resumed_window.get('window', 0):,} tokens"


def papers_departures(terms: Terms, rules: str = DEFAULT_SET, days: int = FULL_YEAR) -> Iterator[Departure]:
    """The terms that are not the paper's, or not of the rule set and the days that a season asks for, apart from the
    world, the suppliers' voice and how the agent is connected."""
    wanted: Sequence[Departure] = (
        ("days", terms.days, days),
        ("stake", terms.stake, DEFAULT_RULES.stake),
        ("rule set", terms.rule_set, rules),
        ("changed rules", dict(terms.rules), {}),
        ("turn limit", min(terms.max_turns, MAX_TURNS), MAX_TURNS),
        ("context window", terms.model.get("window", PAPERS_WINDOW), PAPERS_WINDOW),
        ("brief", terms.model.get("brief"), None),
    )
    return (departure for departure in wanted if departure[1] != departure[2])


def protocol_departures(run: Run) -> Iterator[str]:
    """Where a run is not what `--protocol paper` plays, a phrase each; which model plays is open."""
    yield from map(_phrase, papers_departures(run.terms))
    yield from resumed_departures(run)
    if not on_papers_world(run):
        yield f"played on {_other_world(run)}, not on world {PAPERS_WORLD}"
    if run.episodes != (papers := published_models()[0].episodes):
        yield f"{counted(run.episodes, 'episode')}, the paper has {papers}"
    if not is_model(run.terms.voice):
        yield TEMPLATES


def _phrase(departure: Departure) -> str:
    name, found, papers = departure
    shown = f"{found:,g}" if isinstance(found, int | float) else str(found)
    if isinstance(papers, int | float):
        return f"{name} {shown}, the paper's is {papers:,g}"
    return f"{name} {shown}" if isinstance(papers, str) and len(shown) <= LONGEST else f"{name} not the paper's"


def on_papers_world(run: Run) -> bool:
    """By its id: a name can be given to any world."""
    return all(site.id == load_world(PAPERS_WORLD).id for site in run.sites)


def _other_world(run: Run) -> str:
    if len(run.sites) > 1:
        return counted(len(run.sites), "world")
    name = run.sites[0].name
    return f"a different world named {name}" if name == PAPERS_WORLD else f"world {name}"


def _incomplete(ends: Sequence[End | None]) -> Iterator[str]:
    """The episodes that did not end by the calendar or by bankruptcy, those that are not over first."""
    if unfinished := [end for end in ends if not is_over(end)]:
        (first, *more) = unfinished
        if len(ends) > 1:
            yield f"{1 + len(more)} of {len(ends)} years not over"
        yield f"not over, {_stopped(first)}" if first else "not over"
    for episode, end in enumerate(ends):
        if end is not None and end.ending not in ENDED_BY_MARKET:
            yield _stopped(end) if len(ends) == 1 else f"episode {episode} {_stopped(end)}"


def _stopped(end: End) -> str:
    if end.never_acted:
        return "never called a tool"
    how = {"idle": "stopped", "turn_limit": "reached its turn limit"}.get(end.ending, end.ending.replace("_", " "))
    return f"{how} on day {end.day}"


def is_insider(agent: str) -> bool:
    """Whether a merchant of this package reads hidden state: a yardstick for others, not a competitor.

    A merchant of the user's own is not imported to find out: reading a folder must run no code of its author.
    """
    insiders = [listing for listing in LISTINGS if listing.reads_hidden_state]
    return agent in {listing.name for listing in insiders} or agent.startswith(
        (REVIEW_ENGINE, *(f"ecbench.players.merchants.{listing.module}:" for listing in insiders))
    )
