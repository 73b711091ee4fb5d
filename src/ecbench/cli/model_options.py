"""The options of `run` and `fork` that are about models."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.harness.settings import Effort
from ecbench.ranges import SECONDS

ModelArgOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-arg",
        metavar="KEY=VALUE",
        help="An argument of the provider, its value as JSON or as plain text; may be repeated.",
    ),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Where the model is served."),
]
EffortOption = Annotated[
    Effort | None,
    typer.Option(
        "--effort",
        metavar="LEVEL",
        help="How hard a model is asked to reason: none, minimal, low, medium, high, xhigh or max.",
    ),
]
ExtraBodyOption = Annotated[
    str | None,
    typer.Option("--extra-body", metavar="JSON", help="An object to add to each request."),
]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT[,CACHED]",
        help="Dollars per million tokens. [default: what the provider reports]",
    ),
]
BriefOption = Annotated[
    Path | None,
    typer.Option(
        "--brief",
        metavar="FILE",
        help="Another job description; {days} and {stake} are filled in.",
    ),
]
WindowOption = Annotated[
    str | None,
    typer.Option(
        "--window",
        metavar="TOKENS[,TRIGGER,RELEASE]",
        help="The conversation's window, the size at which its oldest turns leave, and how much of them must leave. "
        "[default: the paper's 128000,120000,60000; with TOKENS alone in the same proportions]",
    ),
]
AttemptSecondsOption = Annotated[
    int | None,
    typer.Option(
        "--attempt-seconds",
        metavar="N",
        min=SECONDS.least,
        max=SECONDS.most,
        help="How long one request to a model may take; then it is made again. [default: 600; for a letter 120]",
    ),
]
GiveUpSecondsOption = Annotated[
    int | None,
    typer.Option(
        "--give-up-seconds",
        metavar="N",
        min=SECONDS.least,
        max=SECONDS.most,
        help="How long a turn is insisted on, with all its requests and pauses; then the year ends and can be "
        "resumed. [default: 1800; for a letter 300]",
    ),
]
SupplierModelOption = Annotated[
    str | None,
    typer.Option(
        "--supplier-model",
        metavar="PROVIDER/MODEL",
        help="A model that words the suppliers' letters. [default: templates]",
    ),
]
SupplierModelArgOption = Annotated[
    list[str] | None,
    typer.Option("--supplier-model-arg", metavar="KEY=VALUE", help="As --model-arg, for the suppliers' model."),
]
SupplierBaseUrlOption = Annotated[
    str | None,
    typer.Option("--supplier-base-url", metavar="URL", help="Where the suppliers' model is served."),
]
SupplierEffortOption = Annotated[
    Effort | None,
    typer.Option("--supplier-effort", metavar="LEVEL", help="As --effort, for the suppliers' model."),
]
SupplierExtraBodyOption = Annotated[
    str | None,
    typer.Option("--supplier-extra-body", metavar="JSON", help="As --extra-body, for the suppliers' model."),
]
SupplierPriceOption = Annotated[
    str | None,
    typer.Option("--supplier-price", metavar="IN,OUT[,CACHED]", help="As --price, for the suppliers' model."),
]
