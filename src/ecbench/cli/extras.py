"""Packages that only some commands need."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needing(extra: str, *packages: str) -> Iterator[None]:
    """Around imports: where one of these is not installed, raises RunError with the extra that brings it."""
    from ecbench.errors import RunError

    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        raise RunError(f"{error.name} is not installed: pip install 'ecbench[{extra}]'") from error
