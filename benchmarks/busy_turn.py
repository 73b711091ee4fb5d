"""What an agent asks for in one turn of the measurements: enough to fill a window, nothing that ends the year."""

from typing import Any

BATCH: tuple[tuple[str, dict[str, Any]], ...] = (
    ("check_store_status", {}),
    ("list_products", {"category": "Kitchenware"}),
    ("supplier_search", {"category": "Kitchenware"}),
    ("check_balance", {}),
    ("wait_for_next_day", {"current_day": 0}),
)
