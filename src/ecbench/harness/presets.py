"""Named configurations of models: the paper's eighteen as data, and those of a user in a file of the same form."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert

from ecbench.errors import RunError
from ecbench.harness.settings import Effort
from ecbench.harness.user_file import read_user_file
from ecbench.ranges import quoted

Text = Annotated[str, Meta(min_length=1, max_length=200)]


class ModelPreset(Struct, frozen=True, forbid_unknown_fields=True):
    """One configuration: which model, and how it is asked to reason."""

    name: Text
    model: Annotated[str, Meta(pattern=r"^[^/\s]+/\S+$", max_length=200)]  # provider/model
    title: str = ""  # its name in a table; the paper's for its own
    thinking: Literal["effort", "level", "enabled", "unset"] = "unset"
    effort: Effort | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    extra_body: dict[str, Any] = {}


class PresetFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of presets, and the model that writes the suppliers' letters beside them."""

    presets: tuple[ModelPreset, ...]
    supplier_model: str | None = None
    supplier_effort: Effort | None = None

    def named(self, name: str) -> ModelPreset:
        """Raises RunError where there is no such preset."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        raise RunError(f"there is no preset {quoted(name)}; there are {', '.join(each.name for each in self.presets)}")


@cache
def paper_presets() -> PresetFile:
    """The paper's eighteen configurations, proprietary and open-weight, in the order of the paper's table."""
    return _read(files("ecbench.harness").joinpath("data", "presets.toml").read_bytes(), "presets.toml")


def read_presets(path: Path) -> PresetFile:
    """The user's own presets. Raises RunError where the file cannot be read or says something unknown."""
    return _read(read_user_file("--presets", path), f"--presets {path}")


def _read(content: bytes, place: str) -> PresetFile:
    try:
        read = convert(tomllib.loads(content.decode()), PresetFile)
    except (ValueError, ValidationError, RecursionError) as problem:
        raise RunError(f"{place}: {problem}; `ecbench list models --help` shows the form") from problem
    names = [preset.name for preset in read.presets]
    if len(set(names)) < len(names):
        raise RunError(f"{place}: two presets have the same name")
    return read
