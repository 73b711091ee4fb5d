"""ecbench agents: who can play without a model."""

from ecbench.cli.options import JsonOption
from ecbench.cli.plain_text import say, say_json
from ecbench.players.merchants.registry import DEFAULT_MERCHANT, LISTINGS


def agents(as_json: JsonOption = False) -> None:
    """List the merchants that play without a model."""
    if as_json:
        facts = [
            {
                "name": listing.name,
                "description": listing.description,
                "reads_hidden_state": listing.reads_hidden_state,
                "default": listing.name == DEFAULT_MERCHANT,
            }
            for listing in LISTINGS
        ]
        say_json(facts)
        return
    width = max(len(listing.name) for listing in LISTINGS)
    for listing in LISTINGS:
        say(f"{listing.name:<{width}}  {listing.description}")
    say(
        "\nYour own: --agent module:Class or --agent file.py:Class; examples/my_merchant.py shows one.\n"
        "A model: --agent provider/model."
    )
