"""One marketplace with 1 to N seats: which seat acts next, the mornings, and how the year ends."""

from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.house_rules import house_rules
from ecbench.market.economy import Economy
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.market.settlement import begin_tomorrow, finalize
from ecbench.ranges import DAYS, SEATS, STAKE
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice, get_voice
from ecbench.tools.batch import Paused, go_on, run_batch
from ecbench.tools.catalog import tools_under
from ecbench.tools.office import Office
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

Calls = Sequence[Mapping[str, Any]]


class Table:
    """A marketplace with `seats` merchants, who share its customers and its suppliers' patience.

    The seat whose clock is earliest acts next (`turn`), a whole batch at a time; ties go round by seat, starting one
    seat later each day. A batch that reaches the evening is complete once the morning has settled: until then `act` and
    `outcomes` return None for that seat. `policy` has the owner's house rules, which are watched where the rules count
    conduct. Raises ValueError for seats, days, a stake or house rules out of range.
    """

    __slots__ = ("_outcomes", "_paused", "market", "offices")

    def __init__(
        self,
        world: World,
        *,
        seats: int = 1,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules | str = DEFAULT_RULES,
        policy: Mapping[str, Any] | None = None,
    ) -> None:
        rules = rule_set(rules) if isinstance(rules, str) else rules
        self.market = open_marketplace(
            Economy.of(world, rules),
            days=int(DAYS.check("days", world.days if days is None else days)),
            stake=float(STAKE.check("stake", rules.stake if stake is None else stake)),
            seats=int(SEATS.check("seats", seats)),
            house=house_rules(policy or {}),
        )
        speaker = get_voice(voice) if isinstance(voice, str) else voice
        self.offices = [Office(each, SupplierDesk(), speaker, tools_under(rules)) for each in self.market.accounts]
        self._paused: dict[int, Paused] = {}  # by seat
        self._outcomes: dict[int, list[Outcome]] = {}  # by seat, of its last complete batch

    @property
    def seats(self) -> int:
        return len(self.offices)

    @property
    def accounts(self) -> list[Account]:
        """The books and all other hidden state, by seat."""
        return self.market.accounts

    @property
    def world(self) -> World:
        return self.market.economy.world

    @property
    def day(self) -> int:
        return self.market.day

    @property
    def done(self) -> bool:
        """Whether the year is over for every seat."""
        return not self.market.in_business

    @property
    def turn(self) -> int | None:
        """The seat that acts next; None once the year is over for all."""
        waiting = [account for account in self.market.in_business if account.seat not in self._paused]
        if len(waiting) < 2:
            return waiting[0].seat if waiting else None
        order = self.seats_in_order()
        return min(waiting, key=lambda account: (account.minute, order.index(account.seat))).seat

    def act(self, seat: int, calls: Calls) -> list[Outcome] | None:
        """Run a batch for the seat whose turn it is, or for one whose year is over; one outcome per call.

        None: the day ended first. The rest runs after the morning, and `outcomes` has the result then.
        """
        if len(self.offices) == 1 and seat == 0:
            outcomes = run_batch(self.offices[0], calls)
            assert not isinstance(outcomes, Paused)  # no rival delays the morning
            return outcomes
        self.check_seat(seat)
        if self.accounts[seat].ending is None and seat != self.turn:
            raise ValueError(f"it is not the turn of seat {seat} but of seat {self.turn}")
        self._keep(seat, run_batch(self.offices[seat], calls))
        self._begin_mornings()
        return self.outcomes(seat)

    def outcomes(self, seat: int) -> list[Outcome] | None:
        """The outcomes of the seat's last batch; None while it waits for the morning, and before the first."""
        self.check_seat(seat)
        return None if seat in self._paused else self._outcomes.get(seat)

    def finish(self, seat: int | None = None, ending: str = "stopped") -> None:
        """End the year early for one seat, or for all, and settle what is outstanding there."""
        self.finish_seats(dict.fromkeys(range(self.seats) if seat is None else [self.check_seat(seat)], ending))

    def finish_seats(self, endings: Mapping[int, str]) -> None:
        """End the year early for several seats at once, each with its own ending."""
        for seat, ending in endings.items():
            finalize(self.accounts[seat], ending)
            if seat in self._paused:
                self._keep(seat, go_on(self.offices[seat], self._paused[seat]))
        self._begin_mornings()

    def report(self, seat: int = 0) -> dict[str, Any]:
        """The score and every dimension of the paper for one seat as they stand, JSON-ready."""
        from ecbench.metrics.year_report import year_report  # noqa: PLC0415 - a year is played without its metrics

        office = self.offices[self.check_seat(seat)]
        return year_report(office.account, office.desk)

    def copy(self) -> "Table":
        """An independent continuation of every seat."""
        twin = Table.__new__(Table)
        twin.market = self.market.copy()
        twin.offices = [office.copy(twin.market.accounts[seat]) for seat, office in enumerate(self.offices)]
        twin._paused = {seat: paused.copy() for seat, paused in self._paused.items()}
        twin._outcomes = self._outcomes.copy()
        return twin

    def release(self) -> None:
        """Free the memory of market and accounts, which refer to each other; the table cannot be used any more."""
        self.market.accounts.clear()

    def check_seat(self, seat: int) -> int:
        """Raises ValueError where the table has no such seat."""
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat}; the seats are 0 to {self.seats - 1}")
        return seat

    def _keep(self, seat: int, outcomes: list[Outcome] | Paused) -> None:
        if isinstance(outcomes, Paused):
            self._paused[seat] = outcomes
        else:
            self._paused.pop(seat, None)
            self._outcomes[seat] = outcomes

    def _begin_mornings(self) -> None:
        """Once no seat has time left on this date, the morning comes and paused batches go on, seat by seat."""
        while begin_tomorrow(self.market):
            for seat in self.seats_in_order():
                if seat in self._paused:
                    self._keep(seat, go_on(self.offices[seat], self._paused[seat]))

    def seats_in_order(self) -> list[int]:
        """In which ties are resolved today."""
        first = self.market.day % self.seats
        return [(first + offset) % self.seats for offset in range(self.seats)]
