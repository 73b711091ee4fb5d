"""What went wrong in a reply, in Inspect's terms."""

from inspect_ai.tool import ToolCallError


def call_error(reply: str) -> ToolCallError | None:
    fault = fault_of(reply)
    return None if fault is None else ToolCallError("unknown", fault)
