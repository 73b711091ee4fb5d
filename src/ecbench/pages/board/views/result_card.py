"""The picture of a result, to be sent to others."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ecbench.formatting import yuan
from ecbench.pages.report.colours import LIGHT

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

    def line(values: Sequence[float], ink: str, width: float, dash: str = "") -> str:
        points = (
            f"{LEFT + WIDTH * min(day, days) / days:.1f},{TOP + HEIGHT * (most - amount) / (most - least):.1f}"
            for day, amount in enumerate(values)
        )
        return f'<polyline points="{" ".join(points)}" stroke="{ink}" stroke-width="{width}"{dash}/>'

    lines = [
        line([stake] * (days + 1), LIGHT["muted"], 1.5, ' stroke-dasharray="6 6"'),
        *(line(*each) for each in shown),
    ]
    texts = {key: escape(str(value)) for key, value in card.items()}
    return Template((files("ecbench.pages.board.server") / "static/card.svg").read_text(encoding="utf-8")).substitute(
        {key: LIGHT[key] for key in ("paper", "ink", "muted")},
        **texts,
        main=main,
        name=escape(name[:LONGEST_NAME]),
        stake=yuan(stake),
        lines="".join(lines),
        names="".join(f'<tspan fill="{ink}" dx="16">— {escape(name)}</tspan>' for name, _, ink in par),
    )
