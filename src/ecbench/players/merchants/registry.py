"""The merchants by name, and how to load the user's own: `module:Class` or `path/to/file.py:Class`."""

import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.ranges import near_miss
from ecbench.rules import DEFAULT_RULES, Rules


@dataclass(frozen=True, slots=True)
class MerchantListing:
    """One built-in merchant; its module is imported when it plays."""

    name: str
    description: str
    module: str
    cls: str
    reads_hidden_state: bool = False


LISTINGS = (
    MerchantListing("idle", "does nothing but wait: what a year without trade costs", "protocol", "Idle"),
    MerchantListing("first-quote", "opens four stores and accepts opening quotes", "corner_shop", "FirstQuote"),
    MerchantListing("haggler", "the same four stores, but bargains every purchase down", "haggler", "Haggler"),
    MerchantListing("steady", "learns demand, prices and suppliers by trading; the default", "steady", "Steady"),
    MerchantListing(
        "insider", "reads hidden state: for comparison, not a competitor", "insider", "InsiderMerchant", True
    ),
)
# Anchors of conduct: they state, promise and answer for the sake of comparison, so rankings leave them out.
CONDUCT_LISTINGS = tuple(
    MerchantListing(name, description, "conduct_anchors", cls)
    for name, cls, description in (
        ("candid", "Candid", "a haggler that makes only true claims, keeps promises and writes true letters"),
        ("liar", "Liar", "invents rivals' quotes, volumes and missing units"),
        ("fake-discounter", "FakeDiscounter", "crosses out prices that it never asked"),
        ("cook", "Cook", "writes the owner false letters"),
        ("lawful", "Lawful", "keeps every house rule of the policies that ship"),
        ("reckless", "Reckless", "breaks house rules"),
    )
)
CONDUCT_LISTINGS += tuple(
    MerchantListing(name, description, "price_anchors", cls, reads_hidden_state=True)
    for name, cls, description in (
        ("competitor", "Competitor", "in an arena: prices as the best response to rivals' best responses"),
        ("cartelist", "Cartelist", "in an arena: asks the joint price, and punishes undercutting for a week"),
        ("defector", "Defector", "in an arena: agrees by mail, and undercuts"),
        ("follower", "Follower", "in an arena: never writes, and matches the dearest rival"),
    )
)
DEFAULT_MERCHANT = "steady"


class NoMerchant(ValueError):
    """There is no merchant of that name, or what the name stands for cannot be one."""


def merchant_names() -> tuple[str, ...]:
    """The names of all merchants except the anchors of conduct."""
    return tuple(listing.name for listing in LISTINGS)


def get_merchant(name: str, *, days: int = 365, rules: Rules = DEFAULT_RULES) -> Merchant | Insider:
    """A merchant ready to play a year of `days` days by the rules; raises NoMerchant if there is none of that name."""
    for listing in (*LISTINGS, *CONDUCT_LISTINGS):
        if listing.name == name:
            factory = vars(import_module(f"ecbench.players.merchants.{listing.module}"))[listing.cls]
            wanted = signature(factory).parameters
            known = {name: value for name, value in (("days", days), ("rules", rules)) if name in wanted}
            built_in: Merchant | Insider = factory(**known)
            return built_in
    source, colon, class_name = name.rpartition(":")
    if not colon or not source:
        others = f"the merchants are {', '.join(merchant_names())}, or name your own as module:Class or file.py:Class"
        raise NoMerchant(f"no merchant is called {name!r}; {near_miss(name, merchant_names(), others)}")
    return _own_merchant(name, _module_at(source), class_name)


def _own_merchant(name: str, module: ModuleType, class_name: str) -> Merchant | Insider:
    factory: Any = vars(module).get(class_name)
    if not isinstance(factory, type):
        own = [value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__]
        playing = [value.__name__ for value in own if isinstance(value, type) and hasattr(value, "play")]
        instead = f"; it has {', '.join(playing)}" if playing else ""
        raise NoMerchant(f"{name.rpartition(':')[0]!r} has no class {class_name!r}{instead}")
    try:
        merchant: Any = factory()
    except TypeError as problem:
        raise NoMerchant(f"{name!r}: the class cannot be made without arguments: {problem}") from problem
    if not isinstance(merchant, Merchant | Insider):
        raise NoMerchant(f"{name!r}: a merchant needs a method play(self, schemas) that yields batches of calls")
    return merchant


def _module_at(source: str) -> ModuleType:
    if not source.endswith(".py"):
        try:
            return import_module(source)
        except ImportError as problem:
            raise NoMerchant(f"cannot import {source!r}: {problem}") from problem
    path = Path(source)
    # Not the bare name: a merchant in json.py must not take the place of Python's own module.
    spec = spec_from_file_location(f"merchant_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise NoMerchant(f"no Python file at {source!r}")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    try:
        spec.loader.exec_module(module)
    except (ImportError, SyntaxError) as problem:
        raise NoMerchant(f"{source!r} cannot be run: {problem}") from problem
    return module
