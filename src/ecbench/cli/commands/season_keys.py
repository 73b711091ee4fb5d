"""ecbench season keys: the keys that sign runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ecbench.cli.declare import argument, command, group
from ecbench.cli.options import JsonOption
from ecbench.cli.terminal import say, say_json


def new(
    keyfile: Annotated[Path, argument(metavar="KEYFILE", help="A file that does not exist yet.")],
    as_json: JsonOption = False,
) -> None:
    """Make a key: KEYFILE to sign with, KEYFILE.pub to publish.

    It is an Ed25519 key. Give KEYFILE to --sign, and publish the line of KEYFILE.pub, which `ecbench verify --trust`
    takes. Everybody who reads KEYFILE can sign in its owner's name, so it may not lie in a run folder.

    Exit codes: 0 the key was made, 2 bad input.
    """
    from ecbench.cli.new_run import refuse_in_run
    from ecbench.runs.signatures.keys import public_file, write_new_key

    refuse_in_run(keyfile)
    key = write_new_key(keyfile)
    if not as_json:
        say(f"{keyfile} signs: keep it to yourself. Publish {public_file(keyfile)}:", err=True)
    _print(key.public, as_json=as_json, private_file=str(keyfile), public_file=str(public_file(keyfile)))


def show(
    keyfile: Annotated[Path, argument(metavar="KEYFILE", help="A file with a private or a public key.")],
    as_json: JsonOption = False,
) -> None:
    """Print the public key of KEYFILE or of KEYFILE.pub.

    Exit codes: 0 it was printed, 2 bad input.
    """
    from ecbench.runs.signatures.keys import read_public_key

    _print(read_public_key(str(keyfile)), as_json=as_json)


def _print(public_key: str, *, as_json: bool, **files: str) -> None:
    if as_json:
        say_json({"public_key": public_key, **files})
    else:
        say(public_key)


keys = group("keys", "Make a key that signs runs, or show its public part.", command(new), command(show))
