"""Failures of users' code, which may raise anything, described in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, default_int_handler, getsignal
from traceback import StackSummary, TracebackException, walk_tb

from ecbench.errors import RunError
from ecbench.redaction import redacted

LONGEST = 300  # characters of what an error says


@contextmanager
def failing_as(kind: type[RunError], what: str, file: str | None = None) -> Iterator[None]:
    """Whatever the code within raises becomes an error of this kind, which says what failed and where in `file`."""
    try:
        yield
    except RunError:
        raise
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt) and getsignal(SIGINT) is default_int_handler:
            raise
        raise kind(f"{what}: {described(problem, file)}") from problem


def described(problem: BaseException, file: str | None = None) -> str:
    """The error and the line that raised it, the last one within `file` if that is given; no stack around it."""
    try:
        said = one_line(str(problem))
    except BaseException:  # its own words may fail as it did
        said = ""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(problem.__traceback__)]
    locations = [f"{Path(name).name}, line {line}" for name, line in frames if file in (None, name)]
    text = f"{type(problem).__name__}: {said}" if said else type(problem).__name__
    location = f" ({locations[-1]})".encode("utf-8", "backslashreplace").decode() if locations else ""
    return text + location


def stack_of(failure: RunError) -> str:
    """The whole stack of what a user's code raised, without our own frames around it; for its author."""
    cause = failure.__cause__
    if cause is None:
        return ""
    whole = TracebackException.from_exception(cause)
    own = str(Path(__file__).parent)
    whole.stack = StackSummary.from_list([f for f in whole.stack if not f.filename.startswith(own)])
    return one_encoding(redacted("".join(whole.format())))


def one_line(text: str) -> str:
    """The text, shortened, without secrets, line breaks and half surrogate pairs, which no file can contain."""
    text = redacted(text)
    line = " ".join(text[: 2 * LONGEST].split())
    cut = line if len(line) <= LONGEST and len(text) <= 2 * LONGEST else f"{line[:LONGEST]}..."
    return one_encoding(cut)


def one_encoding(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
