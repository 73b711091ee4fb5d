"""What MkDocs is asked to do beside rendering: navigation from the index, pages for linked files, llms.txt."""

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from docs.site_build.index_page import groups_of, llms_text
from docs.site_build.reference import PAGES
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

OUTSIDE = re.compile(r"\]\(\.\./(?P<path>[\w./-]+\.(?:md|py|ipynb|toml|yaml))(?P<anchor>#[\w-]+)?\)")
"""A link from a page to a file of the repository outside of docs/."""
FOLDER = "repository"  # of the site, for pages that show such files
LANGUAGES = {".py": "python", ".toml": "toml", ".yaml": "yaml"}
SHOWN = {".md", ".ipynb", *LANGUAGES}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    groups = groups_of(_index(config))
    config.nav = [
        {"Home": "index.md"},
        *[{name: [{entry.title: entry.page} for entry in entries]} for name, entries in groups.items()],
        {"Generated": [{page.title: path} for path, page in PAGES.items()]},
    ]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and every linked file of the repository with what it links to in turn."""
    for path, generated in PAGES.items():
        files.append(File.generated(config, path, content=f"# {generated.title}\n\n{generated.text()}\n"))
    root, waiting, shown = _root(config), [], set()
    for file in files.documentation_pages():
        waiting += [found["path"] for found in OUTSIDE.finditer(file.content_string)]
    while waiting:
        path = waiting.pop()
        if path not in shown and (root / path).is_file():
            shown.add(path)
            content = _page_of(root, PurePosixPath(path))
            files.append(File.generated(config, _place(path), content=content))
            linked = re.finditer(rf"\]\((?:\.\./)*{FOLDER}/(?P<path>[^)#]+)\.md", content)
            waiting += [name for found in linked for name in (found["path"], f"{found['path']}.md")]
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Lead links that leave docs/ to the pages that show those files."""
    if page.file.src_uri.startswith((FOLDER, "reference/")):
        return markdown
    return OUTSIDE.sub(lambda found: f"]({_place(found['path'])}{found['anchor'] or ''})", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """A head without text is an empty cell: screen readers would announce a column without a name."""
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def on_post_build(config: MkDocsConfig) -> None:
    """Beside the pages: their Markdown, and llms.txt, which lists it."""
    site = Path(config.site_dir)
    for page in Path(config.docs_dir).glob("*.md"):
        (site / page.name).write_bytes(page.read_bytes())
    for path, generated in PAGES.items():
        (site / path).write_text(f"# {generated.title}\n\n{generated.text()}\n", encoding="utf-8")
    lines = [f"- [{page.title}]({path}): {page.about}" for path, page in PAGES.items()]
    text = llms_text(_index(config)) + "\n## Generated\n\n" + "\n".join(lines) + "\n"
    (site / "llms.txt").write_text(text, encoding="utf-8")


def _page_of(root: Path, path: PurePosixPath) -> str:
    text = (root / path).read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return "\n\n".join(_parts_of(json.loads(text)))
    if path.suffix != ".md":
        return f"# {path}\n\n````{LANGUAGES[path.suffix]}\n{text.rstrip()}\n````\n"
    up = "../" * len(PurePosixPath(_place(str(path))).parent.parts)

    def followed(found: re.Match[str]) -> str:
        target = _joined(path.parent, found["target"])
        anchor = found["anchor"] or ""
        if target.parts[0] == "docs" and len(target.parts) > 1:
            return f"]({up}{PurePosixPath(*target.parts[1:])}{anchor})"
        if (root / target).is_file():
            return f"]({up}{_place(str(target))}{anchor})" if target.suffix in SHOWN else f"]({target})"
        return f"]({found['target']}{anchor})"

    return re.sub(r"\]\((?P<target>(?!https?:|#)[\w./-]+)(?P<anchor>#[\w-]+)?\)", followed, text)


def _parts_of(notebook: dict[str, Any]) -> Iterator[str]:
    """A notebook's cells as Markdown, code with what it printed."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
        for output in cell.get("outputs", []):
            yield "```text\n{}\n```".format("".join(output["text"]).rstrip())


def _joined(folder: PurePosixPath, target: str) -> PurePosixPath:
    parts: list[str] = list(folder.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return PurePosixPath(*parts)


def _place(path: str) -> str:
    """Where the site shows a file of the repository."""
    return f"{FOLDER}/{path}" if path.endswith(".md") else f"{FOLDER}/{path}.md"


def _root(config: MkDocsConfig) -> Path:
    return Path(config.docs_dir).parent


def _index(config: MkDocsConfig) -> str:
    return (Path(config.docs_dir) / "index.md").read_text(encoding="utf-8")
