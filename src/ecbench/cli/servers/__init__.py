"""What commands serve over HTTP and MCP. Each module needs packages of an extra and is imported on first use."""

from typing import TYPE_CHECKING

from ecbench.cli.lazy import import_on_use

if TYPE_CHECKING:
    from ecbench.cli.servers import arena_seats as arena_seats
    from ecbench.cli.servers import board as board
    from ecbench.cli.servers import http_host as http_host
    from ecbench.cli.servers import mcp_host as mcp_host
else:
    EXTRAS = {"arena_seats": "serve", "board": "serve", "http_host": "serve", "mcp_host": "mcp"}
    __getattr__ = import_on_use(__name__, EXTRAS)
