"""Signs of loopholes in a recorded episode, from its tables."""

from ecbench.metrics.loopholes import loophole_signs
from ecbench.runs.results.rows import YearTables


def signs_of(tables: YearTables) -> list[str]:
    return list(
        loophole_signs(
            salvage=sum(row.salvage for row in tables.stores),
            purchases=-tables.days[-1].procurement_to_date if tables.days else 0.0,
            dearest=max((row.price / row.reference_price for row in tables.sales), default=0.0),
        )
    )
