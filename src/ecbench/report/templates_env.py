"""The templates and style sheets of pages."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined

from ecbench.number_words import yuan
from ecbench.report.colours import DARK, LIGHT, variables


@cache
def page_templates() -> Environment:
    pages = Environment(
        loader=PackageLoader("ecbench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["yuan"] = yuan
    return pages


def page_style(name: str, components: str = "") -> str:
    """The colours by day and by night, the rules that all pages share, those of components and those of one page."""
    light, dark = f":root {{ {variables(LIGHT)} }}", f":root {{ {variables(DARK)} }}"
    # Paper is white whatever the screen is.
    colours = f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}\n@media print {{ {light} }}"
    return f"\n{colours}\n{page_asset('page.css')}{components}{page_asset(name)}"


def page_asset(name: str) -> str:
    return (files("ecbench.report") / "templates" / name).read_text(encoding="utf-8")
