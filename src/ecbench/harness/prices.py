"""Prices of models: the dated list in the package, and which price holds."""

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Annotated

from msgspec import Meta, Struct, convert

from ecbench.harness.settings import CacheTtl, ModelSettings, Price
from ecbench.ranges import PRICE

OLD_DAYS = 180  # after which a list is called old

WRITE_MULTIPLES: Mapping[CacheTtl, float] = {"5m": 1.25, "1h": 2.0}
"""What Anthropic charges for a token written to its cache, in multiples of its input price."""

_SNAPSHOT = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")  # the date at the end of a model's id

Dollars = Annotated[float, Meta(ge=PRICE.least, le=PRICE.most)]


class ListedPrice(Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars per million tokens; what is not given costs as much as other input."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None
    write_5m: Dollars | None = None
    write_1h: Dollars | None = None

    def price(self, ttl: CacheTtl) -> Price:
        """The price with a cache that holds so long."""
        return Price(self.input, self.output, self.cached, self.write_1h if ttl == "1h" else self.write_5m)


class PriceList(Struct, frozen=True):
    """Prices by `provider/model`, and the day on which they held."""

    date: datetime.date
    source: str
    models: dict[str, ListedPrice]

    def find(self, model: str) -> ListedPrice | None:
        """The price of a model. One whose name ends in a date has the price of the name before it."""
        return self.models.get(model) or self.models.get(_SNAPSHOT.sub("", model))

    def age(self, today: datetime.date) -> str:
        """The date, and for an old list how old it is."""
        days = (today - self.date).days
        return f"prices as of {self.date}" + (f": {days:,} days old, check your provider" if days > OLD_DAYS else "")


@cache
def packaged_prices() -> PriceList:
    """The list that comes with ecbench."""
    return convert(tomllib.loads(files("ecbench.harness").joinpath("data", "prices.toml").read_text()), PriceList)


def known_price(settings: ModelSettings, ttl: CacheTtl | None = None) -> Price | None:
    """The price that holds for a model: the one that was given, else the listed one; None where neither is known.

    A listed price is the provider's own, so it does not hold for a model behind another address. `ttl` is that of
    the cache that was written to, where it is not the one of the settings.
    """
    ttl = ttl or settings.cache_ttl
    price = settings.price
    if price is None and settings.base_url is None:
        listed = packaged_prices().find(settings.name)
        price = listed.price(ttl) if listed else None
    if price is not None and price.write is None and writes_to_cache(settings.name):
        price = replace(price, write=price.input * WRITE_MULTIPLES[ttl])
    return price


def writes_to_cache(model: str) -> bool:
    """Whether a provider charges for what it writes to its cache: Anthropic, and others that serve its models."""
    return model.startswith("anthropic/") or "claude" in model
