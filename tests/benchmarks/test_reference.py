"""The reference pages say what the code does: tools, rules and metrics."""

import ast
import json
import re
import sys
from collections.abc import Iterator
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


def test_the_game_in_words_has_the_numbers_of_the_rules() -> None:
    rules, page = DEFAULT_RULES, " ".join(PAGES["rules.md"].split())
    knees = rules.price_return_knees
    for phrase in (
        f"starts with ¥{rules.stake:,.0f} in the bank",
        f"in up to {rules.max_stores} stores",
        f"from {rules.opening_hour:02d}:00 to {rules.closing_hour}:00",
        f"A call that would reach {rules.closing_hour}:00 acts on the next morning",
        f"waits for {rules.ship_deadline_days} days and is then cancelled",
        f"charge of ¥{rules.idle_charge:,.0f} if no store is open after day {rules.idle_grace_days}",
        f"less {rules.commission:.0%} commission",
        f"after {rules.escrow_days} days the rest goes to the wallet",
        f"{rules.unpaid_limit} mornings in a row with the bank below zero end the business",
        f"monthly sales / 30 x {rules.platform_share} x",
        f"weekend**: {rules.weekend_factor} on",
        f"x discount / {rules.full_boost_discount:.2f}",
        f"at most {rules.return_cap}",
        f"A defective unit has a return rate of {rules.defective_floor:.2f}, or twice its natural rate",
        f"{knees[0][1]} at {knees[0][0]} of the reference price, {knees[1][1]:g} at it, {knees[2][1]} at {knees[2][0]} "
        f"times and {knees[3][1]} from {knees[3][0]} times on",
        f"fast costs {rules.freight_factor['fast']:g} times as much and has {rules.speed_return_factor['fast']} times",
        f"slow costs {rules.freight_factor['slow']} times as much and has {rules.speed_return_factor['slow']} times",
        f"arrives {rules.return_days[0]} to {rules.return_days[1]} days later, is refunded",
        f"A store opens with a reputation of {rules.opening_reputation}",
        f"{rules.goodwill_base} + {rules.goodwill_span} / (1 + exp(({rules.goodwill_midpoint:g} - units shipped) / "
        f"{rules.goodwill_scale:g})) - penalty, between {rules.reputation_floor} and 1",
        f"({rules.return_weight} x returned + {rules.cancel_weight:g} x cancelled) / sold, at most {rules.penalty_cap}",
        f"fade by {1 - rules.counter_decay:.0%} a day",
        f"¥{rules.storage_rate['Small']} to ¥{rules.storage_rate['XLarge']:.2f} a day depending on its size",
        f"{rules.storage_age_steps[1][1]} times from day {rules.storage_age_steps[1][0]}, "
        f"{rules.storage_age_steps[-1][1]:g} times from day {rules.storage_age_steps[-1][0]}",
        f"shelf pays {rules.salvage_rate:.0%} of what the goods cost",
        f"Freight is ¥{rules.freight_cost['Small']:.2f} to ¥{rules.freight_cost['XLarge']:.2f} a unit",
        f"charged at once, and the goods arrive {rules.lead_days[0]} to {rules.lead_days[1]} days later",
        f"before ¥{rules.membership_fee:,.0f} are paid",
        f"delivers {rules.short_delivery[0]:.0%} to {sum(rules.short_delivery):.0%} of what was paid for".replace(
            "60% to", "60 to"
        ),
    ):
        assert phrase in page, phrase


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
