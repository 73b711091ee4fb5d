"""The one renderer: from marks and encodings as `figures.toml` states them, over Vega-Lite, to a static SVG.

A layer names a mark and for each channel a column of the rows. Whether a column holds numbers or names follows from
its values. `=` before a text makes it a fixed position on the page and `@` one on the axis. Every other key of a layer
is how its mark looks. What channels have in common (title, scale, palette) stands under `channels`. Colours are CSS
variables, so that one drawing is right on a light page and on a dark one.
"""

import re
from collections.abc import Mapping, Sequence
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

Rows = list[dict[str, Any]]

WIDTH = 300  # the drawing area; with its labels a picture fits a phone
ROW = 17
PALE = "var(--published)"
PALETTES = {
    "runs": tuple(f"var(--run-{number})" for number in range(8)),
    "parts": tuple(f"var(--part-{number})" for number in range(8)),
}
HEAT_STEPS = (0.2, 0.4, 0.6, 0.8)
HEAT = tuple(f"var(--heat-{step})" for step in range(len(HEAT_STEPS) + 1))
CHANNELS = ("x", "x2", "y", "y2", "color", "text", "size", "detail", "order", "strokeDash")
YUAN = "(datum.value < 0 ? '-' : '') + '¥' + format(abs(datum.value), '~s')"
"""A Vega expression for the labels of an axis in yuan."""
DECADES = (0, *(10**power for power in range(3, 10)))
LEGEND = {"title": None, "columns": 2, "columnPadding": 26, "labelLimit": 150, "symbolOpacity": 1}


def spec_of(chart: Mapping[str, Any], rows: Rows) -> Spec:
    """The drawing of a chart: one, panels below one another, or a facet for each value of a column."""
    if "panels" not in chart:
        return _faceted(chart, rows)
    parts = []
    for stated in chart["panels"]:
        shown = [row for row in rows if row["panel"] == stated["panel"]]
        if shown:
            parts.append((stated.get("title", ""), _faceted(stated, shown)))
    if len(parts) == 1:
        return parts[0][1]
    named = [
        {**part, "title": f"({letter}) {title}"} if title else part for letter, (title, part) in zip("abcd", parts)
    ]
    shared = chart.get("shared", ())
    own = dict.fromkeys(("color", "size", "strokeDash"), "independent")
    resolve = {"scale": own | dict.fromkeys(shared, "shared")}
    return {"vconcat": named, "spacing": chart.get("spacing", 22), "resolve": resolve}


def _faceted(chart: Mapping[str, Any], rows: Rows) -> Spec:
    layers = [each for layer in chart["layers"] for each in _layer(layer, chart, rows)]
    facet = chart.get("facet")
    names = list(dict.fromkeys(row[facet] for row in rows)) if facet else []
    single = len(names) < 2 and chart.get("single", {})
    size = {**chart, **single} if single else chart
    inside = {
        "width": size.get("width", WIDTH),
        "height": _height(size, rows),
        "layer": layers,
        **chart.get("more", {}),
    }
    if not facet:
        return {"data": {"values": rows}, **inside}
    return {
        "data": {"values": rows},
        "facet": {"field": facet, "type": "nominal", "sort": names, "header": {"title": None, "labelLimit": 170}},
        "columns": size.get("columns", 2),
        "spec": inside,
        "spacing": 14,
    }


def _height(chart: Mapping[str, Any], rows: Rows) -> float:
    """Fixed, or in proportion to the names in a column."""
    if "rows" not in chart:
        return float(chart.get("height", 200))
    count = len({row[chart["rows"]] for row in rows})
    return float(max(count * chart.get("row", ROW), chart.get("least", ROW)) + chart.get("above", 0))


def _layer(layer: Mapping[str, Any], chart: Mapping[str, Any], rows: Rows) -> list[Spec]:
    look = {**layer}
    kind, only = look.pop("mark"), look.pop("only", "")
    if kind == "text":
        look = {"fontSize": 10, "color": "ink", **look}
    if "color" in look and not (rows and look["color"] in rows[0]):  # a colour, and not a column
        look["fixed"] = _css(look.pop("color"))
    places = {name: look.pop(name) for name in CHANNELS if isinstance(look.get(name), str)}
    if kind == "heat":
        return _heat(places, chart, rows, **look)
    if kind == "whisker":  # from `low` to `high`
        kind, only, look = "rule", "isValid(datum.low)", {"strokeWidth": 1.5, **look}
        places |= {"x": "low", "x2": "high"}
    if "fixed" in look:
        look["color"] = look.pop("fixed")
    encoding = {name: _channel(name, value, chart, rows) for name, value in places.items()}
    made: dict[str, Any] = {"mark": {"type": kind, **look}, "encoding": encoding}
    return [{**made, "transform": [{"filter": only}]} if only else made]


def _css(colour: str) -> str:
    return f"var(--{'published' if colour == 'pale' else colour})"


def _channel(name: str, value: str, chart: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """A channel's encoding: a place on the page or the axis, or a column with what `channels` says of the channel."""
    more = {**chart.get("channels", {}).get(name, {})}
    if value.startswith("="):
        return {"value": float(value[1:])}
    if value.startswith("@"):
        return {"datum": float(value[1:])}
    if name == "color":
        return _colour(value, more, rows)
    if name in ("x2", "y2", "text"):
        return {"field": value, **more}
    values = [row[value] for row in rows if row.get(value) is not None]
    number = not any(isinstance(each, str) for each in values)
    if number and name in ("x", "y"):  # the layers of a chart share an axis
        values = [row[column] for column in _columns(name, chart) for row in rows if row.get(column) is not None]
    if name in ("size", "order", "detail", "strokeDash"):
        legend = {"legend": None} if name == "size" else {}
        return {"field": value, "type": "quantitative" if number else "nominal", **legend, **more}
    return _numbers(value, values, more) if number else _names(value, values, more)


def _columns(axis: str, chart: Mapping[str, Any]) -> list[str]:
    """Every column that stands on an axis; the ends of a whisker are always drawn beside their middle."""
    stated = [layer.get(name, "") for layer in chart["layers"] for name in (axis, f"{axis}2")]
    return [column for column in dict.fromkeys(stated) if column and column[0] not in "=@"]


def _names(field: str, values: Sequence[str], more: dict[str, Any]) -> dict[str, Any]:
    """In the order of the rows, whichever of them the first layer leaves out, unless `sort` says otherwise."""
    scale = {"domain": list(dict.fromkeys(values)), **more.pop("scale", {})} if "sort" not in more else {}
    return {"field": field, "type": "nominal", "title": None, "sort": None, "scale": scale, **more}


def _numbers(field: str, values: Sequence[float], more: dict[str, Any]) -> dict[str, Any]:
    kind, axis, scale = more.pop("as", ""), more.pop("axis", {}), more.pop("scale", {})
    if isinstance(axis, dict):
        axis = {"tickCount": 4, "labelOverlap": "greedy", "labelSeparation": 6, **_labels(kind, values), **axis}
    if kind.endswith("log"):
        scale = {"type": "symlog", "constant": 50_000, "nice": False, **scale}
    return {"field": field, "type": "quantitative", "title": None, "axis": axis or None, "scale": scale, **more}


def _labels(kind: str, values: Sequence[float]) -> dict[str, Any]:
    if kind == "percent":
        return {"format": ".0%"}
    if not kind.startswith("yuan"):
        return {}
    highest, lowest = max(values, default=0), min(values, default=0)
    ticks = [tick for tick in DECADES if tick == 0 or 100_000 <= tick <= 1.5 * highest]
    if lowest <= -100_000:
        ticks = [-100_000, *ticks]
    return {"labelExpr": YUAN, **({"values": ticks} if kind.endswith("log") and len(ticks) > 2 else {})}


def _colour(value: str, more: dict[str, Any], rows: Rows) -> dict[str, Any]:
    """A colour for each name; names beyond the palette are pale and have no legend: no colour is given twice."""
    if value == "published":
        return {"condition": {"test": "datum.published", "value": PALE}, "value": "var(--run-0)"}
    palette = more.pop("palette", "runs")
    legend = more.pop("legend", {})
    if isinstance(palette, dict):
        names, colours = list(palette), [_css(each) for each in palette.values()]
    else:
        names = list(dict.fromkeys(row[value] for row in rows if row.get(value) and not row.get("published")))
        known = PALETTES[palette]
        colours = [known[position] if position < len(known) else PALE for position in range(len(names))]
    shown = {**LEGEND, "values": names[: len(PALETTES["runs"])], **legend} if legend is not False else None
    scale = {"domain": names, "range": colours}
    return {"field": value, "type": "nominal", "scale": scale, "legend": shown, "sort": None, **more}


def _heat(
    places: Mapping[str, str],
    chart: Mapping[str, Any],
    rows: Rows,
    *,
    value: str,
    below: str = "",
    centre: float | None = None,
) -> list[Spec]:
    """Cells with their text `shown`, and the number `below` in small under it.

    They are coloured by a share from 0 to 1, or blue below `centre` and orange above.
    """
    position = {name: _channel(name, field, chart, rows) for name, field in places.items()}
    scale: dict[str, Any] = {"type": "threshold", "domain": HEAT_STEPS, "range": HEAT}
    deep = {"condition": {"test": f"datum.{value} >= {HEAT_STEPS[2]}", "value": "var(--on-heat)"}, "value": INK}
    if centre is not None:
        reach = max(abs(row[value] - centre) for row in rows) or 1.0
        scale = {"scheme": "blueorange", "domain": [centre - reach, centre + reach]}
        far = f"abs(datum.{value} - {centre}) > {0.7 * reach}"
        deep = {"condition": {"test": far, "value": "white"}, "value": "black"}
    shade = {"field": value, "type": "quantitative", "scale": scale, "legend": None}
    text: Spec = {"type": "text", "fontSize": 10, "dy": -4 if below else 0}
    layers: list[Spec] = [
        {"mark": "rect", "encoding": {**position, "color": shade}},
        {"mark": text, "encoding": {**position, "text": {"field": "shown"}, "color": deep}},
    ]
    if below:
        count = {"field": below, "type": "quantitative", "format": ","}
        small = {"type": "text", "fontSize": 8, "dy": 7}
        layers.append({"mark": small, "encoding": {**position, "text": count, "color": deep}})
    return layers


def drawn(spec: Spec) -> str:
    svg: str = vl_convert.vegalite_to_svg({**spec, "config": {**CONFIG, **spec.get("config", {})}})
    return _ROLES.sub("", _PLACES.sub(lambda found: _LONG.sub(r"\1", found[0]), svg))


def inline(svg: str, key: str, label: str) -> str:
    """The drawing as part of a page: scaled by its box, named for screen readers, its ids its own."""
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
