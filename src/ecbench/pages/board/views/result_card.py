"""The picture of a result, to be sent to others."""

from collections.abc import Sequence
from typing import Any

from ecbench.formatting import yuan
from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.templates_env import board_part

LONGEST_NAME = 40  # characters
LEFT, WIDTH, TOP, HEIGHT = 64, 1072, 330, 200  # of the curves
PARS = ("race-1", "race-2", "race-3")  # colours


def card_picture(result: dict[str, Any], curve: Sequence[float], name: str) -> str:
    """An SVG of what `year_end` says of a year and its par, with its total assets by day and the player's name."""
    card, stake = result["card"], result["stake"]
    main = LIGHT["bad" if card["bankrupt"] else "accent"]
    par = [(each.name, each.curve, LIGHT[colour]) for each, colour in zip(result["par"], PARS, strict=False)]
    days = max(1, len(curve) - 1)
    shown = [*((values, ink, 2.5) for _, values, ink in reversed(par)), (curve, main, 5)]
    amounts = [0.0, stake, *(amount for values, _, _ in shown for amount in values)]
    least, most = min(amounts), max(amounts)

    def points(values: Sequence[float]) -> str:
        return " ".join(
            f"{LEFT + WIDTH * min(day, days) / days:.1f},{TOP + HEIGHT * (most - amount) / (most - least):.1f}"
            for day, amount in enumerate(values)
        )

    lines = [(points(values), ink, width) for values, ink, width in shown]
    named = [(each, ink) for each, _, ink in par]
    return board_part("card", **card, colours=LIGHT, main=main, name=name[:LONGEST_NAME], stake=yuan(stake),
                      base=points([stake] * (days + 1)), lines=lines, named=named)  # fmt: skip
