"""Talking to suppliers: the chatbox, which carries prose and structured bargaining in one message."""

from typing import Any

from ecbench.agent_text import DEEPEST, LONGEST_NUMBER
from ecbench.decimals import money
from ecbench.market.marketplace import iso
from ecbench.rules import Rules
from ecbench.suppliers.conversation import converse
from ecbench.suppliers.grammar import LONGEST_BLOCK, LONGEST_PROMISE
from ecbench.suppliers.records import MEMBERSHIP_FEE, MERCHANT, Decision, Exchange, OrderResult
from ecbench.tools.arguments import BadArguments, shown
from ecbench.tools.office import CLOCK, Office, object_schema, text_schema
from ecbench.tools.outcome import REPLY_BUDGET, SUPPLIER_CLOSED

CHATBOX_DESCRIPTION = """\
Write to one or more suppliers. Fenced blocks in the text are actions of a negotiation, each holding one JSON object, \
a list of them, or one per line:

```negotiate
{"action": "offer", "sku_id": "a1b2c3d4e5f6", "price": 12.50, "quantity": 40}
```

Actions:
- offer: bid a unit price for a quantity. The supplier accepts, counters or walks away. If it accepts, the order is \
placed and charged to your bank at once.
- accept: take the supplier's last quote for the SKU; `price` must repeat that quote (to the cent) and `quantity` says \
how many. The order is placed and charged at once.
- reject: end the talks on that SKU.
Text outside the blocks is sent as the message. One message may carry several blocks; they are decided in order, and \
then ordered in order, each against what is left in the bank."""
BINDING = """ A bid is decided only if it can be ordered: its quantity is at least 1, the bank holds its price and the \
supplier still delivers as many units this week. One message may carry one bid for a SKU."""


CLAIMS = f""" An offer may carry `claim`: \
{{"rival_quote": {{"supplier": "sales@example.com", "price": 11.80}}}} tells what another supplier asks for the same \
SKU, {{"volume": {{"units": 400, "days": 60}}}} promises to order so many units of it here within so many days \
(at most {LONGEST_PROMISE}). Suppliers take both into account. The platform's terms: claims must be true and promises \
kept."""


def chatbox_description(rules: Rules) -> str:
    return CHATBOX_DESCRIPTION + (BINDING if rules.binding_bids else "") + (CLAIMS if rules.conduct else "")


_PARAMETERS = object_schema(
    ("content",),
    uid=text_schema("E-mail address of the supplier, as supplier_search lists it."),
    uids={
        "type": "array",
        "items": {"type": "string"},
        "description": "Several addresses: the same message goes to each, in this order, in one call.",
    },
    content=text_schema("The message: free text and negotiate blocks."),
    history_count={
        "type": "integer",
        "default": 0,
        "description": "How many of the latest messages with the supplier, both sides, to return with the reply.",
    },
)
CHATBOX_PARAMETERS: dict[str, Any] = {**_PARAMETERS, "additionalProperties": False}

ERRORS = {
    "unknown_sku": "this supplier does not sell that SKU; ask it for its catalog",
    "accept_missing_price": "an accept needs a price: repeat the supplier's last quote",
    "accept_price_mismatch": "the price is not the supplier's last quote; accept exactly that quote or make an offer",
    "bid_too_high": "a bid may be at most {highest_bid:g} times the reference price; nothing was decided",
    "second_bid": "a message may carry one bid for a SKU; nothing was decided",
    "quantity_too_small": "the quantity must be at least 1; nothing was decided",
    "beyond_supply": "the supplier does not deliver that many units to you this week; nothing was decided",
    "insufficient_funds": "the bank does not hold the price of this bid beside what this message agreed; nothing was "
    "decided",
    "no_active_negotiation": "there are no open talks on this SKU; start them with an offer",
    "bad_claim": "an offer may carry one claim, rival_quote with supplier and a price above 0, or volume with whole "
    "units from 1 and days from 1 to {longest_promise}; nothing was decided",
    "claim_supplier": "the claim names no supplier: give an address that supplier_search lists; nothing was decided",
    "claim_itself": "the claim names the supplier that you write to; nothing was decided",
    "claim_other_goods": "the supplier that the claim names does not sell that SKU; nothing was decided",
}
NO_UID = "give the supplier's e-mail address in uid, or several in uids; supplier_search lists them"
NOT_SENT = f"not sent: the replies of the other suppliers have used up the {REPLY_BUDGET:,} characters of one turn"
RESPONSE_CHARACTERS = 100  # of the answer to one action, at least
OVER_LIMIT = (
    f"not a negotiate block: one has at most {LONGEST_BLOCK:,} characters, brackets nested {DEEPEST} deep and numbers "
    f"of {LONGEST_NUMBER} digits. Blocks of this message that were not read: {{blocks}}"
)
NOT_FOUND = "no supplier has this address; supplier_search lists the addresses"


def chatbox(office: Office, arguments: dict[str, Any]) -> dict[str, Any]:
    uids, uid = arguments.get("uids"), arguments.get("uid")
    if uids is None and isinstance(uid, str):
        addresses = uid.replace(",", " ").split()
    else:
        addresses = _address_list("uids", uids) + _address_list("uid", uid)
    if len(addresses) > 1:
        addresses = _each_once(addresses)
    content = arguments.get("content")
    if content is None:
        content = ""
    elif not isinstance(content, str):
        raise BadArguments(f"argument 'content' must be a string; got {shown(content)}")
    history_count = arguments.get("history_count")
    if history_count is None:
        history_count = 0
    elif isinstance(history_count, bool) or not isinstance(history_count, int):
        raise BadArguments(f"argument 'history_count' must be a whole number; got {shown(history_count)}")
    if len(addresses) == 1:
        return _deliver(office, addresses[0], content, history_count)
    if not addresses:
        return {"error": "no_uid_provided", "note": NO_UID}
    responses, size = [], 0
    for address in addresses:
        if size > REPLY_BUDGET:
            office.note_item_error()
            response: dict[str, Any] = {"error": "not_sent", "note": NOT_SENT}
        else:
            response = _deliver(office, address, content, history_count)
            size += _size(response)
        response["current_time"] = office.current_time
        response["uid"] = address
        responses.append(response)
    return {"message": "broadcast_sent", "recipients": len(addresses), "responses": responses}


def _size(response: dict[str, Any]) -> int:
    """Characters of what one supplier answers, roughly."""
    letters = sum(len(row["content"]) for row in response.get("conversation_history", ()))
    actions = RESPONSE_CHARACTERS * len(response.get("negotiation_responses", ()))
    return len(response.get("supplier_reply", "")) + letters + actions


def _each_once(addresses: list[str]) -> list[str]:
    found: dict[str, str] = {}
    for address in addresses:
        found.setdefault(address.lower(), address)
    return list(found.values())


def _address_list(name: str, value: object) -> list[str]:
    """A list, or a string with commas or spaces between addresses."""
    if value is None:
        return []
    entries = value if isinstance(value, list) else [value]
    addresses: list[str] = []
    for entry in entries:
        if not isinstance(entry, str):
            raise BadArguments(f"argument {name!r} must hold e-mail addresses as strings; got {shown(entry)}")
        addresses += entry.replace(",", " ").split()
    return addresses


def _deliver(office: Office, address: str, content: str, history_count: int) -> dict[str, Any]:
    supplier = office.account.world.supplier_by_email.get(address.lower())
    if supplier is None:
        office.note_item_error()
        return {"error": "supplier_not_found", "note": NOT_FOUND}
    response = converse(office.desk, office.account, office.voice, supplier, content)
    reply: dict[str, Any] = {
        "message": SUPPLIER_CLOSED if response.closed else "message_sent",
        "supplier_reply": response.reply,
    }
    if response.closed:
        office.note_item_error()
    if response.over_limit:
        reply["note"] = OVER_LIMIT.format(blocks=response.over_limit)
    if response.answers:
        reply["negotiation_responses"] = _responses(office, response.answers, response.orders)
    if response.orders:
        _report_orders(office, response.orders, reply)
    if history_count > 0:
        reply["conversation_history"] = _history(office.desk.exchanges[supplier.name], history_count)
    return reply


def _responses(office: Office, answers: list[Decision], orders: list[OrderResult]) -> list[dict[str, Any]]:
    responses, results = [], {}
    for order in orders:
        results[order.sku] = order
    for answer in answers:
        response: dict[str, Any] = {
            "sku_id": answer.sku,
            "decision": answer.verdict,
            "price": answer.price,
            "round": answer.round,
        }
        if answer.error_code is not None:
            office.note_item_error()
            response["error"] = ERRORS[answer.error_code].format(
                highest_bid=office.account.rules.highest_bid, longest_promise=LONGEST_PROMISE
            )
            response["error_code"] = answer.error_code
        elif answer.verdict == "Accept":
            # A SKU agreed twice in one message shows its last order in both places.
            _attach_order(response, answer, results[answer.sku])
        responses.append(response)
    return responses


def _attach_order(response: dict[str, Any], answer: Decision, order: OrderResult) -> None:
    response["agreed_price"] = answer.price
    if order.refusal is None:
        response["order_placed"] = True
        response["charged_per_unit"] = order.unit_price
        response["charged_total"] = order.total
    else:
        response["order_placed"] = False
        response["order_error"] = order.refusal


def _report_orders(office: Office, orders: list[OrderResult], reply: dict[str, Any]) -> None:
    placed, failed = [], []
    charged = 0.0
    for order in orders:
        if order.refusal is None:
            placed.append(_order_row(order))
            if office.account.conduct is not None:
                placed[-1]["order_id"] = order.number
            charged += order.charged
        else:
            office.note_item_error(order.missing)
            failed.append(_order_row(order))
    if placed:
        reply["order_confirmed"] = True
        reply["total_charged"] = placed[0]["charged"] if len(placed) == 1 else money(charged)
        reply["remaining_balance"] = money(office.account.books.purse.bank)
        reply["orders_placed"] = placed
    if failed:
        reply["order_failed"] = True
        reply["failed_orders"] = failed
        if len(failed) == 1:
            reply["error"] = failed[0]["error"]


def _order_row(order: OrderResult) -> dict[str, Any]:
    """A fee has no price that was agreed, and one that failed no quantity."""
    row: dict[str, Any] = {"sku_id": order.sku}
    if order.placed or order.sku != MEMBERSHIP_FEE:
        row["quantity"] = order.quantity
    if order.sku != MEMBERSHIP_FEE:
        row["agreed_price"] = order.agreed_price
    if order.placed:
        row["charged"] = order.total
    else:
        row["error"] = order.refusal
    return row


def _history(exchanges: tuple[Exchange, ...], count: int) -> list[dict[str, str]]:
    rows = []
    for exchange in exchanges[-(count // 2 + 1) :]:
        timestamp = f"{iso(exchange.day)} {CLOCK[exchange.minute]}"
        rows.append({"from": MERCHANT, "timestamp": timestamp, "content": exchange.content})
        rows.append({"from": exchange.supplier, "timestamp": timestamp, "content": exchange.reply})
    return rows[-count:]
