"""What makes a comparison of runs unfair: different terms or voices, insiders, missing years."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from ecbench.analysis.compare.entries import ComparedRun
from ecbench.errors import RunError
from ecbench.ranges import plain_value
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import is_insider
from ecbench.runs.results.ranking import PAPERS_WINDOW
from ecbench.runs.terms import Terms

Read = Callable[[Terms], object]
RESUMED = "resumed_window"
LONGEST = 80  # characters of a value that a line states unquoted


def _window(thresholds: Mapping[str, int]) -> str:
    """The thresholds of a context window, in tokens."""
    return ", ".join(f"{name} {tokens:,}" for name, tokens in thresholds.items())


GAME: Mapping[str, Read] = {
    "days": lambda terms: terms.days,
    "stake": lambda terms: f"¥{terms.stake:,.2f}".removesuffix(".00"),
    "rules": lambda terms: ", ".join(
        [terms.rule_set, *(f"{key}={json.dumps(value):.30}" for key, value in sorted(terms.rules.items()))]
    ),
    "house rules": lambda terms: json.dumps(terms.policy, sort_keys=True),
    "market": lambda terms: f"shared by {len(terms.seats)}" if terms.shared else "of its own",
}
"""Terms that make it a different game: the figures of two such runs cannot be compared."""

HANDICAPS: Mapping[str, Read] = {
    "suppliers' voice": lambda terms: terms.voice,
    "transport": lambda terms: terms.seats[0].transport or "none",
    "turn limit": lambda terms: terms.turn_limit(0),
    "context": lambda terms: _window(terms.seats[0].model.get("window", PAPERS_WINDOW)),
    "context after a resume": lambda terms: _window(terms.seats[0].model.get(RESUMED, {})) or "none",
    "brief": lambda terms: terms.seats[0].model.get("brief", "the usual one"),
    "calls": lambda terms: terms.seats[0].model.get("calls", "native"),
    "brief style": lambda terms: terms.brief_style,
    "fork": lambda terms: f"from day {terms.fork.day} on" if terms.fork else "none",
}
"""Terms that make the same game easier or harder for one of them."""


def refuse_other_games(entries: Sequence[ComparedRun]) -> None:
    differences = list(_differences(entries, GAME))
    if differences:
        raise RunError(f"these runs cannot be compared: {differences[0]}; --anyway compares them all the same")


def warnings(entries: Sequence[ComparedRun]) -> list[str]:
    """A line each, the gravest first."""
    lines = [f"Not the same game: {line}. The figures below compare what cannot be compared." for line in
            _differences(entries, GAME)]  # fmt: skip
    lines += [f"Not the same terms: {line}." for line in _differences(entries, HANDICAPS)]
    if len({entry.run.terms.voice for entry in entries}) > 1:
        lines.append("Bad spend is left out between runs with different voices: each gives cheats away differently.")
    lines += [
        f"{entry.label} reads hidden state: an insider, whose figures are no competitor's."
        for entry in entries
        if is_insider(entry.run.player.agent)
    ]
    lines += [
        f"{entry.label} stopped early at an interim analysis: it played {len(entry.years)} of "
        f"{len(plan.scores)} fresh worlds."
        for entry in entries
        if (plan := entry.run.manifest.stopping) and len(entry.years) < len(plan.scores)
    ]
    lines += [f"{entry.label}: {_first_of(entry.signs)}." for entry in entries if entry.signs]
    for entry in entries:
        if entry.left_out:
            total = entry.count + len(entry.left_out)
            lines.append(f"{entry.label}: {_of(len(entry.left_out), total)} left out; {_first_of(entry.left_out)}")
    return lines


def _first_of(lines: Sequence[str]) -> str:
    return lines[0] + (f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else "")


def _of(count: int, total: int) -> str:
    return "its only year is" if total == 1 else f"{count:,} of {total:,} years are"


def _differences(entries: Sequence[ComparedRun], terms: Mapping[str, Read]) -> Iterator[str]:
    """Of each term the first two runs that differ in it."""
    for name, read in terms.items():
        for one, other in combinations(entries, 2):
            if found := next(differing_terms(played_terms(one.run), played_terms(other.run), {name: read}), None):
                yield f"{name} {found[1]} ({one.label}) and {found[2]} ({other.label})"
                break


def played_terms(run: Run) -> Terms:
    """The terms of a run, its entry first, with the window that a resume gave its models among their options."""
    terms, window = run.terms, run.manifest.resumed_window
    seats = (*terms.seats[run.entry :], *terms.seats[: run.entry])
    if window:
        seats = tuple(replace(seat, model={**seat.model, RESUMED: window}) for seat in seats)
    return replace(terms, seats=seats)


def differing_terms(one: Terms, other: Terms, terms: Mapping[str, Read]) -> Iterator[tuple[str, str, str]]:
    """The name of each term that differs, and both values as they are shown."""
    for name, read in terms.items():
        here, there = read(one), read(other)
        if here != there:
            yield name, _shown(here), _shown(there)


def _shown(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= LONGEST else plain_value(value)
