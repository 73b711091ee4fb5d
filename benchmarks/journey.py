"""The functions that a command passes through outside the simulator: how long its journey is for a reader.

    python benchmarks/journey.py                         of `run --agent steady --days 3`
    python benchmarks/journey.py --list resume RUN       of another command, function by function

Functions of the command line, of runs and of the turn loop count once, comprehensions and lambdas not at all. The
simulator does not count, with the metrics that are computed from its books, and neither does the merchant that plays.
"""

import sys
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import ecbench
from ecbench.cli import main

PACKAGE = Path(ecbench.__file__).parent
COUNTED = ("cli/", "runs/", "players/")
MERCHANTS = "players/merchants/"
RUN = ("run", "--agent", "steady", "--days", "3", "--quiet")


def journey(arguments: list[str]) -> dict[tuple[str, str], None]:
    """Modules and functions, in the order in which they are first entered."""
    entered: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        own = code.co_flags & CO_OPTIMIZED and not code.co_name.startswith("<")  # the body of a class is no function
        if event == "call" and own and code.co_filename.startswith(str(PACKAGE)):
            module = Path(code.co_filename).relative_to(PACKAGE).with_suffix("").as_posix()
            if module.startswith(COUNTED) and not module.startswith(MERCHANTS):
                entered[module, code.co_qualname] = None

    sys.setprofile(note)
    try:
        main(arguments)
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    return entered


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--list"]
    with TemporaryDirectory() as folder:
        journey([*RUN, "--out", f"{folder}/first"])  # which imports what the next one needs
        passed = journey(given or [*RUN, "--out", f"{folder}/run"])
    for module, name in passed if "--list" in sys.argv else ():
        print(f"{module}: {name}")
    print(f"{len(passed)} functions in {len({module for module, _ in passed})} modules outside the simulator")
