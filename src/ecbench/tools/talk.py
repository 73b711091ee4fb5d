"""Talk between merchants of one market: messages, which a seat reads with its next replies, and payments."""

from typing import Final

from ecbench.agent_text import hidden_character
from ecbench.decimals import money
from ecbench.market.journal import MessageReceived, MoneyReceived
from ecbench.market.ledger import FEES, credit, pay
from ecbench.market.marketplace import Account
from ecbench.tools.arguments import Arguments, required_number, required_text
from ecbench.tools.office import Office, Refused, Reply, Tool, number_schema, object_schema, text_schema

LONGEST_MESSAGE: Final = 2_000  # characters
EVERYBODY: Final = "all"


def send_message(office: Office, arguments: Arguments) -> Reply:
    """To one seat, or to all that are in business."""
    text, to = required_text(arguments, "text"), arguments.get("to", EVERYBODY)
    if not text.strip() or len(text) > LONGEST_MESSAGE:
        raise Refused(f"text must have 1 to {LONGEST_MESSAGE:,} characters")
    if hidden := hidden_character(text):
        raise Refused(f"the text holds the character {hidden}, which is not shown; leave it out")
    own = office.account
    readers = _others(own) if to == EVERYBODY else [_seat(own, to)]
    for account in readers:
        account.post(MessageReceived(own.seat, text))
    return {"success": True, "sent_to": [account.seat for account in readers]}


def pay_merchant(office: Office, arguments: Arguments) -> Reply:
    """From bank to bank, at once."""
    amount, account = money(required_number(arguments, "amount")), _seat(office.account, arguments.get("to"))
    purse = office.account.books.purse
    if amount <= 0:
        raise Refused("amount must be above 0")
    if amount > purse.bank:
        raise Refused(f"the bank holds ¥{purse.bank:,.2f}", missing=amount - purse.bank)
    pay(purse, FEES, amount)
    credit(account.books.purse, FEES, amount)
    account.post(MoneyReceived(office.account.seat, amount))
    return {"success": True, "paid": amount, "to": account.seat, "bank_balance": money(purse.bank)}


def _others(own: Account) -> list[Account]:
    return [account for account in own.market.in_business if account.seat != own.seat]


def _seat(own: Account, seat: object) -> Account:
    others = _others(own)
    for account in others:
        if type(seat) is int and account.seat == seat:
            return account
    known = ", ".join([str(account.seat) for account in others]) or "none"
    raise Refused(f"to must be the seat of another merchant in business; they are: {known}")


_SEAT = {"type": "integer", "description": "Seat of another merchant, from 0."}
TALK_TOOLS = (
    Tool(
        "send_message",
        10,
        f"Write to another merchant of the market, or to all of them, up to {LONGEST_MESSAGE:,} characters; they read "
        "it with their next replies. Takes 10 minutes.",
        object_schema(
            ("text",),
            text=text_schema("What to write."),
            to={"description": "Seat of another merchant, or 'all' (default).", "anyOf": [_SEAT, text_schema("'all'")]},
        ),
        send_message,
    ),
    Tool(
        "pay",
        10,
        "Pay another merchant of the market from your bank. Takes 10 minutes.",
        object_schema(("to", "amount"), to=_SEAT, amount=number_schema("Yuan, above 0.")),
        pay_merchant,
    ),
)
