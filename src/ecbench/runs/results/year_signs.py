"""Signs of loopholes in a recorded year, from its tables."""

from collections.abc import Mapping, Sequence

from ecbench.metrics.loopholes import loophole_signs
from ecbench.runs.folder import Run
from ecbench.runs.results.tables import DayRow, SaleRow, StoreRow, file_of
from ecbench.runs.results.tables.csv_files import parse_sheet, read_sheet


def signs_in_folder(run: Run, episode: int) -> list[str]:
    """Of a finished year at the run's seat, from its files; raises RunError where one is missing."""
    folder = run.results_folder(episode)
    return signs_of(
        read_sheet(folder / file_of("days"), DayRow),
        read_sheet(folder / file_of("sales"), SaleRow),
        read_sheet(folder / file_of("stores"), StoreRow),
    )


def signs_in_files(files: Mapping[str, str]) -> list[str]:
    """Of the texts of a year's files, by name."""
    return signs_of(
        parse_sheet(files[file_of("days")], DayRow, file_of("days")),
        parse_sheet(files[file_of("sales")], SaleRow, file_of("sales")),
        parse_sheet(files[file_of("stores")], StoreRow, file_of("stores")),
    )


def signs_of(days: Sequence[DayRow], sales: Sequence[SaleRow], stores: Sequence[StoreRow]) -> list[str]:
    """Of the rows of a year's tables."""
    return list(
        loophole_signs(
            salvage=sum(row.salvage for row in stores),
            purchases=-days[-1].procurement_to_date if days else 0.0,
            dearest=max((row.price / row.reference_price for row in sales), default=0.0),
        )
    )
