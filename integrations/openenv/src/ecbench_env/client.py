"""The client: a connection to a server, with a year of its own."""

from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient

from ecbench_env.models import YearAction, YearObservation, YearState


class EcbenchEnv(EnvClient[YearAction, YearObservation, YearState]):
    def _step_payload(self, action: YearAction) -> dict[str, Any]:
        return {"calls": action.calls}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[YearObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observed = YearObservation(**(payload["observation"] | {"reward": reward, "done": done}))
        return StepResult(observation=observed, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> YearState:
        return YearState(**payload)
