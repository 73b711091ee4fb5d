"""What all pages of a site have in common: style, script, content security policy and the links at the top."""

from pathlib import Path
from typing import Any

from markupsafe import Markup

from ecbench.pages.components.bundle import asset, bundle
from ecbench.pages.report.templates_env import content_policy, page_asset, page_style, page_templates
from ecbench.redaction import redacted

PACKAGE = "ecbench.season.site"
SCRIPT = Path(__file__).parent / "static" / "site.js"
TOP, BELOW = "", "../../"  # from a page to the first one


def render_page(template: str, root: str, title: str, *, sortable: bool = False, **parts: Any) -> str:
    """A page from a template. `sortable` adds the script that sorts tables; without it a page has none."""
    style = page_style("report.css", asset("components.css") if sortable else "") + page_asset("site.css", PACKAGE)
    script = f"\n{bundle(SCRIPT)}" if sortable else ""
    frame = {"policy": content_policy(style, script), "style": Markup(style), "script": Markup(script)}
    return redacted(page_templates(PACKAGE).get_template(template).render(title=title, root=root, **frame, **parts))
