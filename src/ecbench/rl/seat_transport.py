"""How a numeric seat acts: by the functions behind the tools, without any text.

Every act charges the minutes of the call that it amounts to, and can be logged as that call.
"""

from typing import NamedTuple

from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.players.merchants.protocol import Call
from ecbench.players.merchants.supplier_letters import letter
from ecbench.suppliers.conversation import converse
from ecbench.suppliers.grammar import BargainAction, ReadMessage
from ecbench.suppliers.voices.voice import Scene
from ecbench.tools.arguments import Arguments
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT
from ecbench.tools.office import Office, Refused, Reply

MINUTES = {name: tool.minutes for name, tool in TOOL_BY_NAME.items()}


class Answers(NamedTuple):
    """What a supplier answered."""

    quotes: dict[str, float]  # by SKU, of the offers that it countered
    bought: list[tuple[str, int, float]]  # SKU, units and agreed price of each order that was placed
    closed: bool = False


class SilentVoice:
    """Writes nothing; the seat's letters agree to no fee."""

    name = "silent"

    def reply(self, _scene: Scene) -> str:
        return ""

    def hears_membership(self, _scene: Scene) -> bool:
        return False


class SeatTransport:
    """The acts of a seat on its office. With `log` it keeps the calls that they amount to."""

    def __init__(self, office: Office, *, log: bool = False) -> None:
        self.office, self.account = office, office.account
        self._log: list[Call] | None = [] if log else None

    @property
    def over(self) -> bool:
        return self.account.ending is not None

    def calls(self) -> list[Call]:
        """The tool calls that have the same effects, in order."""
        if self._log is None:
            raise ValueError("these years keep no log of their calls: ask for one with log=True")
        return self._log

    def charge(self, name: str, arguments: Arguments) -> None:
        """Log a call and spend its minutes."""
        self.account.minute += MINUTES[name]
        if self._log is not None:
            self._log.append({"name": name, "arguments": arguments})

    def run(self, name: str, **arguments: object) -> Reply | None:
        """Run a tool as it is; None if it refuses."""
        self.charge(name, arguments)
        try:
            return TOOL_BY_NAME[name].run(self.office, arguments)
        except Refused:
            return None

    def write(self, address: str, actions: list[BargainAction]) -> Answers:
        text = ""
        if self._log is not None:  # which alone reads it
            text = letter(
                {"action": a.kind, "sku_id": a.sku, "price": a.price, "quantity": a.quantity} for a in actions
            )
        self.charge("chatbox", {"uid": address, "content": text})
        supplier = self.account.world.supplier_by_email[address.lower()]
        message = ReadMessage(tuple(actions), "")
        response = converse(self.office.desk, self.account, SilentVoice(), supplier, "", message)
        return Answers(
            {answer.sku: answer.price for answer in response.answers if answer.verdict == "Offer" and answer.price},
            [(o.sku, o.quantity, o.agreed_price) for o in response.orders if o.refusal is None and o.agreed_price],
            response.closed,
        )

    def wait(self) -> None:
        """With several seats the morning comes once the last of them waits."""
        self.charge(WAIT, {})
        end_day(self.account)
        begin_tomorrow(self.account.market)
