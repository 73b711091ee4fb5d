"""Static SVG whose colours are CSS variables, so that one drawing is right on a light page and on a dark one."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

import vl_convert

Spec = Mapping[str, Any]
"""A chart in Vega-Lite's words."""

INK, MUTED, GRID, ACCENT = "var(--ink)", "var(--muted)", "var(--grid)", "var(--accent)"

LARGER = 1.25  # than it is drawn, at most

# Coordinates are cut at a hundredth of a pixel: more digits only make a page longer.
_PLACES = re.compile(r'\b(?:d|transform)="[^"]*"')
_LONG = re.compile(r"(\.\d\d)\d+")
# The drawing as a whole has a label for screen readers; its parts need no roles and no names.
_ROLES = re.compile(r' (?:role|aria-[\w-]+)="[^"]*"')

_AXIS = {"labelColor": INK, "titleColor": MUTED, "domainColor": GRID, "tickColor": GRID, "gridColor": GRID}
CONFIG: Spec = {
    "background": "transparent",
    # A reader's font may be wider than the one the labels were measured with.
    "padding": {"left": 18, "right": 16, "top": 5, "bottom": 5},
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        **_AXIS,
        "labelFontSize": 11,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "labelLimit": 200,
        "titlePadding": 8,
    },
    "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
    "legend": {"labelColor": INK, "titleColor": MUTED, "orient": "bottom", "labelFontSize": 11, "titleFontSize": 11},
    "title": {"anchor": "start", "fontSize": 11, "fontWeight": "normal", "color": MUTED, "offset": 8},
    "header": {"labelColor": INK, "titleColor": MUTED, "labelFontSize": 11},
}


def drawn(spec: Spec) -> str:
    svg: str = vl_convert.vegalite_to_svg({**spec, "config": {**CONFIG, **spec.get("config", {})}})
    return _ROLES.sub("", _PLACES.sub(lambda found: _LONG.sub(r"\1", found[0]), svg))


def inline(svg: str, key: str, label: str) -> str:
    """The drawing as part of a page: scaled by its box, named for screen readers, its ids its own.

    Its size is an attribute, since the policy of a page forbids styles beside its style sheet.
    """
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{key}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", svg)
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)
    most = f"{float(width[1]) * LARGER:.0f}" if width else ""
    svg = re.sub(r'<svg [^>]*?width="[\d.]+" height="[\d.]+"', f'<svg width="{most}"', svg, count=1)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def alone(svg: str, colours: Mapping[str, str]) -> str:
    """The drawing as a separate file on white, its colours written out."""
    svg = re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)
    return svg.replace("><", '><rect width="100%" height="100%" fill="#ffffff"/><', 1)
