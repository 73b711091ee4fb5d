"""ecbench compare: whether two agents differ, with p and interval."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, refuse_repeated

RUNS = "RUN..."


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar=RUNS, help="The folders of two or more runs, or of an arena.")],
    axis: Annotated[
        list[str] | None,
        typer.Option(
            "--axis",
            metavar="NAME",
            help="An axis, or any measure that `ecbench tables` prints; may be repeated. [default: the seven axes]",
        ),
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Compare even if days, stakes or rules differ, with a warning.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare runs, and test whether one does better than another.

    Runs are compared world by world; play them with `ecbench run --worlds 1-10 --episodes 2`. Ruined years are tested
    first, then the final assets of the others. The entries of an arena are compared like runs. Years that are not over
    are left out. docs/compare.md explains every number.

    Exit codes: 0 compared, 2 bad input, such as runs whose days, stakes or rules differ.
    """
    refuse_repeated(runs, RUNS)
    handlers.compare.compare_folders(runs, axis or [], anyway=anyway, as_json=as_json)
