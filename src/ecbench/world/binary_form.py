"""The binary form of a shipped world, beside its files: read in a quarter of the time, with the same result.

It is used only while it belongs to the files: its digest covers them, the format's version and its own content. A form
that is missing, damaged, half written or older than its files is as good as none: the files are read then.

A form holds values that were checked when it was made. A world from elsewhere could bring one that no check has seen,
so folders other than the package's own are always read from their files. `python -m ecbench.world.generate` makes it.
"""

from collections.abc import Sequence
from dataclasses import astuple
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import DecodeError, Struct, msgpack

from ecbench.digests import blake2b
from ecbench.world.model import (
    Category,
    Event,
    MonthDay,
    Overview,
    Product,
    Promotion,
    StoreType,
    Supplier,
    World,
)
from ecbench.world.schema import FILES

BINARY_FORM = "world.msgpack"
VERSION = b"ecbench world 1\n"  # to be raised with any change of the content below, of the model or of a parser
DIGEST = 32  # bytes

_Columns = list[list[Any]]
_Texts = tuple[str, ...]


class _Content(Struct, array_like=True):
    name: str
    seed: int
    start: date
    days: int
    salt: str
    store_types: list[
        tuple[str, str, int, float, float, tuple[float, ...], _Texts, tuple[str, str, _Texts, _Texts, _Texts]]
    ]
    categories: _Columns
    products: _Columns
    suppliers: _Columns
    events: list[tuple[str, MonthDay, int, dict[str, float], float, frozenset[str] | None, str]]
    promotions: list[tuple[str, tuple[tuple[MonthDay, MonthDay], ...], float, float]]


def write_binary_form(world: World, folder: Path) -> None:
    """Write the form of the world whose files are in this folder."""
    content = _Content(
        name=world.name,
        seed=world.seed,
        start=world.start,
        days=world.days,
        salt=world.salt,
        store_types=[astuple(store_type) for store_type in world.store_types],
        categories=_columns(world.categories),
        products=_columns(world.products),
        suppliers=_columns(world.suppliers),
        events=[(e.name, e.start, e.days, dict(e.demand), e.delay, _sorted(e.delayed), e.news) for e in world.events],
        promotions=[astuple(promotion) for promotion in world.promotions],
    )
    packed = msgpack.encode(content)
    (folder / BINARY_FORM).write_bytes(_digest(folder, packed) + packed)


def read_binary_form(folder: Path) -> World | None:
    """The world in this folder, if it has a form that belongs to its files."""
    try:
        form = (folder / BINARY_FORM).read_bytes()
        packed = form[DIGEST:]
        if form[:DIGEST] != _digest(folder, packed):
            return None
        content = msgpack.decode(packed, type=_Content)
    except (OSError, DecodeError):
        return None
    return World(
        name=content.name,
        seed=content.seed,
        start=content.start,
        days=content.days,
        salt=content.salt,
        store_types=tuple(
            [
                StoreType(key, name, tier, capacity, scale, seasons, categories, Overview(*words))
                for key, name, tier, capacity, scale, seasons, categories, words in content.store_types
            ]
        ),
        categories=tuple(map(Category, *content.categories)),
        products=tuple(map(Product, *content.products)),
        suppliers=tuple(map(Supplier, *content.suppliers)),
        events=tuple(
            [
                Event(name, start, days, MappingProxyType(demand), delay, delayed, news)
                for name, start, days, demand, delay, delayed, news in content.events
            ]
        ),
        promotions=tuple([Promotion(*row) for row in content.promotions]),
    )


def _sorted(names: frozenset[str] | None) -> Any:
    """The names in an order that is the same in every process; they are read as a set."""
    return None if names is None else sorted(names)


def _columns(rows: Sequence[Category | Product | Supplier]) -> _Columns:
    return [list(column) for column in zip(*map(astuple, rows), strict=True)]


def _digest(folder: Path, content: bytes) -> bytes:
    digest = blake2b(VERSION, digest_size=DIGEST)
    for file in FILES:
        text = (folder / file).read_bytes()
        digest.update(b"%d " % len(text))
        digest.update(text)
    digest.update(content)
    return digest.digest()
