"""Letters to suppliers and their answers: what was written, what was decided, and what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ecbench.formatting import counted
from ecbench.pages.reply_blocks import (
    Block,
    KnownNames,
    ShownCall,
    fields_of,
    table,
    units,
    yuan_and_fen,
)
from ecbench.suppliers.catalog import price_list_in
from ecbench.suppliers.grammar import BargainAction, read_message
from ecbench.suppliers.records import MEMBERSHIP_FEE
from ecbench.tools.outcome import SUPPLIER_CLOSED

MOST_SENTENCES = 3  # on goods of a supplier, and on suppliers; more are counted
MEANINGS = {"Offer": "asks", "Reject": "talks ended", "Error": "not decided"}


def letter_reply(call: ShownCall) -> tuple[str, list[Block]]:
    """The sentence and the blocks of a letter that was sent, to one supplier or several."""
    answers = call.reply.get("responses", [call.reply])
    asked = {action.sku: action for action in read_message(str(call.given.get("content") or "")).actions}
    to = [call.names.supplier(answer.get("uid", call.given.get("uid"))) for answer in answers]
    shown = [written_letter(f"To {', '.join(to)}", str(call.given.get("content") or ""), call.names)]
    sentences = []
    for who, answer in zip(to, answers, strict=True):
        rows = [_decided(each, answer, asked) for each in answer.get("negotiation_responses", ())]
        shown += _answer(call, who, answer, rows)
        sentences.append(_meaning(call, who, answer, rows))
    return " ".join(_first(sentences, "more answer")), shown


def _first(sentences: list[str], rest: str) -> list[str]:
    """The first few, and how many more there are."""
    more = len(sentences) - MOST_SENTENCES
    return sentences if more <= 0 else [*sentences[:MOST_SENTENCES], f"{counted(more, rest)}."]


def written_letter(title: str, content: str, names: KnownNames) -> Block:
    """A letter of the agent: its words, and each action of its negotiate blocks as a line."""
    read = read_message(content)
    if not read.actions:
        return Block("letter", title, (), [(content,)])
    return Block("letter", title, (), [(read.prose,), *((_action(action, names),) for action in read.actions)])


def _action(action: BargainAction, names: KnownNames) -> str:
    goods = names.goods(action.sku)
    if action.kind == "reject":
        return f"reject {goods}"
    price = "" if action.price is None else f" {yuan_and_fen(action.price)}"
    return f"{action.kind}{price} for {units(action.quantity)} of {goods}"


def _decided(each: Mapping[str, Any], answer: Mapping[str, Any], asked: Mapping[str, BargainAction]) -> dict[str, Any]:
    """A decision as a row: what it means, and how many units it was about."""
    action = asked.get(each["sku_id"])
    row = {**each, "problem": each.get("error") or each.get("order_error")}
    if each["decision"] != "Accept":
        ended = each["decision"] == "Reject" and action is not None
        by = "you ended the talks" if ended and action and action.kind == "reject" else "the supplier walked away"
        return {**row, "meaning": by if ended else MEANINGS[each["decision"]]}
    placed = each["order_placed"]
    orders = answer.get("orders_placed" if placed else "failed_orders", ())
    quantity = next((order["quantity"] for order in orders if order["sku_id"] == each["sku_id"]), None)
    price = each["charged_per_unit"] if placed else each["agreed_price"]
    return {**row, "meaning": "ordered" if placed else "agreed, not ordered", "quantity": quantity, "price": price}


def _answer(call: ShownCall, who: str, answer: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The supplier's decisions, its letter, its price list, and the letters before."""
    text = str(answer.get("supplier_reply", ""))
    listed, words = price_list_in(text)
    shown = [table(call, "Decisions", fields_of(["decisions"]), rows)]
    shown += [Block("letter", who, (), [(call.names.in_letter(words),)])] if words else []
    shown.append(table(call, "Price list", fields_of(["price_list"]), [asdict(row) for row in listed]))
    past = answer.get("conversation_history", ())
    shown += [
        Block("letter", f"{row['from']}, {row['timestamp']}", (), [(call.names.in_letter(row["content"]),)])
        for row in past
    ]
    return shown


def _meaning(call: ShownCall, who: str, answer: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """What a supplier's answer means: an agreed price that was not ordered is not a deal."""
    if "supplier_reply" not in answer:
        return f"Not sent to {who}: {answer.get('note') or answer['error']}."
    if answer["message"] == SUPPLIER_CLOSED:
        return f"{who} has closed for good."
    fee = _membership(who, answer)
    problems_first = sorted(rows, key=lambda row: not row["problem"])
    decided = [_sentence(who, call.names.goods(row["sku_id"]), row) for row in problems_first]
    return " ".join([*fee, *_first(decided, "more decision")]) or f"{who} has answered."


def _membership(who: str, answer: Mapping[str, Any]) -> list[str]:
    paid = [order for order in answer.get("orders_placed", ()) if order["sku_id"] == MEMBERSHIP_FEE]
    unpaid = [order for order in answer.get("failed_orders", ()) if order["sku_id"] == MEMBERSHIP_FEE]
    return [
        *(f"Paid {who} a membership fee of {yuan_and_fen(order['charged'])}." for order in paid),
        *(f"The membership fee of {who} was not paid: {order['error']}." for order in unpaid),
    ]


def _sentence(who: str, goods: str, row: Mapping[str, Any]) -> str:
    if row["decision"] == "Offer":
        return f"{who} asks {yuan_and_fen(row['price'])} for {goods}."
    if row["decision"] != "Accept":
        return f"{goods}: {row['problem'] or row['meaning']}."
    agreed = yuan_and_fen(row["agreed_price"])
    if not row["order_placed"]:
        return f"{goods}: {agreed} was agreed, but nothing was ordered: {row['problem']}."
    price, paid = yuan_and_fen(row["price"]), yuan_and_fen(row["charged_total"])
    differs = "" if price == agreed else f", not the {agreed} that were agreed"
    return f"Ordered {row['quantity']:,} of {goods} at {price}{differs}: {paid} paid."
