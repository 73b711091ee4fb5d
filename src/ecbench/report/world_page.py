"""A world as one page: pictures and tables, no scripts, nothing loaded from elsewhere."""

from pathlib import Path

from ecbench.report.templates_env import page_templates
from ecbench.report.world_charts import draw_world
from ecbench.report.world_summary import WorldSummary


def write_world_page(summary: WorldSummary, path: Path) -> None:
    path.write_text(render_world_page(summary), encoding="utf-8", newline="\n")


def render_world_page(summary: WorldSummary) -> str:
    return page_templates().get_template("world.html.j2").render(world=summary, pictures=draw_world(summary))
