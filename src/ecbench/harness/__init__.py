"""The harness: everything between a model and an episode."""

from ecbench.harness.context import evict

__all__ = ["evict"]
