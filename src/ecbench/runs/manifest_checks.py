"""What must not stand in `run.json`: keys, and names that look like others."""

from collections.abc import Mapping
from typing import Any

from ecbench.errors import RunError
from ecbench.hidden_characters import hidden_character
from ecbench.redaction import named_secrets, redacted_json
from ecbench.runs.manifest import Manifest


def refuse_secrets(options: Mapping[str, Any]) -> None:
    """Raise RunError where options of a model hold a key: they are recorded with the run."""
    for name, _ in named_secrets(options):
        raise RunError(f"{name} would be written into the run folder; give it in the provider's environment variable")
    if redacted_json(options) != options:
        raise RunError(
            "the options of the model hold the value of a key of the environment, which would be written into the run "
            "folder; leave it out"
        )


def refuse_hidden_names(manifest: Manifest) -> None:
    """Raise RunError where a name would look like another one, wherever it is shown."""
    for seat in manifest.seats:
        if not seat.agent.strip():
            raise RunError("the agent has no name; give it one")
        refuse_hidden("the agent's name", seat.agent)
        refuse_hidden("its transport", seat.transport)
    refuse_hidden("the voice's name", manifest.voice)
    refuse_hidden("the parent run's name", manifest.fork.run if manifest.fork else "")
    for world in manifest.worlds:
        refuse_hidden("the world's name", world.name)


def refuse_hidden(what: str, name: str) -> None:
    """Raise RunError where a name holds a character that is not shown, or that begins another line of output."""
    if hidden := hidden_character(name) or next((f"U+{ord(mark):04X}" for mark in name if mark in "\t\n"), ""):
        shown = " ".join(name.split())[:60]
        raise RunError(f"{shown}: {what} holds the character {hidden}, which is not shown; leave it out")
