"""The JSON of a run folder, parsed at the edge: a value of another type than it should have goes no further."""

import json
from collections.abc import Mapping
from threading import Lock
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.gate import is_too_deep

Kind = TypeVar("Kind")
Yuan = Annotated[float, Meta(ge=-1e18, le=1e18)]
"""More than any year can bring; neither infinite nor NaN, and far from where sums overflow."""

_TOO_DEEP = f"nested more than {DEEPEST_AROUND} deep"

_encode = msgspec.json.Encoder().encode
_quickly = msgspec.json.Decoder().decode

_worked_out: set[Any] = set()
_one_at_a_time = Lock()


def encode(value: Mapping[str, Any] | msgspec.Struct) -> bytes:
    """JSON without spaces. Half of a surrogate pair, as in the name of a file, has no UTF-8 form and is escaped."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode()


def parse(content: bytes) -> Any:
    """What `json.loads` reads, in half the time and up to a depth. Raises ValueError."""
    try:
        try:
            value = _quickly(content)
        except (msgspec.MsgspecError, ValueError):  # NaN, infinities, long numbers and half surrogate pairs
            value = json.loads(content)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if content.count(b"[") + content.count(b"{") > DEEPEST_AROUND and is_too_deep(value, DEEPEST_AROUND):
        raise ValueError(_TOO_DEEP)
    return value


def typed(value: Any, kind: type[Kind]) -> Kind:
    """Raises ValueError, which names the field, where `value` is not of this kind."""
    if kind not in _worked_out:
        with _one_at_a_time:  # two threads in which msgspec meets a class at once crash the process
            msgspec.json.Decoder(kind)
            _worked_out.add(kind)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        what, at, field = str(error).replace("`", "").partition(" - at $.")
        what = what[:1].lower() + what[1:]
        raise ValueError(f"{field}: {what}" if at else what) from error
