"""What `make release-check` finds without building anything, and that it finds what is wrong."""

from pathlib import Path

import pytest
from release import check
from release.check import Checklist

PROJECT = '[project]\nversion = "1.0"\n[project.urls]\nRepository = "https://example.org"\n'


def test_this_repository_states_one_version_and_its_readme_links_to_files_that_exist() -> None:
    found = Checklist()
    check.check_versions(found)
    check.check_readme(found)
    assert found.wrong == []


@pytest.mark.parametrize(
    ("changelog", "citation", "readme", "wrong"),
    [
        ("## 1.0", "version: 1.0", "[here](pyproject.toml#x)", 0),
        ("## 0.9", "version: 1.0", "", 1),
        ("## 1.0", "version: 1.1", "![a picture](none.png)", 2),
    ],
)
def test_a_stale_version_and_a_broken_link_are_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changelog: str, citation: str, readme: str, wrong: int
) -> None:
    for name, text in (("pyproject.toml", PROJECT), ("CHANGELOG.md", changelog), ("CITATION.cff", citation)):
        (tmp_path / name).write_text(text)
    (tmp_path / "README.md").write_text(readme)
    monkeypatch.setattr(check, "ROOT", tmp_path)
    found = Checklist()
    check.check_versions(found)
    check.check_readme(found)
    assert (len(found.wrong), found.exit_code()) == (wrong, 1 if wrong else 0)


def test_what_could_not_be_tried_has_an_exit_code_of_its_own() -> None:
    found = Checklist()
    found.leave_untried("Python 3.99")
    assert found.exit_code() == check.UNTRIED
