"""One simulated year, as everything above it sees it: calls in, replies out, and a report at the end."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ecbench.market.economy import Economy
from ecbench.market.finalize import finalize
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.metrics.year_report import year_report
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice, get_voice
from ecbench.tools.batch import Paused, run_batch
from ecbench.tools.office import Office
from ecbench.world.model import World


class Episode:
    """A merchant account on a world. Two episodes with the same calls are identical to the cent.

    `voice` is the name of a supplier voice or an object that speaks for the suppliers. It never changes what a
    kernel decided; of the merchant's prose it hears only whether a membership fee is agreed to. `rules` may
    be the name of a rule set.
    """

    __slots__ = ("_office",)

    def __init__(
        self,
        world: World,
        *,
        days: int | None = None,
        stake: float | None = None,
        voice: str | Voice = "template",
        rules: Rules | str = DEFAULT_RULES,
    ) -> None:
        rules = rule_set(rules) if isinstance(rules, str) else rules
        market = open_marketplace(
            Economy.of(world, rules),
            days=world.days if days is None else days,
            stake=rules.stake if stake is None else stake,
        )
        self._office = Office(market.accounts[0], SupplierDesk(), get_voice(voice) if isinstance(voice, str) else voice)

    def act(self, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """Run a batch of tool calls; one JSON string per call. Bad calls are answered, never raised."""
        outcome = run_batch(self._office, calls)
        assert not isinstance(outcome, Paused)  # nobody else trades, so the morning comes at once
        return outcome

    def finish(self, ending: str = "stopped") -> None:
        """End the year early and settle what is outstanding. Does nothing once the year is over."""
        finalize(self.account, ending)

    def report(self) -> dict[str, Any]:
        """The score and every dimension of the paper as they stand, JSON-ready; the year need not be over."""
        return year_report(self.account, self._office.desk)

    def copy(self, *, voice: Voice | None = None) -> "Episode":
        """An independent continuation from here; `voice` speaks for the suppliers there, by default the same."""
        twin = object.__new__(Episode)
        twin._office = self._office.copy(self.account.market.copy().accounts[0])
        if voice is not None:
            twin._office.voice = voice
        return twin

    @property
    def account(self) -> Account:
        """The books and all else behind the tools: hidden from agents, open to whoever studies them."""
        return self._office.account

    @property
    def desk(self) -> SupplierDesk:
        """What the suppliers know of the merchant, with all sessions and letters: hidden from agents, too."""
        return self._office.desk

    @property
    def voice(self) -> Voice:
        """Who speaks for the suppliers."""
        return self._office.voice

    @property
    def world(self) -> World:
        """What it is played on."""
        return self.account.world

    @property
    def now(self) -> datetime:
        """The simulated date and time."""
        return self.account.now

    @property
    def day(self) -> int:
        """The day of the year, from 0."""
        return self.account.market.day

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
