"""The reference pages say what the code does: tools, rules and metrics."""

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from docs.site_build.reference import PAGES as GENERATED
from docs.site_build.reference import meanings
from reference import outdated
from tool_samples import Sample, demonstrate

import ecbench
from ecbench.metrics.losses.shelves import watch_shelves
from ecbench.metrics.measures import MEASURES, Field
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.record.lines import End
from ecbench.runs.results.database import COLUMNS
from ecbench.runs.results.derived_files import Counters, run_section, seat_results
from ecbench.suppliers.scams import SCHEMES
from ecbench.tools.catalog import TOOL_BY_NAME, TOOLS
from ecbench.tools.negotiation import ERRORS
from ecbench.tools.office import Refused
from ecbench.world.load import load_world
from ecbench.world.world_folder import COLUMNS as WORLD_COLUMNS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), DOCS.parent / "README.md")}
Samples = dict[str, list[Sample]]

# The page is about the eighteen tools; docs/conduct.md has what the rules of conduct and talking add to them.
OTHER_TOOLS = ("statements.py", "talk.py")
CLAIM_ERRORS = ("bad_claim", "claim_")
FORMER_PRICE = "was must be"


def test_what_follows_from_the_code_stands_in_the_pages_as_it_is() -> None:
    assert outdated() == [], "python benchmarks/reference.py --write brings the pages up to date"


def test_links_between_the_pages_lead_somewhere() -> None:
    for name, text in PAGES.items():
        folder = DOCS.parent if name == "README.md" else DOCS
        for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", text):
            if target in GENERATED:
                continue
            assert not target or (folder / target).exists(), f"{name} links to {target}"
            headings = re.findall(r"^#+ (.+)$", PAGES.get(Path(target).name or name, ""), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert not anchor or anchor in anchors, f"{name} links to {target}#{anchor}"


# docs/tools.md


@pytest.fixture(scope="module")
def samples() -> Samples:
    return demonstrate()


def test_every_tool_is_shown_at_work_and_failing(samples: Samples) -> None:
    assert set(samples) == {*TOOL_BY_NAME, "fly"}
    for tool in TOOLS:
        assert any(sample.shape is None for sample in samples[tool.name]), tool.name
        assert any(sample.shape is not None for sample in samples[tool.name]), tool.name


def test_a_failure_has_the_shape_that_is_said_of_it(samples: Samples) -> None:
    for name, shown in samples.items():
        for sample in shown:
            reply = sample.reply
            if sample.shape == "bare":
                assert set(reply) == {"error"}, (name, sample.when)
            elif sample.shape == "refused":
                says_no = {} if TOOL_BY_NAME[name].bare_errors else {"success": False}
                assert reply.items() >= says_no.items() and {"error", "current_time"} <= set(reply), (name, sample.when)
            else:
                assert reply.get("success") is not False, (name, sample.when)


def test_every_refusal_of_the_tools_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: set[tuple[str, int]] = set()
    make = Refused.__init__

    def note(self: Refused, message: str, *, missing: float = 0.0) -> None:
        place = sys._getframe(1)
        raised.add((Path(place.f_code.co_filename).name, place.f_lineno))
        make(self, message, missing=missing)

    monkeypatch.setattr(Refused, "__init__", note)
    demonstrate()
    sites = list(refusals())
    assert len(sites) > 25
    for file, first, last in sites:
        assert any((file, line) in raised for line in range(first, last + 1)), f"{file}, line {first}, is never shown"


def refusals() -> Iterator[tuple[str, int, int]]:
    for path in Path(ecbench.__file__).parent.joinpath("tools").glob("*.py"):
        if path.name in OTHER_TOOLS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                called = node.exc.func
                if isinstance(called, ast.Name) and called.id == "Refused" and FORMER_PRICE not in ast.unparse(node):
                    yield path.name, node.lineno, node.end_lineno or node.lineno


def test_every_error_of_a_letter_is_shown(samples: Samples) -> None:
    told = json.dumps([sample.reply for sample in samples["chatbox"]])
    assert all(f'"error_code": "{code}"' in told for code in ERRORS if not code.startswith(CLAIM_ERRORS))
    assert all(f'"{message}"' in told for message in ("message_sent", "broadcast_sent", "supplier_bankrupt"))
    assert all(f'"error": "{error}"' in told for error in ("no_uid_provided", "supplier_not_found"))
    for order_error in ("orders here are for members", "the bank holds", "the quantity must be at least 1"):
        assert f'"order_error": "{order_error}' in told
    assert "units are left for you this week" in told


# docs/rules.md


# The days of a year, and the letters and days of an example.
OTHER_FIGURES = {"12", "240", "365"}


def figures_of(value: Any) -> Iterator[float]:
    """Every number of a rule, as it is and in percent, of the whole or of the rest."""
    if isinstance(value, int | float):
        yield from (round(each, 6) for each in (value, 100 * value, 100 - 100 * value))
    elif isinstance(value, Mapping | Sequence):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from figures_of(part)


def test_every_number_of_the_game_in_words_is_one_of_the_rules() -> None:
    known = {figure for value in DEFAULT_RULES.values().values() for figure in figures_of(value)}
    told = set(re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", PAGES["rules.md"].partition("## Changing the constants")[0]))
    assert {text for text in told if float(text.replace(",", "")) not in known} <= OTHER_FIGURES and len(told) > 40


def test_the_game_in_words_names_every_scam_and_how_long_suppliers_last() -> None:
    assert all(f"| `{scam}` |" in PAGES["rules.md"] for scam in SCHEMES)
    limits = [supplier.order_limit for supplier in load_world("default").suppliers]
    assert f"closes for good after {min(limits)} to {max(limits)} orders" in " ".join(PAGES["rules.md"].split())


# The generated reference


@pytest.mark.parametrize("table", COLUMNS)
def test_every_column_is_explained_in_its_order(table: str) -> None:
    assert list(meanings()["tables"][table]["columns"]) == list(COLUMNS[table])


@pytest.mark.parametrize("name", WORLD_COLUMNS)
def test_every_key_and_column_of_a_world_is_explained(name: str) -> None:
    assert list(meanings()["world"][name]) == [column.name for column in WORLD_COLUMNS[name]]


def leaves(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from leaves(part, f"{path}.{name}" if path else name)
    else:
        yield path


def test_every_field_of_the_report_is_explained_and_no_other() -> None:
    episode = ecbench.Episode(load_world("default"), days=40)
    watch_shelves(episode.account)
    play_year(get_merchant("haggler", days=40), episode)
    report = dict(seat_results(episode, End("year_end", 1.0, 1, 1, 1), Counters(), "template").report)
    del report["run"]
    found = set(leaves(report))
    read = {measure.read.path for measure in MEASURES.values() if isinstance(measure.read, Field)}
    told = [field for field in meanings()["fields"] if not field.startswith("run.")]
    unexplained = {leaf for leaf in found - read if not any(fnmatchcase(leaf, field) for field in told)}
    assert unexplained == set()
    assert [field for field in told if not any(fnmatchcase(leaf, field) for leaf in found)] == []


def test_every_field_that_a_run_adds_is_explained() -> None:
    section = run_section(End("year_end", 1.0, 1, 1, 1), Counters(), "template")
    told = [field for field in meanings()["fields"] if field.startswith("run.")]
    read = {measure.read.path for measure in MEASURES.values() if isinstance(measure.read, Field)}
    fields = {f"run.{name}" for name in leaves(section)}
    counted = {"run.calls_by_tool"}  # empty here; its tools stand in the bands
    assert {field for field in fields - read - counted if not any(fnmatchcase(field, one) for one in told)} == set()
