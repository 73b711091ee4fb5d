"""The templates, style sheets and content security policies of pages."""

import base64
from functools import cache
from hashlib import sha256
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from ecbench.formatting import yuan
from ecbench.pages.report.colours import style_rules

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
    pages.filters["yuan"] = yuan
    return pages


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
