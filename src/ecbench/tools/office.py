"""What a tool is, what it works on, and how it writes JSON."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from orjson import dumps

from ecbench.market.books import Store
from ecbench.market.marketplace import Account
from ecbench.rules import Rules
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice
from ecbench.tools.arguments import Arguments

Reply = dict[str, object]
CLOCK: Final = tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))


class Refused(Exception):
    """A call that cannot be carried out as things stand. The message says what would be right."""

    def __init__(self, message: str, *, missing: float = 0.0) -> None:
        super().__init__(message)
        self.missing = missing  # yuan that the bank lacked


@dataclass(slots=True)
class Office:
    """A merchant's desk: the account, the correspondence with suppliers, and the voice they speak with."""

    account: Account
    desk: SupplierDesk
    voice: Voice
    tools: "Mapping[str, Tool]"  # by name, those of the rules
    # Items of the call at hand that were not carried out, and the yuan that the bank lacked for one of them, at most.
    item_errors: int = 0
    missing: float = 0.0

    @property
    def current_time(self) -> str:
        return f"{self.account.market.today} {CLOCK[self.account.minute]}"

    def note_item_error(self, missing: float = 0.0) -> None:
        """The reply of the call at hand will report an item that was not carried out."""
        self.item_errors += 1
        self.missing = max(self.missing, missing)

    def copy(self, account: Account) -> "Office":
        """The office of the same merchant in a copy of its marketplace."""
        return Office(account, self.desk.copy(), self.voice, self.tools)


# What replies show where there is nothing to add: a whole number. A compiled sum would be the float 0.0.
NOTHING: object = 0


def json_text(prepared: object) -> str:
    """For replies that are put together from prepared text."""
    try:
        return dumps(prepared).decode()
    except TypeError:  # a world may hold text that no UTF-8 does
        return json.dumps(prepared, separators=(",", ":"))


def open_store_named(office: Office, store_id: str) -> Store:
    store = office.account.books.stores.get(store_id)
    if store is None or not store.is_open:
        state = "does not exist" if store is None else "is closed"
        ids = [s.id for s in office.account.books.trading]
        choice = f"open stores: {', '.join(ids)}" if ids else "no store is open; open one with open_store"
        raise Refused(f"store {store_id[:40]!r} {state}; {choice}")
    return store


@dataclass(frozen=True, slots=True)
class Tool:
    """One of the agent's tools: its description, its parameters, and the function behind it."""

    name: str
    minutes: int  # of the working day
    description: str | Callable[[Rules], str]  # a function where it states a figure of the rules
    parameters: dict[str, Any]
    run: Callable[[Office, Arguments], Reply]
    bare_errors: bool = False  # a refusal is {"error"} without "success": false
    strict: bool = False  # unknown arguments are refused, at no cost

    def schema(self, rules: Rules) -> dict[str, Any]:
        """OpenAI function style."""
        text = self.description if isinstance(self.description, str) else self.description(rules)
        function = {"name": self.name, "description": text, "parameters": self.parameters}
        return {"type": "function", "function": function}


def object_schema(required: tuple[str, ...] = (), **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def text_schema(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def number_schema(description: str) -> dict[str, Any]:
    return {"type": "number", "description": description}


def list_schema(description: str, items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": items}
