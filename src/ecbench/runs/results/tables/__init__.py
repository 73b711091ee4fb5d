"""The tables of a year: made from a played one, written as CSV, read back. All code that shows a run reads these."""

from ecbench.runs.results.tables.csv_files import read_sheets, sheets
from ecbench.runs.results.tables.make import year_tables
from ecbench.runs.results.tables.rows import (
    ROW_TYPES,
    TABLE_FILES,
    CallRow,
    DayRow,
    LiquidationRow,
    OpenSessionRow,
    OrderRow,
    ReturnRow,
    SaleRow,
    SessionRow,
    StoreRow,
    YearTables,
    file_of,
)

__all__ = [
    "ROW_TYPES",
    "TABLE_FILES",
    "CallRow",
    "DayRow",
    "LiquidationRow",
    "OpenSessionRow",
    "OrderRow",
    "ReturnRow",
    "SaleRow",
    "SessionRow",
    "StoreRow",
    "YearTables",
    "file_of",
    "read_sheets",
    "sheets",
    "year_tables",
]
