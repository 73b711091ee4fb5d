"""One simulated year, as everything above it sees it: calls in, replies out, and a report at the end."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ecbench.market.clock import start_year
from ecbench.market.closing import finalize
from ecbench.market.year import Market
from ecbench.metrics.report import year_report
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice, get_voice
from ecbench.tools.batch import run_batch
from ecbench.tools.office import Office
from ecbench.world.model import World


class Episode:
    """A merchant account on a world. Two episodes with the same calls are identical to the cent.

    `voice` is the name of a supplier voice or an object that speaks for the suppliers. It never changes what a
    kernel decided; of the merchant's prose it hears only whether a membership fee is agreed to.
    """

    __slots__ = ("office",)

    def __init__(
        self,
        world: World,
        *,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules = DEFAULT_RULES,
    ) -> None:
        if days is not None and days < 1:
            raise ValueError(f"days must be at least 1, not {days}")
        year = start_year(
            Market.of(world, rules),
            days=world.days if days is None else days,
            stake=float(rules.stake if stake is None else stake),
        )
        self.office = Office(year, SupplierDesk(), get_voice(voice) if isinstance(voice, str) else voice)

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """Run a batch of tool calls; one JSON string per call. Bad calls are answered, never raised."""
        return run_batch(self.office, calls)

    def finish(self, ending: str = "stopped") -> None:
        """End the year early and settle what is outstanding. Does nothing once the year is over."""
        finalize(self.office.year, ending)

    def report(self) -> dict[str, Any]:
        """The score and every dimension of the paper as they stand, JSON-ready; the year need not be over."""
        return year_report(self.office.year, self.office.desk)

    def copy(self) -> "Episode":
        """An independent continuation from here."""
        twin = object.__new__(Episode)
        twin.office = self.office.copy()
        return twin

    @property
    def world(self) -> World:
        return self.office.year.world

    @property
    def now(self) -> datetime:
        return self.office.year.now

    @property
    def day(self) -> int:
        return self.office.year.day

    @property
    def bank(self) -> float:
        return self.office.year.books.purse.bank

    @property
    def wallet(self) -> float:
        return self.office.year.books.purse.wallet

    @property
    def escrow(self) -> float:
        return self.office.year.books.purse.escrow

    @property
    def done(self) -> bool:
        return self.office.year.done

    @property
    def ending(self) -> str | None:
        return self.office.year.ending
