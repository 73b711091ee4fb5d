"""Inspect's early stopping by planned looks: samples that follow a clear look are not played."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSpec
from inspect_ai.scorer import SampleScore
from inspect_ai.util import EarlyStop

from ecbench.compare.entries import ComparedRun
from ecbench.compare.stopping import Look, look_line, looks_at
from ecbench.compare.verdict import log_assets
from ecbench.metrics.skill import skill
from ecbench.runs.play.agents import short_name
from ecbench.runs.results.bounds_file import bound_of
from ecbench.runs.stopping_plan import StoppingPlan, complete_worlds

MANAGER = "ecbench planned looks"


class PlannedStopping:
    """Looks at the years of a study as they end, in the order of its plan; a protocol of Inspect.

    Inspect may begin samples of later worlds before a look: they count at the next one, or not at all.
    """

    def __init__(self, plan: StoppingPlan, rival: ComparedRun, places: Mapping[str, int], scorer: str) -> None:
        self._plan, self._rival, self._places, self._scorer = plan, rival, places, scorer
        self._assets: dict[int, list[float]] = {place: [] for place in plan.order}
        self._agent = ""
        self._looks: Sequence[Look] = ()

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Inspect's epochs would play whole studies again, which no plan foresees: years are samples here."""
        del samples, epochs
        self._agent = short_name(str(task.model))
        return MANAGER

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        if not self._is_clear:
            return None
        return EarlyStop(id=id, epoch=epoch, reason=self._line(self._looks[-1]))

    async def complete_sample(self, id: str | int, epoch: int, scores: dict[str, SampleScore]) -> None:
        del epoch
        found = scores.get(self._scorer)
        value = found.score.value if found else None
        if isinstance(value, dict) and not self._is_clear:
            self._assets[self._places[str(id)]].append(float(str(value["final_assets"])))
            self._looks = looks_at(self._gaps(), self._plan.looks, self._plan.smallest_gap, self._plan.score)

    async def complete_task(self) -> dict[str, Any]:
        """What stands in the log, as JSON: Inspect takes no tuples."""
        looks = [{**asdict(look), "line": self._line(look)} for look in self._looks]
        return {
            "against": self._plan.against.agent,
            "smallest": self._plan.smallest,
            "stopped_early": bool(self._looks and self._looks[-1].stopped_early),
            "looks": json.loads(json.dumps(looks)),
        }

    @property
    def _is_clear(self) -> bool:
        return bool(self._looks and self._looks[-1].is_clear)

    def _line(self, look: Look) -> str:
        return look_line(look, self._agent, short_name(self._plan.against.agent), self._plan.smallest)

    def _gaps(self) -> list[float]:
        each = len(self._places) // len(self._plan.order)
        over = [len(self._assets.get(place, ())) == each for place in range(len(self._rival.run.sites))]
        done = complete_worlds(self._plan.order, over)
        rivals = self._plan.against.scores
        return [self._score(place) - rivals[number] for number, place in enumerate(self._plan.order[:done])]

    def _score(self, place: int) -> float:
        """Of a world, as a comparison takes it: years that end alike, to the yuan, count once."""
        years = list({round(assets): assets for assets in self._assets[place]}.values())
        stake = self._rival.run.terms.stake
        if self._plan.score == "final_assets":
            return log_assets(sum(years) / len(years), stake)
        bound = bound_of(self._rival.run, place)
        assert bound is not None, "a plan compares skill only where every world has a bound"
        return sum(skill(assets, stake, bound) or 0.0 for assets in years) / len(years)
