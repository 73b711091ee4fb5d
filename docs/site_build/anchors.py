"""The anchors of headings, as code hosts make them, so that a link works there and on the site."""

import re


def anchor_of(heading: str, separator: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", separator)
