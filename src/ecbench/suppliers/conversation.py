"""One message to a supplier: parse it, decide each action, place orders, write the reply, store both."""

from ecbench.decimals import money
from ecbench.market.economy import MINUTES
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import OrderRefused, buy, pay_membership_fee
from ecbench.suppliers.catalog import price_list_in
from ecbench.suppliers.claims import claim_problem, enter_gains, hear_claim, note_quote
from ecbench.suppliers.desk import SupplierDesk, check_supply, count_supply, left_this_week
from ecbench.suppliers.grammar import BadClaim, BargainAction, ReadMessage, read_message
from ecbench.suppliers.membership import agrees_to_pay
from ecbench.suppliers.records import MEMBERSHIP_FEE, Exchange, OrderResult, Response
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.suppliers.sessions import (
    Agreement,
    Decided,
    LetterBids,
    confirm_order,
    decide,
    refuse_action,
    withdraw_agreement,
)
from ecbench.suppliers.voices.letters import closure_notice
from ecbench.suppliers.voices.voice import Scene, Voice
from ecbench.world.model import Supplier


def converse(
    desk: SupplierDesk,
    account: Account,
    voice: Voice,
    supplier: Supplier,
    content: str,
    message: ReadMessage | None = None,
) -> Response:
    """Send a message, unless it is parsed already. A closed supplier does not read it."""
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
        if account.conduct is None:
            answer, agreement = decide(desk.book, economy, supplier, action, account.market.day, bids)
        else:
            answer, agreement = _decide_with_claim(desk, account, supplier, action, bids)
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
    if account.conduct is not None:
        for line in price_list_in(reply)[0]:
            note_quote(desk, name, line.sku, account.market.day, line.quote)
    desk.exchanges[name] = *past, Exchange(name, account.market.date, account.minute, content, reply, ordered)
    return Response(reply, answers, orders, over_limit=message.over_limit)


def _decide_with_claim(
    desk: SupplierDesk, account: Account, supplier: Supplier, action: BargainAction, bids: LetterBids | None
) -> Decided:
    """An offer with a claim that states nothing is not decided. Quotes are kept: a later claim may repeat them."""
    day, claim = account.market.day, action.claim
    if claim is not None and (problem := claim_problem(account.world, supplier, action)) is not None:
        return refuse_action(desk.book, account.economy, supplier, action, problem), None
    answer, agreement = decide(desk.book, account.economy, supplier, action, day, bids)
    if answer.error_code is None and claim is not None and not isinstance(claim, BadClaim):
        pair = desk.book.pairs[supplier.name, action.sku]
        hear_claim(desk, account, pair, claim, action.quantity, countered=answer.verdict == "Offer")
        if answer.verdict == "Offer":
            answer.price = pair.standing
    if answer.price is not None:
        note_quote(desk, supplier.name, action.sku, day, answer.price)
    return answer, agreement


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


def place_orders(
    desk: SupplierDesk, account: Account, supplier: Supplier, agreed: list[Agreement], *, fee: bool
) -> list[OrderResult]:
    """Each against the bank as the one before left it."""
    results = [_charge_fee(desk, account, supplier)] if fee else []
    served = fee and results[0].placed
    for agreement in agreed:
        result = _place(desk, account, agreement)
        results.append(result)
        served = served or result.refusal is None
    if served:
        count = desk.orders[supplier.name] = desk.orders.get(supplier.name, 0) + 1
        if count >= supplier.order_limit:
            account.closed_suppliers.add(supplier.name)
    return results


def _charge_fee(desk: SupplierDesk, account: Account, supplier: Supplier) -> OrderResult:
    try:
        order = pay_membership_fee(account, supplier.name)
    except OrderRefused as refused:
        return OrderResult(MEMBERSHIP_FEE, 1, refusal=str(refused), missing=refused.missing)
    desk.members.add(supplier.name)
    fee = order.charged
    return OrderResult(MEMBERSHIP_FEE, 1, None, fee, fee, money(fee), number=order.number)


def _place(desk: SupplierDesk, account: Account, agreement: Agreement) -> OrderResult:
    pair, agreed, quantity = agreement.pair, agreement.price, agreement.quantity
    product, supplier = pair.product, pair.supplier
    unit_price, short, defective = money(agreed), False, False
    try:
        if supplier.scam:
            scheme = SCHEMES[supplier.scam]
            if scheme.members_only and supplier.name not in desk.members:
                fee = account.rules.membership_fee
                raise OrderRefused(f"orders here are for members; the Premium Membership costs ¥{fee:,.2f}, once")
            # The floor of a fraudulent supplier is checked again here, so nothing undercuts it.
            unit_price = max(unit_price, pair.kernel.terms.reservation)
            short, defective = scheme.short, scheme.defective
        check_supply(desk, account, supplier, quantity)
        order = buy(
            account,
            supplier=supplier.name,
            product=product,
            quantity=quantity,
            unit_price=unit_price,
            short=short,
            defective=defective,
        )
    except OrderRefused as refused:
        withdraw_agreement(pair)
        return OrderResult(product.sku, quantity, agreed, refusal=str(refused), missing=refused.missing)
    confirm_order(desk.book, pair, order.number, account.market.day)
    count_supply(desk, account, supplier, quantity)
    if account.conduct is not None:
        enter_gains(desk, account, pair, quantity)
        day, morning = account.market.day, account.market.day * MINUTES + account.economy.opening_minute
        account.conduct.watch_order(day, order, account.books.orders, morning)
    return OrderResult(
        product.sku, quantity, agreed, unit_price, order.charged, money(order.charged), number=order.number
    )
