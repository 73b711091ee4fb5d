"""Several merchants in one marketplace for one year. With one seat it is an `Episode`, byte for byte."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.episode import Episode
from ecbench.market.marketplace import Account
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.suppliers.voices import Voice
from ecbench.table import Table
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World


class Arena:
    """A marketplace with `seats` merchants, who share its customers and its suppliers' patience.

    `Table` has the rules of its turns. Replies are JSON strings here.
    """

    __slots__ = ("table",)

    def __init__(
        self,
        world: World,
        *,
        seats: int,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules | str = DEFAULT_RULES,
        policy: Mapping[str, Any] | None = None,
    ) -> None:
        self.table = Table(world, seats=seats, days=days, stake=stake, voice=voice, rules=rules, policy=policy)

    def __repr__(self) -> str:
        state = "over" if self.done else f"day {self.day} of {self.table.market.days}, turn of seat {self.turn}"
        return f"<Arena on {self.table.world.name!r} with {self.seats} seats: {state}>"

    @property
    def seats(self) -> int:
        return self.table.seats

    @property
    def accounts(self) -> list[Account]:
        """The books and all other state behind the tools, by seat; hidden from agents and open to studies."""
        return self.table.accounts

    def year(self, seat: int) -> Episode:
        """A seat as a year of its own, to read; its turns are taken through the arena."""
        return Episode.at(self.table, seat)

    @property
    def day(self) -> int:
        return self.table.day

    @property
    def done(self) -> bool:
        return self.table.done

    @property
    def turn(self) -> int | None:
        """The seat that acts next; None once the year is over for all."""
        return self.table.turn

    def act(self, seat: int, calls: Sequence[Mapping[str, Any]]) -> list[str] | None:
        """Run a batch for the seat whose turn it is, or for one whose year is over; one JSON string per call.

        None: the day ended first. The rest runs after the morning, and `replies` has the answers then.
        """
        return _texts(self.table.act(seat, calls))

    def replies(self, seat: int) -> list[str] | None:
        """The answers to the seat's last batch; None while it waits for the morning, and before the first."""
        return _texts(self.table.outcomes(seat))

    def finish(self, seat: int | None = None, ending: str = "stopped") -> None:
        """End the year early for one seat, or for all, and settle what is outstanding there."""
        self.table.finish(seat, ending)

    def report(self, seat: int) -> dict[str, Any]:
        """The score and every dimension of the paper for one seat, as they stand."""
        return self.table.report(seat)

    def copy(self) -> "Arena":
        """An independent continuation of every seat."""
        twin = Arena.__new__(Arena)
        twin.table = self.table.copy()
        return twin


def _texts(outcomes: Sequence[Outcome] | None) -> list[str] | None:
    return None if outcomes is None else [outcome.text for outcome in outcomes]
