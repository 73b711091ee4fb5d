"""The benchmark inside Inspect AI: a task, an agent and the tools."""

from ecbench.harness.package_versions import require_supported_inspect

require_supported_inspect()  # before any other module imports a part that an older Inspect lacks
