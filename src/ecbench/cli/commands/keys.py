"""ecbench keys: the keys that sign runs."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import JsonOption, command_group

keys = command_group("Make a key that signs runs, or show its public part.")


@keys.command()
def new(
    keyfile: Annotated[Path, typer.Argument(metavar="KEYFILE", help="A file that does not exist yet.")],
    as_json: JsonOption = False,
) -> None:
    """Make a key: KEYFILE to sign with, KEYFILE.pub to publish.

    It is an Ed25519 key. Give KEYFILE to --sign, and publish the line of KEYFILE.pub, which `ecbench verify --trust`
    takes. Everybody who reads KEYFILE can sign in its owner's name, so it may not lie in a run folder.

    Exit codes: 0 the key was made, 2 bad input.
    """
    handlers.keys.new(keyfile, as_json=as_json)


@keys.command()
def show(
    keyfile: Annotated[Path, typer.Argument(metavar="KEYFILE", help="A file with a private or a public key.")],
    as_json: JsonOption = False,
) -> None:
    """Print the public key of KEYFILE or of KEYFILE.pub.

    Exit codes: 0 it was printed, 2 bad input.
    """
    handlers.keys.show(keyfile, as_json=as_json)
