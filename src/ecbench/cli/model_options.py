"""The options of `run` and `fork` that are about models, and what a run records of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ecbench.harness.settings import Effort

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
SupplierModelOption = Annotated[
    str | None,
    typer.Option(
        "--supplier-model",
        metavar="PROVIDER/MODEL",
        help="A model that words the suppliers' letters. [default: templates]",
    ),
]


LONGEST_BRIEF = 1 << 20  # bytes


def model_options(
    agent: str,
    *,
    model_args: Sequence[str] | None,
    base_url: str | None,
    effort: Effort | None,
    extra_body: str | None,
    price: str | None,
    brief: Path | None,
) -> dict[str, Any]:
    """What a run records of its model; raises RunError for what cannot be read or would do nothing."""
    from ecbench.harness.settings import Price
    from ecbench.runs.folder import refuse_secrets
    from ecbench.runs.problems import RunError
    from ecbench.runs.seats import is_model

    given: dict[str, Any] = {
        "model_args": dict(_argument(argument) for argument in model_args or ()),
        "base_url": None if base_url is None else _address(base_url),
        "effort": effort,
        "extra_body": None if extra_body is None else _object(extra_body),
        "price": price,
        "brief": None if brief is None else _wording(brief),
    }
    options = {name: value for name, value in given.items() if value}
    if options and not is_model(agent):
        flags = ", ".join(_flag(name) for name in options)
        raise RunError(f"{flags}: only a model takes this, and {agent} is a merchant; name a model with --agent")
    refuse_secrets(options)
    if price is not None:
        try:
            Price.parse(price)
        except ValueError as problem:
            raise RunError(f"--{problem}") from problem
    return options


def voice_of(supplier_model: str | None) -> str:
    from ecbench.runs.problems import RunError
    from ecbench.runs.seats import is_model

    if supplier_model is None:
        return "template"
    if not is_model(supplier_model):
        raise RunError(f"--supplier-model {supplier_model}: a model is named provider/model")
    return supplier_model


def _address(url: str) -> str:
    from urllib.parse import urlsplit

    from ecbench.runs.problems import RunError

    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # an address in brackets that is none, or a port that is no number
        usable = False
    if not usable:
        raise RunError(f"--base-url {url}: write it with its scheme, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise RunError("--base-url: the name or password in it would be written into the run folder; leave it out")
    return url


def _argument(text: str) -> tuple[str, Any]:
    from ecbench.ranges import quoted
    from ecbench.runs.problems import RunError
    from ecbench.tools.arguments import DEEPEST, too_deep

    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise RunError(f"--model-arg {quoted(text)}: write it as key=value, such as --model-arg organization=mine")
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        read = value
    if too_deep(read):
        raise RunError(f"--model-arg {name.strip()}: {quoted(value)} is nested more than {DEEPEST} deep")
    return name.strip(), read


def _object(text: str) -> dict[str, Any]:
    from ecbench.ranges import quoted
    from ecbench.runs.problems import RunError
    from ecbench.tools.arguments import too_deep

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or too_deep(value):
        raise RunError(f"--extra-body {quoted(text)}: this is not a JSON object, such as '{{\"top_k\": 20}}'")
    return value


def _wording(path: Path) -> str:
    from ecbench.runs.problems import RunError

    try:
        if path.exists() and not path.is_file():
            raise RunError(f"--brief {path}: this is not a plain file")
        if path.stat().st_size > LONGEST_BRIEF:
            raise RunError(f"--brief {path}: {path.stat().st_size:,} bytes; at most {LONGEST_BRIEF:,} are read")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"--brief {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RunError(f"--brief {path}: this is not UTF-8 text") from error
    if not text.strip():
        raise RunError(f"--brief {path}: the file is empty")
    return text


def _flag(name: str) -> str:
    return "--model-arg" if name == "model_args" else f"--{name.replace('_', '-')}"
