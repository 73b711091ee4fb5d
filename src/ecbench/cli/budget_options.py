"""Options that limit what the models of a run may take."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import typer

from ecbench.errors import RunError
from ecbench.ranges import BUDGET_DOLLARS, BUDGET_HOURS, BUDGET_TOKENS, Range
from ecbench.runs.budget_limits import BudgetLimits


def _within(flag: str, allowed: Range) -> Callable[[float | None], float | None]:
    """Refuses also what a minimum and a maximum let pass: zero, and what is not a number."""

    def check(value: float | None) -> float | None:
        if value is not None and value not in allowed:
            raise RunError(f"{flag} {value:g}: it must be {allowed}")
        return value

    return check


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """The most that models may take. A reached limit stops the run after its turn, with exit code 3."""

    max_dollars: Annotated[
        float | None,
        typer.Option(
            "--max-dollars",
            metavar="D",
            callback=_within("--max-dollars", BUDGET_DOLLARS),
            help="Stop after the turn in which the models of the whole run have cost so much.",
        ),
    ] = None
    max_hours: Annotated[
        float | None,
        typer.Option(
            "--max-hours",
            metavar="H",
            callback=_within("--max-hours", BUDGET_HOURS),
            help="Stop after the turn in which this command has played for so long.",
        ),
    ] = None
    max_tokens_total: Annotated[
        int | None,
        typer.Option(
            "--max-tokens-total",
            metavar="N",
            callback=_within("--max-tokens-total", BUDGET_TOKENS),
            help="Stop after the turn in which the models of the whole run have read and written so many tokens, "
            "cached ones included.",
        ),
    ] = None

    @property
    def limits(self) -> BudgetLimits:
        return BudgetLimits(self.max_dollars, self.max_tokens_total, self.max_hours)
