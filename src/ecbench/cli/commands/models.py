"""ecbench models: the paper's configurations of models, ready to run."""

from datetime import date
from textwrap import fill

from msgspec import to_builtins
from msgspec.structs import astuple

from ecbench.cli.model_options import PricesOption
from ecbench.cli.options import JsonOption
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.protocol_options import PresetFileOption, presets_in
from ecbench.harness.presets import ModelPreset
from ecbench.harness.prices import PriceList, packaged_prices, read_prices


def models(presets: PresetFileOption = None, prices: PricesOption = None, as_json: JsonOption = False) -> None:
    """List the presets of `ecbench run --preset`, and prices of models.

    Without --presets these are the paper's eighteen. A file of yours has the same form: `[[presets]]` tables with name
    and model (provider/model), and if you like title, thinking, effort, max_tokens and extra_body; before them, if you
    like, supplier_model and supplier_effort of the model that writes the suppliers' letters under --protocol paper. Any
    other model runs without a preset: --agent provider/model.

    Prices are dollars per million tokens, as of the date that is printed with them; check your provider. A file of
    yours for --prices has date (2026-01-15), source (a text) and, for each model, a table [models."provider/model"]
    with input and output, and if you like cached, write_5m and write_1h.

    Exit codes: 0 listed, 2 bad input.
    """
    found, listed = presets_in(presets), packaged_prices() if prices is None else read_prices(prices)
    if as_json:
        say_json(to_builtins(found) | {"prices": to_builtins(listed)})
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
    _say_prices(listed)


def _say_prices(listed: PriceList) -> None:
    names = max((len(name) for name in listed.models), default=0)
    say(f"\nDollars per million tokens, {listed.age(date.today())}")
    say(f"{'Model':<{names}} {'Input':>8} {'Output':>8} {'Cached':>8} {'Write 5m':>9} {'Write 1h':>9}")
    for name, price in listed.models.items():
        cells = ["" if figure is None else f"{figure:,g}" for figure in astuple(price)]
        say(f"{name:<{names}} {cells[0]:>8} {cells[1]:>8} {cells[2]:>8} {cells[3]:>9} {cells[4]:>9}".rstrip())
    say(fill(f"Source: {listed.source}.", 100))


def _effort(preset: ModelPreset) -> str:
    return preset.effort or ("on" if preset.thinking == "enabled" else "")
