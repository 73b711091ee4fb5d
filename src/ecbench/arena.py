"""Several merchants in one marketplace for one year. With one seat it is an `Episode`, byte for byte."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.episode import Episode
from ecbench.market.clock import begin_tomorrow
from ecbench.market.economy import Economy
from ecbench.market.finalize import finalize
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.metrics.year_report import year_report
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice, get_voice
from ecbench.tools.batch import Paused, go_on, run_batch
from ecbench.tools.office import Office
from ecbench.world.model import World


class Arena:
    """A marketplace with `seats` merchants, who share its customers and its suppliers' patience.

    The seat whose clock is earliest acts next (`turn`), a whole batch at a time; ties go round by seat, starting one
    seat later each day. A batch that reaches the evening is answered once every seat has reached it and the morning
    has settled: until then `act` and `replies` give None for that seat.
    """

    __slots__ = ("_answered", "_paused", "market", "offices")

    def __init__(
        self,
        world: World,
        *,
        seats: int,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules | str = DEFAULT_RULES,
    ) -> None:
        rules = rule_set(rules) if isinstance(rules, str) else rules
        self.market = open_marketplace(
            Economy.of(world, rules),
            days=world.days if days is None else days,
            stake=rules.stake if stake is None else stake,
            seats=seats,
        )
        speaker = get_voice(voice) if isinstance(voice, str) else voice
        self.offices = [Office(account, SupplierDesk(), speaker) for account in self.market.accounts]
        self._paused: dict[int, Paused] = {}  # by seat
        self._answered: dict[int, list[str]] = {}  # by seat

    @property
    def seats(self) -> int:
        return len(self.offices)

    @property
    def accounts(self) -> list[Account]:
        """The books and all else behind the tools, by seat: hidden from agents, open to whoever studies them."""
        return self.market.accounts

    def year(self, seat: int) -> Episode:
        """A seat as a year of its own, to read; its turns are taken through the arena."""
        view = object.__new__(Episode)
        view._office = self.offices[self._check(seat)]
        return view

    @property
    def day(self) -> int:
        return self.market.day

    @property
    def done(self) -> bool:
        return not self.market.in_business

    @property
    def turn(self) -> int | None:
        """The seat that acts next; None once the year is over for all."""
        waiting = [account for account in self.market.in_business if account.seat not in self._paused]
        if not waiting:
            return None
        order = self._seats_in_order()
        return min(waiting, key=lambda account: (account.minute, order.index(account.seat))).seat

    def act(self, seat: int, calls: Sequence[Mapping[str, Any]]) -> list[str] | None:
        """Run a batch for the seat whose turn it is, or for one whose year is over; one JSON string per call.

        None: the day ended first. The rest runs after the morning, and `replies` has the answers then.
        """
        self._check(seat)
        if self.accounts[seat].ending is None and seat != self.turn:
            raise ValueError(f"it is not the turn of seat {seat} but of seat {self.turn}")
        self._take(seat, run_batch(self.offices[seat], calls))
        self._begin_mornings()
        return self.replies(seat)

    def replies(self, seat: int) -> list[str] | None:
        """The answers to the seat's last batch; None while it waits for the morning, and before the first."""
        self._check(seat)
        return None if seat in self._paused else self._answered.get(seat)

    def finish(self, seat: int | None = None, ending: str = "stopped") -> None:
        """End the year early for one seat, or for all, and settle what is outstanding there."""
        for each in range(self.seats) if seat is None else [self._check(seat)]:
            finalize(self.accounts[each], ending)
            if each in self._paused:
                self._take(each, go_on(self.offices[each], self._paused[each]))
        self._begin_mornings()

    def report(self, seat: int) -> dict[str, Any]:
        """The score and every dimension of the paper for one seat, as they stand."""
        office = self.offices[self._check(seat)]
        return year_report(office.account, office.desk)

    def copy(self) -> "Arena":
        """An independent continuation of every seat."""
        twin = object.__new__(Arena)
        twin.market = self.market.copy()
        twin.offices = [office.copy(twin.market.accounts[seat]) for seat, office in enumerate(self.offices)]
        twin._paused = {seat: paused.copy() for seat, paused in self._paused.items()}
        twin._answered = self._answered.copy()
        return twin

    def _check(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat}; the seats are 0 to {self.seats - 1}")
        return seat

    def _take(self, seat: int, outcome: list[str] | Paused) -> None:
        if isinstance(outcome, Paused):
            self._paused[seat] = outcome
        else:
            self._paused.pop(seat, None)
            self._answered[seat] = outcome

    def _begin_mornings(self) -> None:
        """Once nobody has time left on this date, the morning comes and what was under way goes on, seat by seat."""
        while begin_tomorrow(self.market):
            for seat in self._seats_in_order():
                if seat in self._paused:
                    self._take(seat, go_on(self.offices[seat], self._paused[seat]))

    def _seats_in_order(self) -> list[int]:
        first = self.market.day % self.seats
        return [(first + place) % self.seats for place in range(self.seats)]
