"""One simulated year as its callers see it: calls in, replies out, and a report at the end."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ecbench.market.marketplace import Account
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice
from ecbench.table import Table
from ecbench.world.model import World


class Episode:
    """A merchant account on a world. Two episodes with the same calls are identical to the cent.

    `voice` is the name of a supplier voice or an object that writes the suppliers' letters. It never changes what a
    kernel decided; of the merchant's prose it reads only whether a membership fee is agreed to. `rules` may be the name
    of a rule set.
    """

    __slots__ = {"seat": "Its number at the table, 0 if it plays alone.", "table": "The table that runs its turns."}

    def __init__(
        self,
        world: World,
        *,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules | str = DEFAULT_RULES,
        policy: Mapping[str, Any] | None = None,
    ) -> None:
        self.table = Table(world, days=days, stake=stake, voice=voice, rules=rules, policy=policy)
        self.seat = 0

    @classmethod
    def at(cls, table: Table, seat: int = 0) -> "Episode":
        """The year at one seat of a table; with several seats it is for reading, and turns are taken at the table."""
        view = cls.__new__(cls)
        view.table, view.seat = table, table.check_seat(seat)
        return view

    def __repr__(self) -> str:
        state = self.ending or f"day {self.day} of {self.account.market.days}"
        total = self.bank + self.wallet + self.escrow
        return f"<Episode on {self.world.name!r}: {state}, ¥{total:,.2f}>"

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """Run a batch of tool calls; one JSON string per call. Bad calls are answered, never raised."""
        outcomes = self.table.act(self.seat, calls)
        if outcomes is None:
            raise ValueError("the turn waits for rivals: take the turns of a table with several seats at the table")
        return [outcome.text for outcome in outcomes]

    def finish(self, ending: str = "stopped") -> None:
        """End the year early and settle what is outstanding. Does nothing once the year is over."""
        self.table.finish(self.seat, ending)

    def report(self) -> dict[str, Any]:
        """The score and every dimension of the paper as they stand, JSON-ready; the year need not be over."""
        return self.table.report(self.seat)

    def copy(self, *, voice: Voice | None = None) -> "Episode":
        """An independent continuation from here; `voice` speaks for the suppliers there, by default the same."""
        twin = Episode.at(self.table.copy(), self.seat)
        if voice is not None:
            twin.table.offices[self.seat].voice = voice
        return twin

    @property
    def account(self) -> Account:
        """The books and all other state behind the tools, hidden from agents and open to studies."""
        return self.table.market.accounts[self.seat]

    @property
    def desk(self) -> SupplierDesk:
        """What the suppliers know of the merchant, with all sessions and letters; hidden from agents, too."""
        return self.table.offices[self.seat].desk

    @property
    def voice(self) -> Voice:
        """The voice that speaks for the suppliers."""
        return self.table.offices[self.seat].voice

    @property
    def world(self) -> World:
        """The world that the year is played on."""
        return self.table.world

    @property
    def now(self) -> datetime:
        """The simulated date and time."""
        return self.account.now

    @property
    def day(self) -> int:
        """The day of the year, from 0."""
        return self.table.market.day

    @property
    def bank(self) -> float:
        """Yuan from which all costs are paid; may be below zero."""
        return self.account.books.purse.bank

    @property
    def wallet(self) -> float:
        """Settled yuan that `withdraw` moves to the bank."""
        return self.account.books.purse.wallet

    @property
    def escrow(self) -> float:
        """Yuan of shipped orders that have not settled yet."""
        return self.account.books.purse.escrow

    @property
    def done(self) -> bool:
        """Whether the year is over."""
        return self.account.done

    @property
    def ending(self) -> str | None:
        """How it ended, such as `year_end` or `bankruptcy`; None while it goes on."""
        return self.account.ending
