"""The harness: everything between a model and an episode.

`context` keeps a year of transcript inside the window, `tokens` counts it, `brief` describes the job,
`model_player` plays the turns of a seat, `models` reaches a provider, `retry` repeats failed requests, `model_voice`
writes suppliers' letters.
"""

from ecbench.harness.context import evict

__all__ = ["evict"]
