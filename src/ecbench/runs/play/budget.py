"""The budget of a run: what its models have used, over all episodes and seats, and whether a limit is reached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic

from msgspec import convert, structs

from ecbench.harness.messages import Usage
from ecbench.harness.settings import ModelSettings, known_price
from ecbench.players.turn import Record
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.model_settings import agent_settings, supplier_settings
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import add_answer

HOUR = 3_600


class Budget:
    """Limits, and what was used of them: `used` before this command, and what it adds."""

    def __init__(self, limits: BudgetLimits, used: Usage | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.used = used or Usage()
        self._clock = clock
        self._begun = clock()
        self._uncounted = False

    @property
    def hours(self) -> float:
        """Since this command began to play."""
        return (self._clock() - self._begun) / HOUR

    def add(self, usage: Usage) -> None:
        """An answer of a model. One without any tokens means that its provider does not report them."""
        self.used += usage
        self._uncounted = self._uncounted or usage.tokens == 0

    @property
    def reached(self) -> str:
        """Which limit is reached, with what was used of it; empty while none is."""
        limits = self.limits
        if self._uncounted and (limits.dollars or limits.tokens):
            return "a provider reports no tokens, so what is used cannot be counted; use --budget hours=N instead"
        return next((f"{state} (--budget {name})" for name, share, state in self._states() if share >= 1), "")

    @property
    def state(self) -> str:
        """How much of each limit is used: `$3.10 of $5`."""
        return ", ".join(state for _, _, state in self._states())

    @property
    def resume_options(self) -> str:
        """The options that continue a run: a reached limit is doubled until it is large enough."""
        limits = self.limits
        dollars, tokens = limits.dollars, limits.tokens
        while dollars is not None and (self.used.cost or 0.0) >= dollars:
            dollars *= 2
        while tokens is not None and self.used.tokens >= tokens:
            tokens *= 2
        return " ".join(BudgetLimits(dollars, tokens, limits.hours).flags)

    def _states(self) -> Iterator[tuple[str, float, str]]:
        """Of each limit its name, the share of it that is used, and what is used of it."""
        limits, cost, tokens = self.limits, self.used.cost or 0.0, self.used.tokens
        if limits.dollars is not None:
            digits = 2 if limits.dollars >= 1 else 4
            yield "dollars", cost / limits.dollars, f"${cost:,.{digits}f} of ${limits.dollars:,g}"
        if limits.tokens is not None:
            yield "tokens", tokens / limits.tokens, f"{tokens:,} of {limits.tokens:,} tokens"
        if limits.hours is not None:
            yield "hours", self.hours / limits.hours, f"{self.hours:.2f} of {limits.hours:,g} h"


def recorded_usage(run: Run, finished: Sequence[Result], unfinished: Mapping[int, Recording]) -> Usage:
    """What the models of a run have used so far, priced as now if no cost is recorded; a fork's beginning is free."""
    total = Usage()
    for result in finished:
        terms = run.terms_of(result.episode)
        for seat, report in zip(terms.seats, result.reports, strict=True):
            used = report["run"]
            total += _priced(used["usage"], agent_settings(seat))
            total += _priced(used["supplier_usage"], supplier_settings(terms))
    inherited = run.terms.fork.turns if run.terms.fork else 0
    for episode, recording in unfinished.items():
        terms = run.terms_of(episode)
        for turn in recording.turns[inherited:]:
            total += _priced(_answers([turn.message]), agent_settings(terms.seats[turn.seat]))
            total += _priced(_answers(turn.voices), supplier_settings(terms))
    return total


def _answers(records: Sequence[Record]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for record in records:
        add_answer(totals, record)
    return totals


def _priced(recorded: dict[str, float], settings: ModelSettings | None) -> Usage:
    usage = convert(recorded, Usage)
    price = known_price(settings) if settings and usage.cost is None and usage.tokens else None
    return structs.replace(usage, cost=price.of(usage)) if price else usage
