"""Money: what is where, and moving settled revenue to the bank."""

from collections.abc import Collection
from datetime import date

from ecbench.decimals import money
from ecbench.market.ledger import withdraw as move_to_bank
from ecbench.market.marketplace import iso
from ecbench.sums import ordered_sum
from ecbench.tools.arguments import Arguments, optional_number
from ecbench.tools.office import NOTHING, Office, Refused, Reply

UPCOMING_DATES = 5
WITHDRAWAL_SLACK = 0.005  # an agent may ask for the rounded balance it was shown


def check_balance(office: Office, arguments: Arguments) -> Reply:
    account, purse = office.account, office.account.books.purse
    unshipped = [goods.net for sales in account.books.pending for goods in sales.goods]
    return {
        "bank_balance": money(purse.bank),
        "platform_wallet": money(purse.wallet),
        "pending_settlement": money(purse.escrow),
        "unshipped_sales_value": money(ordered_sum(unshipped)) if unshipped else NOTHING,
        "total": money(purse.total),
        "upcoming_settlements": _upcoming_settlements(office),
        "day": account.market.day,
        "date": account.market.date.isoformat(),
        "note": "All costs leave the bank. Shipped revenue waits in settlement, then in the wallet until withdrawn.",
    }


def _upcoming_settlements(office: Office) -> dict[str, float]:
    shown: dict[str, float] = {}
    for matures, batch in office.account.books.purse.batches.items():
        if len(shown) == UPCOMING_DATES:
            break
        held = [amount for amount in batch if amount]
        if held:  # refunds may have emptied it
            shown[iso(date.fromordinal(matures))] = added_in_cents(held)
    return shown


def added_in_cents(amounts: Collection[float]) -> float:
    """Rounded after every addition."""
    total = 0.0
    for amount in amounts:
        total = money(total + amount)
    return total


def withdraw(office: Office, arguments: Arguments) -> Reply:
    amount = optional_number(arguments, "amount")
    purse = office.account.books.purse
    if amount is None or amount <= 0:
        amount = purse.wallet
        if amount <= 0:
            raise Refused("the wallet is empty; revenue arrives there some days after its orders ship")
    elif amount > purse.wallet + WITHDRAWAL_SLACK:
        raise Refused(
            f"the wallet holds ¥{purse.wallet:,.2f}; withdraw at most that, or leave amount out for all of it"
        )
    amount = min(amount, purse.wallet)
    move_to_bank(purse, amount)
    return {
        "success": True,
        "withdrawn": money(amount),
        "bank_balance": money(purse.bank),
        "platform_wallet": money(purse.wallet),
    }
