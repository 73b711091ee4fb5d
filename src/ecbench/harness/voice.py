"""The `llm` voice: a model writes the suppliers' letters, and the template voice stands in when it cannot.

Every line is logged as it is spoken. A voice that is given a log speaks from it first, so a replay asks nobody.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ecbench.harness.messages import (
    Answer,
    ModelFailure,
    Retry,
    Usage,
    retry_from_json,
    retry_to_json,
    usage_from_json,
    usage_to_json,
)
from ecbench.harness.supplier_brief import (
    MEMBERSHIP_LETTERS,
    MEMBERSHIP_QUESTION,
    contract,
    correspondence,
)
from ecbench.suppliers.voices import Scene, TemplateVoice

Ask = Callable[[str, str], Answer]
"""Puts a system message and a user message to a model; raises `ModelFailure` once its retries are spent."""

# Words of the contract that no supplier would write to a customer.
_LEAK = re.compile(r"fraudulent|\bscam|honest supplier|pricing engine|\bTone: |system prompt", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class VoiceLine:
    """One thing a voice said or judged, and why the template had to, if it had to."""

    kind: Literal["letter", "membership"]
    said: str  # the letter, or "yes" or "no"
    fallback: str = ""
    usage: Usage = field(default_factory=Usage)
    retries: tuple[Retry, ...] = ()

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {"kind": self.kind, "said": self.said}
        optional = {
            "fallback": self.fallback,
            "usage": usage_to_json(self.usage),
            "retries": [retry_to_json(retry) for retry in self.retries],
        }
        return record | {name: value for name, value in optional.items() if value}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "VoiceLine":
        return cls(
            record["kind"],
            record["said"],
            record.get("fallback", ""),
            usage_from_json(record.get("usage", {})),
            tuple(retry_from_json(retry) for retry in record.get("retries", ())),
        )


class ModelVoice:
    """Speaks for all suppliers of one episode. It words decisions and cannot change one."""

    name = "llm"

    def __init__(self, ask: Ask, log: Callable[[VoiceLine], None], recorded: Iterable[VoiceLine] = ()) -> None:
        self._ask = ask
        self._log = log
        self._recorded = deque(recorded)
        self._template = TemplateVoice()

    def reply(self, scene: Scene) -> str:
        return self._speak("letter", lambda: self._letter(scene))

    def hears_membership(self, scene: Scene) -> bool:
        return self._speak("membership", lambda: self._judgement(scene)) == "yes"

    def _speak(self, kind: Literal["letter", "membership"], compose: Callable[[], VoiceLine]) -> str:
        if not self._recorded:
            line = compose()
        else:
            line = self._recorded.popleft()
            if line.kind != kind:
                raise ValueError(f"the recording has a {line.kind} where the episode asks for a {kind}")
        self._log(line)
        return line.said

    def _letter(self, scene: Scene) -> VoiceLine:
        try:
            answer = self._ask(contract(scene), correspondence(scene))
        except ModelFailure as failure:
            return VoiceLine("letter", self._template.reply(scene), str(failure), failure.usage, failure.retries)
        text = answer.message.text.strip()
        problem = _breach(text)
        said = self._template.reply(scene) if problem else text
        return VoiceLine("letter", said, problem, answer.usage, answer.retries)

    def _judgement(self, scene: Scene) -> VoiceLine:
        rule = "yes" if self._template.hears_membership(scene) else "no"
        try:
            answer = self._ask(MEMBERSHIP_QUESTION, correspondence(scene, MEMBERSHIP_LETTERS))
        except ModelFailure as failure:
            return VoiceLine("membership", rule, str(failure), failure.usage, failure.retries)
        word = re.search(r"[a-z]+", answer.message.text.lower())
        clear = word is not None and word[0] in ("yes", "no")
        said, problem = (word[0], "") if word and clear else (rule, "the model answered neither YES nor NO")
        return VoiceLine("membership", said, problem, answer.usage, answer.retries)


def _breach(text: str) -> str:
    if not text:
        return "the model wrote an empty letter"
    leak = _LEAK.search(text)
    return f"the model's letter gave away its instructions ({leak[0]!r})" if leak else ""
