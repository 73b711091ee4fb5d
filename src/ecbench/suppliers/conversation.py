"""One message to one supplier: read, decide, order, word, remember."""

from dataclasses import dataclass

from ecbench.market.year import Year
from ecbench.suppliers.catalog import catalog_of
from ecbench.suppliers.desk import MERCHANT, Letter, SupplierDesk
from ecbench.suppliers.grammar import read_message
from ecbench.suppliers.orders import MEMBERSHIP_FEE, OrderResult, place_orders
from ecbench.suppliers.sessions import Answer, decide
from ecbench.suppliers.voices.template import closure_notice
from ecbench.suppliers.voices.voice import Scene, Voice
from ecbench.world.model import Supplier


@dataclass(slots=True)
class Exchange:
    reply: str
    answers: list[Answer]
    orders: list[OrderResult]
    closed: bool = False  # the supplier had closed before this message


def converse(desk: SupplierDesk, year: Year, voice: Voice, supplier: Supplier, content: str) -> Exchange:
    letters = desk.letters.setdefault(supplier.name, [])
    if supplier.name in desk.closed:
        notice = closure_notice(supplier, len(letters) // 2)
        _remember(desk, year, supplier, content, notice)
        return Exchange(notice, [], [], closed=True)
    message = read_message(content)
    answers = [decide(desk.book, year.world, supplier, action, year.day) for action in message.actions]
    scene = Scene(
        supplier=supplier,
        catalog=catalog_of(year.world, supplier),
        number=len(letters) // 2,
        prose=message.prose,
        answers=answers,
        orders=[],
        member=supplier.name in desk.members,
        membership_fee=year.rules.membership_fee,
        letters=letters,
        deals=desk.deals.get(supplier.name, ()),
    )
    orders = place_orders(desk, year, supplier, answers, fee=_owes_fee(voice, scene))
    if orders:
        scene.orders, scene.member = orders, supplier.name in desk.members
    reply = _with_order_lines(voice.reply(scene), orders)
    exchange = _remember(desk, year, supplier, content, reply)
    if orders and any(order.placed for order in orders):
        desk.deals.setdefault(supplier.name, []).append(exchange)
    return Exchange(reply, answers, orders)


def _owes_fee(voice: Voice, scene: Scene) -> bool:
    """Any earlier letter of the supplier counts as its pitch, so a first message is never charged."""
    if scene.supplier.scam != "vip_fee" or scene.member or scene.number == 0:
        return False
    return voice.hears_membership(scene)


def _remember(desk: SupplierDesk, year: Year, supplier: Supplier, content: str, reply: str) -> tuple[Letter, Letter]:
    exchange = (
        Letter(MERCHANT, year.date, year.minute, content),
        Letter(supplier.name, year.date, year.minute, reply),
    )
    desk.letters[supplier.name].extend(exchange)
    return exchange


def _with_order_lines(reply: str, orders: list[OrderResult]) -> str:
    return "\n".join([reply, "---", *map(_order_line, orders)]) if orders else reply


def _order_line(order: OrderResult) -> str:
    if order.sku == MEMBERSHIP_FEE:
        return (
            f"Membership fee received: ¥{order.charged:,.2f}."
            if order.refusal is None
            else f"Membership fee not charged: {order.refusal}."
        )
    if order.refusal is not None:
        return f"Order not placed: {order.sku} x{order.quantity}: {order.refusal}."
    return f"Order confirmed: {order.sku} x{order.quantity} at ¥{order.unit_price:,.2f} per unit."
