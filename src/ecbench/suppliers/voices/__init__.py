"""The ways suppliers can speak. A voice is any object with `name`, `reply` and `hears_membership`; registering a
factory under a name makes it available to every episode:

    register_voice("terse", TerseVoice)
"""

from collections.abc import Callable

from ecbench.suppliers.voices.letters import letter_of
from ecbench.suppliers.voices.voice import Scene, Voice

__all__ = ["Scene", "TemplateVoice", "Voice", "get_voice", "register_voice", "voice_names"]


class TemplateVoice:
    """Writes letters from sentences with choices, without a model."""

    name = "template"

    def reply(self, scene: Scene) -> str:
        return letter_of(scene)

    def hears_membership(self, scene: Scene) -> bool:
        return scene.agrees


_factories: dict[str, Callable[[], Voice]] = {"template": TemplateVoice}


def register_voice(name: str, factory: Callable[[], Voice]) -> None:
    _factories[name] = factory


def voice_names() -> tuple[str, ...]:
    return tuple(sorted(_factories))


def get_voice(name: str) -> Voice:
    factory = _factories.get(name)
    if factory is None:
        raise ValueError(f"unknown voice {name!r}; the voices are: {', '.join(voice_names())}")
    return factory()
