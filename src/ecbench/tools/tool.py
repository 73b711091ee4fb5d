"""What a tool is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.rules import Rules
from ecbench.tools.arguments import Arguments
from ecbench.tools.office import Office, Reply


@dataclass(frozen=True, slots=True)
class Tool:
    """One of the agent's tools: its description, its parameters, and the function behind it."""

    name: str
    minutes: int  # of the working day
    description: str | Callable[[Rules], str]  # a function where it states a figure of the rules
    parameters: dict[str, Any]
    run: Callable[[Office, Arguments], Reply]
    looks: bool | Sequence[str] = False  # it only reads the business: always, or with these actions
    bare_errors: bool = False  # a refusal is {"error"} without "success": false
    strict: bool = False  # unknown arguments are refused, at no cost

    def schema(self, rules: Rules) -> dict[str, Any]:
        """OpenAI function style."""
        text = self.description if isinstance(self.description, str) else self.description(rules)
        function = {"name": self.name, "description": text, "parameters": self.parameters}
        return {"type": "function", "function": function}
