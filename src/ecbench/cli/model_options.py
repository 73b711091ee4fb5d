"""Options about models, in the groups that commands take."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ecbench.cli.declare import option
from ecbench.harness.settings import CacheTtl, Effort
from ecbench.ranges import MAX_TOKENS, SECONDS

BriefOption = Annotated[
    Path | None,
    option("--brief", metavar="FILE", help="A file with another job description; {days} and {stake} are filled in."),
]

PricesOption = Annotated[
    Path | None,
    option(
        "--prices",
        metavar="FILE",
        help="A TOML file with prices of yours, in the form that `ecbench list models --help` shows.",
    ),
]


@dataclass(frozen=True, slots=True)
class ProviderOptions:
    """How a model is reached, and how long it is waited for."""

    model_arg: Annotated[
        list[str] | None,
        option(
            "--model-arg",
            metavar="KEY=VALUE",
            help="An argument for the provider; the value is JSON or plain text. May be repeated.",
        ),
    ] = None
    base_url: Annotated[str | None, option("--base-url", metavar="URL", help="Address of the model's API.")] = None
    effort: Annotated[
        Effort | None,
        option(
            "--effort",
            metavar="LEVEL",
            help="How hard a model is asked to reason: none, minimal, low, medium, high, xhigh or max.",
        ),
    ] = None
    extra_body: Annotated[
        str | None, option("--extra-body", metavar="JSON", help="A JSON object to add to each request.")
    ] = None
    max_tokens: Annotated[
        int | None,
        option(
            "--max-tokens",
            within=MAX_TOKENS,
            help="Most tokens of one answer, reasoning included. [default: the provider's]",
        ),
    ] = None
    price: Annotated[
        str | None,
        option(
            "--price",
            metavar="IN,OUT[,CACHED[,WRITE]]",
            help="Dollars per million tokens. [default: what the provider reports, else that of `list models`]",
        ),
    ] = None
    attempt_seconds: Annotated[
        int | None,
        option(
            "--attempt-seconds",
            within=SECONDS,
            help="Time limit for one request to a model, which is then sent again. [default: 600; for a letter 120]",
        ),
    ] = None
    give_up_seconds: Annotated[
        int | None,
        option(
            "--give-up-seconds",
            within=SECONDS,
            help="Time limit for one turn with all its retries; the year then stops and can be resumed. [default: "
            "1800; for a letter 300]",
        ),
    ] = None
    prices: PricesOption = None
    cache_ttl: Annotated[
        CacheTtl | None,
        option(
            "--cache-ttl",
            metavar="5m|1h",
            help="How long Anthropic keeps the conversation in its cache between two turns. An hour costs more for "
            "what is new and less where turns take longer than five minutes. [default: 5m]",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class ModelOptions(ProviderOptions):
    """The same, with the job description and the context window that the harness gives the model."""

    brief: BriefOption = None
    window: Annotated[
        str | None,
        option(
            "--window",
            metavar="TOKENS[,TRIGGER,RELEASE]",
            help="Size of the context window, the size at which the oldest turns are dropped, and how many tokens are "
            "dropped then. [default: the paper's 128000,120000,60000; TOKENS alone keeps these proportions]",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class SupplierModelOptions:
    """The model that writes the suppliers' letters."""

    supplier_model: Annotated[
        str | None,
        option(
            "--supplier-model",
            metavar="PROVIDER/MODEL",
            help="A model that writes the suppliers' letters. [default: templates]",
        ),
    ] = None
    supplier_model_arg: Annotated[
        list[str] | None,
        option(
            "--supplier-model-arg", metavar="KEY=VALUE", help="An argument for the provider of the suppliers' model."
        ),
    ] = None
    supplier_base_url: Annotated[
        str | None,
        option("--supplier-base-url", metavar="URL", help="Address of the API of the suppliers' model."),
    ] = None
    supplier_effort: Annotated[
        Effort | None,
        option("--supplier-effort", metavar="LEVEL", help="How hard the suppliers' model is asked to reason."),
    ] = None
    supplier_extra_body: Annotated[
        str | None,
        option("--supplier-extra-body", metavar="JSON", help="A JSON object to add to each request for a letter."),
    ] = None
    supplier_max_tokens: Annotated[
        int | None, option("--supplier-max-tokens", within=MAX_TOKENS, help="Most tokens of one letter.")
    ] = None
    supplier_price: Annotated[
        str | None,
        option(
            "--supplier-price",
            metavar="IN,OUT[,CACHED[,WRITE]]",
            help="Dollars per million tokens of the suppliers' model.",
        ),
    ] = None

    @property
    def provider(self) -> ProviderOptions:
        """The same as options of any model, without their prefix."""
        return ProviderOptions(
            self.supplier_model_arg,
            self.supplier_base_url,
            self.supplier_effort,
            self.supplier_extra_body,
            self.supplier_max_tokens,
            self.supplier_price,
        )
