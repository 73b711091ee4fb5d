"""One message to a supplier: parse it, decide each action, place orders, write the reply, store both."""

from dataclasses import dataclass

from ecbench.market.marketplace import Account
from ecbench.suppliers.binding_bids import LetterBids
from ecbench.suppliers.desk import Exchange, SupplierDesk
from ecbench.suppliers.grammar import ReadMessage, read_message
from ecbench.suppliers.membership import agrees_to_pay
from ecbench.suppliers.orders import place_orders
from ecbench.suppliers.records import MEMBERSHIP_FEE, OrderResult
from ecbench.suppliers.scams import MEMBERS_ONLY
from ecbench.suppliers.sessions import Decision, decide
from ecbench.suppliers.voices.letters import closure_notice
from ecbench.suppliers.voices.voice import Scene, Voice
from ecbench.suppliers.weekly_supply import left_this_week
from ecbench.world.model import Supplier


@dataclass(slots=True, init=False)
class Response:
    """The result of one message."""

    reply: str
    answers: list[Decision]
    orders: list[OrderResult]
    closed: bool  # the supplier had closed before this message
    over_limit: int  # blocks of the message that exceed the limits, and were not read

    def __init__(
        self,
        reply: str,
        answers: list[Decision],
        orders: list[OrderResult],
        closed: bool = False,
        over_limit: int = 0,
    ) -> None:
        self.reply = reply
        self.answers = answers
        self.orders = orders
        self.closed = closed
        self.over_limit = over_limit


def converse(desk: SupplierDesk, account: Account, voice: Voice, supplier: Supplier, content: str) -> Response:
    """Send a message as text."""
    return answer_message(desk, account, voice, supplier, content, None)


def answer_message(
    desk: SupplierDesk, account: Account, voice: Voice, supplier: Supplier, content: str, message: ReadMessage | None
) -> Response:
    """Send a message that is parsed already, or None for one to parse. A closed supplier does not read it."""
    name, economy, fee = supplier.name, account.economy, account.rules.membership_fee
    past = desk.exchanges.get(name, ())
    if name in account.closed_suppliers:
        notice = closure_notice(supplier, len(past))
        desk.exchanges[name] = *past, Exchange(name, account.market.date, account.minute, content, notice, False)
        return Response(notice, [], [], closed=True)
    message = read_message(content) if message is None else message
    prose = message.prose
    answers, agreed = [], []
    bids = None
    if account.rules.binding_bids:
        bids = LetterBids(account.books.purse.bank, left_this_week(desk, account, supplier))
    for action in message.actions:
        answer, agreement = decide(desk.book, economy, supplier, action, account.market.day, bids)
        answers.append(answer)
        if agreement is not None:
            agreed.append(agreement)
            if bids is not None:
                bids.agree(action.sku, agreement.price, agreement.quantity)
    agrees = agrees_to_pay(prose, fee, bargains=bool(answers))  # of every letter, so that its time tells nothing
    joins = (
        supplier.scam in MEMBERS_ONLY
        and name not in desk.members
        and len(past) > 0  # any earlier letter counts as the pitch, so a first message is never charged
        and voice.hears_membership(Scene(economy, supplier, prose, answers, [], past, fee, member=False, agrees=agrees))
    )
    orders = place_orders(desk, account, supplier, agreed, fee=joins) if agreed or joins else []
    reply = voice.reply(Scene(economy, supplier, prose, answers, orders, past, fee, name in desk.members))
    ordered = False
    if orders:
        reply += "\n---"
        for order in orders:
            reply += "\n" + _order_line(order)
            ordered = ordered or order.refusal is None
        left = left_this_week(desk, account, supplier)
        if left is not None:
            reply += f"\nLeft this week: {left:,} units."
    desk.exchanges[name] = *past, Exchange(name, account.market.date, account.minute, content, reply, ordered)
    return Response(reply, answers, orders, over_limit=message.over_limit)


def _order_line(order: OrderResult) -> str:
    if order.sku == MEMBERSHIP_FEE:
        return (
            f"Membership fee received: ¥{order.charged:,.2f}."
            if order.refusal is None
            else f"Membership fee not charged: {order.refusal}."
        )
    if order.refusal is not None:
        return f"Order not placed: {order.sku} x{order.quantity}: {order.refusal}."
    price = format(order.unit_price, ",.2f")  # compiled, half the work of a format within the text
    return f"Order confirmed: {order.sku} x{order.quantity} at ¥{price} per unit."
