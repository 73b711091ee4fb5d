"""ecbench doctor: whether a model can play, and what to change where it cannot."""

from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.model_options import ModelOptions
from ecbench.cli.options import DaysOption, JsonOption
from ecbench.cli.protocol_options import PresetFileOption, PresetOption, ProtocolOptions, chosen_preset, with_preset
from ecbench.errors import RunError


def doctor(
    *,
    name: Annotated[
        str | None,
        typer.Argument(metavar="PROVIDER/MODEL", help="The model, as `run --agent` takes it, or the one of --preset."),
    ] = None,
    preset: PresetOption = None,
    presets: PresetFileOption = None,
    days: DaysOption = None,
    probe_window: Annotated[
        bool,
        typer.Option(
            "--probe-window",
            help="Also send a conversation as long as a run's, up to six times, to see how much really passes. This "
            "costs up to 120,000 tokens a request.",
        ),
    ] = False,
    model: ModelOptions,
    as_json: JsonOption = False,
) -> None:
    """Say whether a model can play, and what a year takes.

    Two to five small requests, about 5,000 tokens each: one tool call, then two in one answer. Reports the server, tool
    calls, reasoning, caching, speed, the window and the --window that fits it, the hours and dollars of a year, and
    the command to run. A request may take --attempt-seconds, here 120 by default. Model options are those of `ecbench
    run`, whose models get a shorter check of the same kind unless --no-doctor is given.

    Exit codes: 0 the model can play, 1 it cannot, 2 bad input, such as an unknown provider or a missing key.
    """
    chosen = chosen_preset(ProtocolOptions(preset=preset, presets=presets))
    if name is None and chosen is None:
        raise RunError("which model? Name one, such as openai/gpt-5-mini, or give --preset NAME (see ecbench models)")
    handlers.doctor.examine_model(
        name or (chosen.model if chosen else ""), days, with_preset(model, chosen), probe=probe_window, as_json=as_json
    )
