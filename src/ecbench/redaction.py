"""Redaction of secrets: a known key is replaced in every text before it is recorded, acted on or printed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

REDACTED = "[redacted]"
SHORTEST = 8  # characters of a key with letters and digits
SHORTEST_PLAIN = 20  # of any other: `placeholder` and `not-needed` are given as keys too, and are words of letters

# `token` only at the end of a name: a limit such as max_tokens is no secret.
_SECRET_NAME = re.compile(
    r"api[-_]?key|access[-_]?key|secret|passw(or)?d|credential|authorization|cookie|token$|^(key|sig|signature)$",
    re.IGNORECASE,
)


class _Secrets:
    """The values that are known, as one pattern."""

    def __init__(self) -> None:
        self.values: frozenset[str] = frozenset()
        self.pattern: re.Pattern[str] | None = None

    def add(self, values: Iterable[str]) -> None:
        known = self.values | set(values)
        if known != self.values:
            self.values = known
            written = known | {quote(value, safe="") for value in known}  # as the query of an address has it
            self.pattern = re.compile("|".join(map(re.escape, sorted(written, key=len, reverse=True))))


_secrets = _Secrets()


def protect(*values: str) -> None:
    """Redact these values from now on; words of them that are too short or too plain to be keys are left out."""
    _secrets.add(word for value in values for word in value.split() if _is_key(word))


def protected() -> tuple[str, ...]:
    """The known secrets, for a process that works for this one."""
    return tuple(_secrets.values)


def redacted(text: str) -> str:
    """The text without known secrets."""
    return text if _secrets.pattern is None else _secrets.pattern.sub(REDACTED, text)


def redacted_json(value: Any) -> Any:
    """A JSON value without known secrets, in keys as in texts."""
    if _secrets.pattern is None:
        return value
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, Mapping):
        return {redacted_json(key): redacted_json(each) for key, each in value.items()}
    return [redacted_json(each) for each in value] if isinstance(value, list | tuple) else value


def has_secret_name(name: str) -> bool:
    """Whether an option, a header or a variable of that name holds a secret."""
    return _SECRET_NAME.search(name) is not None


def named_secrets(options: Any) -> Iterator[tuple[str, str]]:
    """The names and texts that look like secrets in options of a model, its headers and the query of its address."""
    if isinstance(options, Mapping):
        for name, value in options.items():
            if has_secret_name(str(name)) and not isinstance(value, Mapping | list | bool | None):
                yield str(name), str(value)
            else:
                yield from named_secrets(value)
    elif isinstance(options, list | tuple):
        for value in options:
            yield from named_secrets(value)
    elif isinstance(options, str) and "://" in options and len(options.split()) == 1:
        yield from _in_address(options)


def _in_address(address: str) -> Iterator[tuple[str, str]]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return
    if parts.password:
        yield "password", parts.password
    yield from ((name, value) for name, value in parse_qsl(parts.query) if has_secret_name(name))


def _is_key(word: str) -> bool:
    mixed = any(sign.isdigit() for sign in word) and any(sign.isalpha() for sign in word)
    return len(word) >= (SHORTEST if mixed else SHORTEST_PLAIN)
