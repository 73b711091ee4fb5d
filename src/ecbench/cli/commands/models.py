"""ecbench models: the paper's configurations of models, ready to run."""

from textwrap import fill

from msgspec import to_builtins

from ecbench.cli.options import JsonOption
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.protocol_options import PresetFileOption, presets_in
from ecbench.harness.presets import ModelPreset


def models(presets: PresetFileOption = None, as_json: JsonOption = False) -> None:
    """List the configurations that `ecbench run --preset NAME` takes.

    Without --presets these are the paper's eighteen. A file of yours has the same form: `[[presets]]` tables with name
    and model (provider/model), and if you like title, thinking, effort, max_tokens and extra_body; before them, if you
    like, supplier_model and supplier_effort of the model that writes the suppliers' letters under --protocol paper. Any
    other model runs without a preset: --agent provider/model.

    Exit codes: 0 listed, 2 bad input.
    """
    found = presets_in(presets)
    if as_json:
        say_json(to_builtins(found))
        return
    names = max((len(preset.name) for preset in found.presets), default=0)
    ids = max((len(preset.model) for preset in found.presets), default=0)
    say(f"{'Preset':<{names}}  {'Model':<{ids}}  Effort")
    for preset in found.presets:
        say(f"{preset.name:<{names}}  {preset.model:<{ids}}  {_effort(preset)}".rstrip())
    for limit in sorted({preset.max_tokens for preset in found.presets if preset.max_tokens}):
        limited = [preset.name for preset in found.presets if preset.max_tokens == limit]
        say("\n" + fill(f"At most {limit:,} tokens an answer: {', '.join(limited)}", break_on_hyphens=False))
    if found.supplier_model:
        say(f"\nSuppliers' letters under --protocol paper: {found.supplier_model}")
    if presets is None:
        say("The paper prints no model ids: these are ours.")
        say("Another id: ecbench run --preset NAME --agent provider/model")


def _effort(preset: ModelPreset) -> str:
    return preset.effort or ("on" if preset.thinking == "enabled" else "")
