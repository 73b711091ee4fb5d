"""The merchant that does nothing: what a year without trade costs."""

from typing import Any

from ecbench.players.merchants.protocol import Play, call


class Idle:
    """Waits for every next day and never opens a store, so the idle charge ends it in bankruptcy."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        while True:
            yield [call("wait_for_next_day")]
