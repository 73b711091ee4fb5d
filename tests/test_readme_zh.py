"""README.zh.md says what README.md says: the same commands, links and figures, section by section."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def sections_of(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.split(r"^## ", text, flags=re.MULTILINE)


SECTIONS = list(zip(sections_of("README.md"), sections_of("README.zh.md"), strict=True))


def blocks_of(section: str) -> list[str]:
    """Code without its comments; of the folder tree the names alone."""
    found = []
    for language, text in FENCE.findall(section):
        if text.startswith("src/ecbench/"):
            found.append(" ".join(line.split()[0] for line in text.splitlines()))
        else:
            found.append(re.sub(r" +#(?: |$).*", "", text) if language != "text" else text)
    return found


def prose_of(section: str) -> str:
    return " ".join(FENCE.sub("", section).split())


@pytest.mark.parametrize(("english", "chinese"), SECTIONS, ids=[section.partition("\n")[0] for section, _ in SECTIONS])
def test_a_section_has_the_same_code_links_and_figures_in_both_languages(english: str, chinese: str) -> None:
    assert blocks_of(chinese) == blocks_of(english)
    for wanted in (r"`[^`]+`", r"\]\(([^)]+)\)", r"¥?\d[\d,.]*\d%?"):
        told, said = (set(re.findall(wanted, prose_of(section))) for section in (english, chinese))
        assert told - {"README.zh.md"} == said - {"README.md"}
