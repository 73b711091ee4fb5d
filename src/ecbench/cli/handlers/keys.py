"""Make and show the keys that sign runs."""

from pathlib import Path

from ecbench.cli.plain_text import say, say_json
from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST
from ecbench.runs.signatures.keys import SigningKey, public_file, read_public_key, read_signing_key, write_new_key


def new(path: Path, *, as_json: bool) -> None:
    """Make a key and print its public part. Raises RunError for a file in a run folder."""
    _refuse_in_run(path)
    key = write_new_key(path)
    if not as_json:
        say(f"{path} signs: keep it to yourself. Publish {public_file(path)}:", err=True)
    _print(key.public, as_json=as_json, private_file=str(path), public_file=str(public_file(path)))


def show(path: Path, *, as_json: bool) -> None:
    """Print the public part of a key."""
    _print(read_public_key(str(path)), as_json=as_json)


def signing_key(path: Path | None) -> SigningKey | None:
    """The key that --sign names. Raises RunError where it cannot be read, or lies where runs are handed on."""
    if path is None:
        return None
    _refuse_in_run(path)
    return read_signing_key(path)


def _refuse_in_run(path: Path) -> None:
    for folder in path.absolute().parents:
        if (folder / MANIFEST).exists():
            raise RunError(f"{path} lies in the run {folder}, and a run is handed on; keep the key in another folder")


def _print(public_key: str, *, as_json: bool, **files: str) -> None:
    if as_json:
        say_json({"public_key": public_key, **files})
    else:
        say(public_key)
