"""What commands serve over HTTP and MCP. Each module needs packages of an extra and is imported on first use."""

from typing import TYPE_CHECKING

from ecbench.cli.lazy import import_with_extra

if TYPE_CHECKING:
    from ecbench.cli.servers import arena_seats as arena_seats
    from ecbench.cli.servers import board as board
    from ecbench.cli.servers import http_host as http_host
    from ecbench.cli.servers import mcp_host as mcp_host
else:

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_with_extra(f"{__name__}.{name}", "mcp" if name == "mcp_host" else "serve")
