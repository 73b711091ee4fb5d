"""The requests of an examination: each is sent once, within its time, and counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.doctor.reach import look_at_server
from ecbench.harness.messages import Answer, Message, ModelFailure, Usage
from ecbench.harness.models import ProviderModel, open_model


@dataclass(slots=True)
class Examination:
    """A model, the time limit of one request, and what has been found so far."""

    model: ProviderModel
    seconds: float
    result: Diagnosis = field(init=False)
    variants: list[ProviderModel] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.result = Diagnosis(self.model.settings.name)

    async def ask(self, messages: Sequence[Message], model: ProviderModel | None = None) -> Answer:
        """Send one request, once. Raises `ModelFailure`."""
        self.result.requests += 1
        answer = await (model or self.model).attempt(messages, self.seconds)
        self.result.answers += 1
        self.result.seconds += answer.seconds
        self.result.usage += answer.usage
        return answer

    def variant(self, **settings: Any) -> ProviderModel:
        """The same model and tools with other settings. `close` closes it."""
        changed = open_model(replace(self.model.settings, **settings), self.model.schemas)
        self.variants.append(changed)
        return changed

    async def close(self) -> None:
        for variant in self.variants:
            await variant.close()

    async def demand_call(self, messages: Sequence[Message]) -> Answer:
        """The answer to a demand for one call; asked twice if the first answer has none."""
        answer = await self.ask(messages)
        return answer if answer.message.calls else await self.ask(messages)


async def explained(model: ProviderModel, failure: ModelFailure) -> ModelFailure:
    """The failure, with the models that the server does list where it does not know this one."""
    if failure.cause != "HTTP 404":
        return failure
    names = (await look_at_server(model)).listed()
    return ModelFailure(f"{failure}; it lists {names}", failure.kind, cause=failure.cause) if names else failure


def failure_line(failure: ModelFailure, model: ProviderModel) -> str:
    """The line of a failure; the diagnosis names the model once."""
    return str(failure).removeprefix(f"{model.settings.name}: ")


def tokens_read(usage: Usage) -> int:
    """All tokens of a request, cached or not."""
    return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
