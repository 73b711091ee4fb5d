"""Every measure of the paper over the years of a run, dimension by dimension (app:metrics).

The names are those of the paper's tables as they ship (`metrics/published.py`), so a run can be set beside them column
by column. `docs/metrics.md` explains each.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ecbench.metrics.estimators import Figure, Measure, Report
from ecbench.metrics.measures.bargaining import LEARNING, NEGOTIATION
from ecbench.metrics.measures.fraud import FRAUD
from ecbench.metrics.measures.money import PRIMARY, SOLVENCY
from ecbench.metrics.measures.work import EFFICIENCY, EXECUTION

DIMENSIONS: Mapping[str, tuple[Measure, ...]] = MappingProxyType(
    {
        "primary": PRIMARY,
        "negotiation": NEGOTIATION,
        "fraud": FRAUD,
        "solvency": SOLVENCY,
        "efficiency": EFFICIENCY,
        "execution": EXECUTION,
        "learning": LEARNING,
    }
)
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for measures in DIMENSIONS.values() for measure in measures}
)


def measured(reports: Sequence[Report]) -> dict[str, Figure]:
    """Every measure over the years of a run, each by its own estimator; value None where no year has a sample."""
    return {name: measure.of_run(reports) for name, measure in MEASURES.items()}


def measured_year(report: Report) -> dict[str, float | None]:
    """What one year has to show for every measure."""
    return {name: measure.of_year(report) for name, measure in MEASURES.items()}
