"""The eighteen tools, one module per group, and the batch that runs them."""

from ecbench.tools.batch import run_batch
from ecbench.tools.catalog import TOOLS, tool_schemas
from ecbench.tools.office import Office

__all__ = ["TOOLS", "Office", "run_batch", "tool_schemas"]
