"""The templates, style sheets and content security policies of pages."""

import base64
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from ecbench.formatting import yuan
from ecbench.pages.reply_blocks import yuan_and_fen
from ecbench.pages.report.colours import style_rules

BOARD = "ecbench.pages.board"
REPORT = "ecbench.pages.report"  # whose templates and style sheets other packages of pages share


@cache
def page_templates(package: str = REPORT) -> Environment:
    """The templates of a package; those of reports are found beside them."""
    pages = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, REPORT))]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters |= {"yuan": yuan, "yuan_and_fen": yuan_and_fen}
    return pages


def board_part(name: str, /, **values: Any) -> str:
    """A part of a page of the board."""
    return page_templates(BOARD).get_template(f"{name}.html.j2").render(**values)


def offer_ladder(quotes: Sequence[float], offers: Sequence[float], *prices: float | None, **who: str) -> str:
    """The drawing of a bargain; `prices` are its floor, the reference price and that of a deal."""
    module: Any = page_templates().get_template("ladder.html.j2").module
    return str(module.offer_ladder([*quotes], [*offers], *prices, **who))


def page_style(name: str, components: str = "") -> str:
    """The colours by day and by night, the rules that all pages share, those of components and those of one page."""
    return f"\n{style_rules()}{page_asset('page.css')}{components}{page_asset(name)}"


def page_asset(name: str, package: str = REPORT) -> str:
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


def content_policy(style: str, script: str = "") -> str:
    """Allows one style sheet and one script, which stand in the page, and no request."""
    scripts = f"script-src '{_hash(script)}'; " if script else ""
    return f"default-src 'none'; {scripts}style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
