"""A small file that a user names with an option."""

from pathlib import Path

from ecbench.errors import RunError

LARGEST_FILE = 1 << 20  # bytes


def read_user_file(option: str, path: Path) -> bytes:
    """Its content. Raises RunError, which names the option, where it cannot be read or is too large."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise RunError(f"{option} {path}: {path.stat().st_size:,} bytes; at most {LARGEST_FILE:,} are read")
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"{option} {path}: {error.strerror}") from error
