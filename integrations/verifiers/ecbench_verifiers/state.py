"""What a task says of its year, and what the tools tell the scorer."""

import verifiers.v1 as vf


class YearData(vf.TaskData):
    world_seed: int
    days: int
    stake: float
    rules: str
    max_turns: int


class YearState(vf.State):
    turns: int = 0
    day: int = 0
    assets: float = 0.0  # what the year would end with if it ended now
    ending: str = ""
