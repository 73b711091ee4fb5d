"""What an examination of a model found."""

from dataclasses import dataclass, field
from typing import Literal

from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import Usage
from ecbench.harness.servers import ServerKind
from ecbench.harness.settings import CallStyle

Verdict = Literal["ok", "note", "unknown", "fault"]
"""Whether a check passed, passed with something to know, got no answer in time, or keeps the model from playing."""

QUOTED = 60  # characters of a model's words in a finding


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check, what it found, and what to change."""

    check: str
    verdict: Verdict
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


@dataclass(slots=True)
class Diagnosis:
    """All findings about one model, and what the examination cost."""

    model: str
    server: ServerKind = ""  # the program that serves the model, where it is known
    findings: list[CheckResult] = field(default_factory=list)
    answers: int = 0
    requests: int = 0  # that were sent, answered or not
    seconds: float = 0.0  # of all answers
    seconds_a_turn: float = 0.0  # of answers to short conversations
    usage: Usage = field(default_factory=Usage)
    window: int | None = None  # of the model, in its own tokens
    policy: ContextPolicy | None = None  # that fits the window; None if none does, or if it was not asked about
    calls: CallStyle = "native"  # that work
    ratio: float = 1.0  # tokens that the model counts for one token of ours

    @property
    def fit(self) -> bool:
        """Whether the model is known to be able to play."""
        return all(finding.verdict in ("ok", "note") for finding in self.findings)

    @property
    def unfit(self) -> bool:
        """Whether the model is known not to be able to play."""
        return any(finding.verdict == "fault" for finding in self.findings)

    def add(self, check: str, verdict: Verdict, text: str, remedy: str = "") -> None:
        self.findings.append(CheckResult(check, verdict, text, remedy))

    def summary(self) -> str:
        """One line about a model that can play."""
        found = [finding.text for finding in self.findings if finding.check in ("tool call", "window")]
        return "; ".join([f"{self.model}: {self.seconds:.1f} s", *found])

    def warnings(self) -> list[CheckResult]:
        """What the user of a run should know before it begins: what needs a remedy."""
        return [finding for finding in self.findings if finding.verdict != "ok" and finding.remedy]


def quoted_words(text: str) -> str:
    """The beginning of a model's words, on one line."""
    line = " ".join(text.split())
    return f'"{line[:QUOTED]}..."' if len(line) > QUOTED else f'"{line}"'
