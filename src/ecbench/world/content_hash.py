"""A world's id: a hash of what its files say, not of how they say it."""

import json
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date


def content_id(content: object) -> str:
    """SHA-256 of a tree of dataclasses, mappings, sequences, sets, dates, numbers and texts.

    Equal numbers count as equal (8 and 8.0), mappings and sets have no order, sequences do. Fields that a
    dataclass leaves out of its comparison do not count.
    """
    import hashlib  # noqa: PLC0415 - it loads OpenSSL, and most years need no id

    text = json.dumps(_plain(content), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, str | int) or value is None:
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return _plain_group(value)


def _plain_group(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(value[key]) for key in sorted(value)}
    if isinstance(value, Set):
        return sorted(json.dumps(_plain(item), ensure_ascii=False) for item in value)
    if isinstance(value, date):
        return value.isoformat()
    if is_dataclass(value):
        return [_plain(getattr(value, f.name)) for f in fields(value) if f.compare]
    raise TypeError(f"a world holds no {type(value).__name__}, so its id cannot be taken: {value!r}")
