"""What went wrong in a reply, in Inspect's terms."""

import json

from inspect_ai.tool import ToolCallError


def fault_of(reply: str) -> str | None:
    """What a reply says went wrong; None where the tool did what it was asked to."""
    told = json.loads(reply)
    fault = told.get("error") if isinstance(told, dict) else None
    return str(fault) if fault else None


def call_error(reply: str) -> ToolCallError | None:
    fault = fault_of(reply)
    return None if fault is None else ToolCallError("unknown", fault)
