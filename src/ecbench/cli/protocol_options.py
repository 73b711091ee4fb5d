"""Named ways to run: a preset fills in the options of a model, a protocol the terms of a run.

An option that the user gives wins over a preset. A protocol fixes its options: another value for one is refused.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from ecbench.cli.declare import option
from ecbench.cli.model_options import ModelOptions, SupplierModelOptions
from ecbench.cli.options import GameOptions
from ecbench.errors import RunError
from ecbench.harness.presets import ModelPreset, PresetFile, paper_presets, read_presets
from ecbench.world.load import load_world
from ecbench.world.release import is_release_catalog

PAPER_EPISODES = 5
PROTOCOL = "paper"


def _check_protocol(name: str) -> str:
    if name != PROTOCOL:
        raise RunError(f"there is no protocol {name!r:.60}; the only one is {PROTOCOL}")
    return name


PresetOption = Annotated[
    str | None,
    option("--preset", metavar="NAME", help="A model with its options, from `ecbench list models`."),
]
PresetFileOption = Annotated[
    Path | None,
    option("--presets", metavar="FILE", help="A TOML file with presets of yours. [default: the paper's]"),
]


@dataclass(frozen=True, slots=True)
class ProtocolOptions:
    """A named protocol, and a named configuration of a model."""

    protocol: Annotated[
        str | None,
        option(
            "--protocol",
            check=_check_protocol,
            metavar="paper",
            help="Run as the paper did: five episodes on the default world or an imported release, its rules, brief, "
            "turns and window, and suppliers whose letters a small model writes.",
        ),
    ] = None
    preset: PresetOption = None
    presets: PresetFileOption = None

    @property
    def provenance(self) -> dict[str, str]:
        """What a run records of it."""
        named = {"protocol": self.protocol, "preset": self.preset}
        return {name: value for name, value in named.items() if value}


def presets_in(path: Path | None) -> PresetFile:
    """The presets of a file, without one the paper's. Raises RunError."""
    return paper_presets() if path is None else read_presets(path)


def chosen_preset(options: ProtocolOptions) -> ModelPreset | None:
    """Raises RunError where it cannot be found."""
    if options.preset is None:
        if options.presets is not None:
            raise RunError("--presets FILE lists presets; choose one with --preset NAME")
        return None
    return presets_in(options.presets).named(options.preset)


def with_preset(model: ModelOptions, preset: ModelPreset | None) -> ModelOptions:
    """The options of the model, where the user gave none those of the preset."""
    if preset is None:
        return model
    body = json.dumps(preset.extra_body) if preset.extra_body else None
    return replace(
        model,
        effort=model.effort or preset.effort,
        extra_body=model.extra_body or body,
        max_tokens=model.max_tokens or preset.max_tokens,
    )


def episodes_of(options: ProtocolOptions, given: int | None) -> int:
    """How many episodes are played: as many as given, else those of the protocol, else one."""
    return given or (PAPER_EPISODES if options.protocol else 1)


def suppliers_of(options: ProtocolOptions, supplier: SupplierModelOptions) -> SupplierModelOptions:
    """Under the paper's protocol a model writes the letters: that of the options, of the presets, or a small one."""
    if options.protocol is None or supplier.supplier_model is not None:
        return supplier
    own = presets_in(options.presets)
    presets = own if own.supplier_model else paper_presets()
    effort = supplier.supplier_effort or presets.supplier_effort
    return replace(supplier, supplier_model=presets.supplier_model, supplier_effort=effort)


def refuse_deviations(
    options: ProtocolOptions,
    episodes: int | None,
    world: str | None,
    worlds: str | None,
    game: GameOptions,
    model: ModelOptions,
) -> None:
    """Raise RunError if an option differs from what the protocol fixes."""
    if options.protocol is None:
        return
    found = list(_deviations(episodes, world, worlds, game, model))
    if found:
        raise RunError(f"--protocol {options.protocol} fixes {', '.join(found)}; leave that out, or the protocol")


def _deviations(
    episodes: int | None, world: str | None, worlds: str | None, game: GameOptions, model: ModelOptions
) -> Iterator[str]:
    usual = GameOptions()
    for flag, differs in (
        ("--episodes", episodes not in (None, PAPER_EPISODES)),
        ("--world", world not in (None, "default") and not is_release_catalog(load_world(world))),
        ("--worlds", worlds is not None),
        ("--days", game.days is not None),
        ("--stake", game.stake is not None),
        ("--max-turns", game.max_turns != usual.max_turns),
        ("--rules", game.rules != usual.rules),
        ("--set", bool(game.settings)),
        ("--brief", model.brief is not None),
        ("--window", model.window is not None),
    ):
        if differs:
            yield flag
