"""The harness: what stands between a model and an episode.

`context` keeps a year of transcript inside the window, `tokens` counts it, `brief` says what the job is,
`loop` plays the turns, `models` reaches a provider and `voice` lets a model speak for the suppliers. `inspect_task`
offers the same year to Inspect AI, with the loop as its agent.
"""

from ecbench.harness.context import evict

__all__ = ["evict"]
