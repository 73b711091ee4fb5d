"""Forged run folders against `verify`: forged records are refused, and forged other files are not used.

    python benchmarks/forge.py                    print the table
    python benchmarks/forge.py docs/studies.md    put it into its block of the page too

The forger knows the format and chains every changed record anew, with digests that hold: see
tests/season/forger.py. A refusal counts only if it names what differs. Files beside the records are not part of the
proof: `verify` must accept a folder in which they are forged, and state the same facts. Exits with 1 unless all is as
it should be.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from doc_tables import markdown_table, options_of, publish

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # the machinery is that of the tests

from tests.cli.test_garbled import command
from tests.season.forger import Forger
from tests.season.forgeries import HARMLESS, KINDS, Kind
from tests.season.honest_folders import write_honest_folders

OTHER_FILES = "what the other files of the folder say"
HEAD = ["forgery", "made", "refused"]


def forged(kind: Kind, honest: dict[str, Path], place: Path, count: int) -> int:
    """How many forged folders were refused by the name of what differs."""
    found = 0
    for folder, draws in copies(kind, honest, place, count):
        words = kind.forge(Forger(folder, draws))
        code, out, err = command("verify", str(folder))
        found += (named := code in (1, 2) and words in out + err)
        if not named:
            print(f"{folder}: verify exits with {code} and does not name {words!r}:\n{out}{err}", file=sys.stderr)
    return found


def unused(kind: Kind, honest: dict[str, Path], place: Path, count: int) -> int:
    """How many folders with forged files beside their records were accepted with the proof of the honest folder."""
    same = 0
    for folder, draws in copies(kind, honest, place, count):
        before = proof(folder)
        kind.forge(Forger(folder, draws))
        same += proof(folder) == before and before["holds"]
    return same


def copies(kind: Kind, honest: dict[str, Path], place: Path, count: int) -> Iterator[tuple[Path, Random]]:
    for number in range(count):
        draws = Random(f"{kind.name}/{number}")
        source = draws.choice(kind.of)
        yield Path(shutil.copytree(honest[source], place / "forged" / source)), draws
        shutil.rmtree(place / "forged")


def proof(folder: Path) -> dict[str, Any]:
    """What `verify` says, but for its list of other files."""
    found: dict[str, Any] = json.loads(command("verify", str(folder), "--json")[1])
    return found | {"not_proven": [line for line in found["not_proven"] if not line.startswith(OTHER_FILES)]}


def accepted(honest: dict[str, Path]) -> int:
    return sum(command("verify", str(folder))[0] == 0 for folder in honest.values())


def measure(wanted: int, pages: list[str]) -> bool:
    each = -(-wanted // len(KINDS))
    with TemporaryDirectory() as folder:
        honest = write_honest_folders(Path(folder))
        taken = accepted(honest)
        found = {kind: forged(kind, honest, Path(folder), each) for kind in KINDS}
        harmless = {kind: unused(kind, honest, Path(folder), each) for kind in HARMLESS}
    made, good = each * len(KINDS), all(count == each for count in found.values())
    without_effect = all(count == each for count in harmless.values())
    rows = [[kind.name, f"{each}", f"{count}"] for kind, count in found.items()]
    refusals = "all refused by the name of what differs" if good else "NOT all refused"
    said = f"{made:,} forgeries of {len(KINDS)} kinds, {refusals}; {taken} of {len(honest)} honest folders accepted."
    unchanged = "all with the same proof" if without_effect else "NOT all with the same proof"
    more = f"{each * len(HARMLESS):,} folders with forged files beside the records, {unchanged}."
    counts = [[kind.name, f"{each}", f"{count}"] for kind, count in harmless.items()]
    others = markdown_table(["forged", "made", "same proof"], counts)
    print(f"{markdown_table(HEAD, rows)}\n\n{others}\n")
    publish("forge", f"{said} {more}", pages)
    return good and without_effect and taken == len(honest)


def main() -> None:
    options = options_of(__doc__, forgeries=400)
    if not measure(options.forgeries, options.pages):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
