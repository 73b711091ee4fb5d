"""The harness: what stands between a model and an episode.

`context` keeps a year of transcript inside the window, `tokens` counts it, `brief` says what the job is,
`loop` plays the turns at a seat, `models` reaches a provider and `voice` lets a model speak for the suppliers.
"""

from ecbench.harness.context import evict

__all__ = ["evict"]
