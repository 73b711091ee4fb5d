"""The eighteen tools as an agent is told of them."""

import re
from typing import Any

import pytest

import ecbench
from ecbench.rules import Rules

ARGUMENTS = {
    "market_search": {"store_type", "category"},
    "supplier_search": {"product_name", "category", "store_type"},
    "list_products": {"store_type", "category"},
    "open_store": {"store_type", "store_name"},
    "close_store": {"store_id", "liquidate"},
    "check_store_status": {"store_id"},
    "set_prices": {"store_id", "prices"},
    "join_promotion": {"store_id", "event_name", "discount_rate"},
    "check_warehouse": set(),
    "publish_to_store": {"store_id", "plan"},
    "return_to_warehouse": {"store_id", "items"},
    "ship_orders": {"action", "shipment_ids", "speed"},
    "trace_return_sources": {"product_id"},
    "check_balance": set(),
    "withdraw": {"amount"},
    "chatbox": {"uid", "uids", "content", "history_count"},
    "operate_memory": {"action", "title", "content"},
    "wait_for_next_day": {"current_day"},
}
MINUTES = {  # the others take ten
    "market_search": 30,
    "open_store": 60,
    "close_store": 30,
    "publish_to_store": 20,
    "return_to_warehouse": 15,
    "ship_orders": 20,
    "chatbox": 30,
}
SCHEMAS: list[dict[str, Any]] = [schema["function"] for schema in ecbench.tool_schemas()]


def test_the_published_tools_are_there_in_function_style() -> None:
    assert [schema["type"] for schema in ecbench.tool_schemas()] == ["function"] * len(ARGUMENTS)
    assert {schema["name"] for schema in SCHEMAS} == set(ARGUMENTS)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema["name"])
def test_a_tool_takes_the_published_arguments_and_describes_each(schema: dict[str, Any]) -> None:
    parameters = schema["parameters"]
    assert set(parameters["properties"]) == ARGUMENTS[schema["name"]]
    assert set(parameters["required"]) <= ARGUMENTS[schema["name"]]
    assert all(kind["description"] and kind["type"] for kind in parameters["properties"].values())
    assert len(schema["description"]) > 40


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema["name"])
def test_parameters_are_valid_json_schema(schema: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(schema["parameters"])


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema["name"])
def test_descriptions_say_the_minutes_and_no_figure_that_is_hidden(schema: dict[str, Any]) -> None:
    """Public figures: minutes, limits on stores and notes, discounts, the enrolment lead and examples."""
    figures = set(re.findall(r"\d+(?:\.\d+)?", schema["description"].split("```")[0]))
    public = {
        "open_store": {"4"},
        "close_store": {"10"},
        "join_promotion": {"0.05", "0.50", "30"},
        "operate_memory": {"20"},
    }
    timed = {"chatbox", "wait_for_next_day"}
    minutes = set() if schema["name"] in timed else {str(MINUTES.get(schema["name"], 10))}
    assert figures == minutes | public.get(schema["name"], set())


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_call_takes_its_published_minutes(name: str) -> None:
    episode = ecbench.Episode(ecbench.load_world("default"))
    episode.act([{"name": name, "arguments": {}}])
    now = episode.now
    if name == "wait_for_next_day":
        assert (now.hour, now.minute, episode.day) == (8, 0, 1)
    else:
        assert 60 * (now.hour - 8) + now.minute == MINUTES.get(name, 10)


def test_descriptions_state_the_rules_in_force() -> None:
    usual = Rules()
    changed = usual.with_overrides(
        {
            "max_stores": 2,
            "salvage_rate": 0.25,
            "min_discount": 0.11,
            "max_discount": 0.66,
            "enrol_days": 17,
            "memory_entries": 7,
            "freight_factor": {"fast": 9.0, "standard": 3.0, "slow": 0.75},
            "speed_return_factor": {"fast": 1.2, "standard": 1.0, "slow": 1.0},
        }
    )
    told = {s["function"]["name"]: s["function"]["description"] for s in ecbench.tool_schemas(changed)}
    assert "At most 2 at once" in told["open_store"]
    assert "for 25% of its cost" in told["close_store"]
    assert all(figure in told["join_promotion"] for figure in ("0.11", "0.66", "17 days"))
    assert "up to 7 titled notes" in told["operate_memory"]
    assert "Fast costs more and brings more returns; slow is cheap and brings as many." in told["ship_orders"]
    usual_figures = re.compile(r"\bfour\b|\bAt most 4\b|\btenth\b|0\.05|0\.50|0\.30|\b20 titled|\bdouble\b|\bhalf\b")
    assert not [name for name, text in told.items() if usual_figures.search(text)]
