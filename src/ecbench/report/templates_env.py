"""The templates that pages are made of."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from ecbench.number_words import yuan


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
