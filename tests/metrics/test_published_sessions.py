"""The aggregates of published recordings, formed again from the sessions they list."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ecbench.metrics.learning import anchoring, learning_speed
from ecbench.metrics.negotiation import by_family, by_supplier_type, deal_counts, score, session_row, value_extraction
from ecbench.suppliers.records import Session

TRACES = Path(__file__).parents[3] / "shared" / "parity" / "traces"


def recordings() -> list[Path]:
    return sorted(TRACES.glob("*.json.gz"))


def from_row(row: dict[str, Any]) -> Session:
    """A session as listed; the prices of its rounds are not in the list."""
    honest = row["supplier_type"] == "good"
    return Session(
        supplier=row["supplier_name"],
        sku=row["sku_id"],
        honest=honest,
        template=row["supplier_family"].lower(),
        scam="" if honest else "qty_bait",
        reference_price=row["reference_price"],
        floor=row["cost_floor"],
        opening_target=row["initial_offer"],
        agent_prices=(),
        supplier_prices=(),
        turns=row["rounds"],
        outcome=row["outcome"],
        final_price=row["final_price"],
        closed_by=row["terminated_by"],
        day_opened=row["day_started"],
        day_concluded=row["day_concluded"],
        critical_violations=tuple(row["critical_violations"]),
        secondary_violations=tuple(row["secondary_violations"]),
    )


def test_every_published_aggregate_follows_from_its_sessions() -> None:
    if not TRACES.is_dir():
        pytest.skip(f"published recordings are not here: {TRACES.name} beside the project is absent")
    assert recordings()
    for path in recordings():
        with gzip.open(path) as stream:
            published = json.load(stream)["final"]["negotiation"]
        rows = published["per_negotiation"]
        sessions = [from_row(row) for row in rows]
        scores = [score(session) for session in sessions]
        formed = deal_counts(scores) | {
            "terms_bench_metrics": value_extraction(scores),
            "by_supplier_type": by_supplier_type(scores),
            "by_family": by_family(scores),
            "learning_speed": learning_speed(scores),
            "anchoring": anchoring(sessions),
        }
        assert formed == {name: published[name] for name in formed}, path.name
        unlisted = {"agent_concession_rate": None, "supplier_concession_rate": None}
        for row, scored in zip(rows, scores, strict=True):
            assert session_row(scored) | unlisted == row | unlisted, path.name
