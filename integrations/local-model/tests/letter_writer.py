"""A merchant that writes two letters and leaves."""

from typing import Any

from ecbench.players.merchants.protocol import Play, call


class LetterWriter:
    """Asks for two catalogs, the shortest and the longest of the default world."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        for category in ("Snacks & Nuts", "Underwear & Loungewear"):
            (found,) = yield [call("supplier_search", category=category)]
            address = next(
                each["supplier_email"] for each in found["results"] if each["categories_served"] == [category]
            )
            yield [call("chatbox", uid=address, content="Good morning. What do you sell?")]
