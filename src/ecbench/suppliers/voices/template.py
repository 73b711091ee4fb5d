"""The default voice: deterministic prose, no network."""

from ecbench.suppliers.voices.letters import letter_of
from ecbench.suppliers.voices.voice import Scene


class TemplateVoice:
    """Writes letters from sentences with choices, without a model."""

    name = "template"

    def reply(self, scene: Scene) -> str:
        return letter_of(scene)

    def hears_membership(self, scene: Scene) -> bool:
        return scene.agrees
