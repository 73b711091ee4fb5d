"""ecbench models: the paper's configurations of models, ready to run."""

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
    for preset in found.presets:
        say(f"{preset.name:<{names}}  {preset.model:<{ids}}  {_reasoning(preset)}".rstrip())
    if found.supplier_model:
        say(f"\nSuppliers' letters under --protocol paper: {found.supplier_model}")
    if presets is None:
        say("The paper prints no model ids: these are ours. Give another one with --agent beside --preset.")


def _reasoning(preset: ModelPreset) -> str:
    asked = preset.effort or ("on" if preset.thinking == "enabled" else "")
    return ", ".join(filter(None, (asked, f"{preset.max_tokens:,} tokens" if preset.max_tokens else "")))
