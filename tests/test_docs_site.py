"""The documentation as a site: one index lists every page, and the tutorials do what they say."""

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import pytest
from docs.site_build.index_page import groups_of, llms_text, pages_on_disk
from tests.cli.command import Command
from tests.harness.protocols.playing import WAIT
from tests.harness.servers.conversation import KEY
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.wire import serve

DOCS = Path(__file__).parents[1] / "docs"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")
SHORT = {"--days": "5", "--worlds": "1-2"}  # in place of what a tutorial gives these options

Typed = Callable[[str], Command]


def test_the_index_lists_every_page_once_in_four_groups() -> None:
    groups = groups_of(INDEX)
    listed = [entry.page for entries in groups.values() for entry in entries]
    assert list(groups) == ["Tutorials", "How-to", "Reference", "Explanation"]
    assert sorted(listed) == sorted(pages_on_disk(DOCS))


def test_llms_txt_has_the_summary_and_a_line_for_every_page() -> None:
    text = llms_text(INDEX)
    assert text.startswith("# E-Commerce Bench\n\n> Can an AI agent run a business for a year?")
    assert len(re.findall(r"^- \[.+\]\([\w-]+\.md\): .+\.$", text, re.MULTILINE)) == len(pages_on_disk(DOCS))


def test_links_between_pages_of_the_site_lead_to_files(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    done = run(build, cwd=DOCS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = set(tmp_path.rglob("*.html")) - {tmp_path / "404.html"}  # its links are those of a server's root
    links = {
        page.parent / link
        for page in pages
        for link in re.findall(r'href="(?!https?:|#)([^"#?]+)', page.read_text(encoding="utf-8"))
    }
    assert tmp_path / "repository" / "README.zh.html" in links
    assert not [link for link in links if not link.exists()]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Run a line of a tutorial in an empty folder, with shorter years."""
    monkeypatch.chdir(tmp_path)

    def command(line: str) -> Command:
        words = shlex.split(line)[1:]
        for option, value in SHORT.items():
            if option in words:
                words[words.index(option) + 1] = value
        return Command(capsys, *words)

    return command


def lines_of(page: str) -> list[str]:
    return re.findall(r"^\$ (ecbench .+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def scripts_of(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_merchant_of_the_tutorial_plays_and_its_heir_is_compared_with_it(typed: Typed) -> None:
    first, second = scripts_of("first-merchant.md")
    Path("first.py").write_text(f"{first}\n\n{second}")
    for line in lines_of("first-merchant.md"):
        done = typed(line)
        assert done.code == 0, done.err
    assert "first.py:Second" in done.out


def test_the_model_of_the_tutorial_plays_on_a_server(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    dialect = OpenAIChat()
    monkeypatch.setenv(dialect.key_variable, KEY)
    with serve(dialect, lambda _: WAIT) as server:
        for line in lines_of("first-model.md"):
            if line.startswith("ecbench doctor"):
                continue  # this server knows one answer, and the doctor asks for several
            named = line.replace("openai/MODEL", f"{dialect.agent} -M base_url={server.url} -M price=1,1")
            done = typed(named)
            assert done.code == 0, (named, done.err)
    assert Path("runs/ten-days/report.html").exists()


@pytest.mark.parametrize("number", [0, 1])
def test_the_scripts_of_the_training_tutorial_run(tmp_path: Path, number: int) -> None:
    script = scripts_of("first-training.md")[number]
    shorter = script.replace("DAYS = 60", "DAYS = 5").replace("[:3]", "[:1]")
    done = run([sys.executable, "-c", shorter], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "yuan in rewards" in done.stdout or "held-out worlds" in done.stdout
