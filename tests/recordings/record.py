"""Renew the recordings after a number has changed on purpose: the same calls, with what they answer now.

    python -m tests.recordings.record [NAME ...]

Run from the root of the project. It prints what changed; look at it before you commit it.
"""

import sys
from itertools import islice

from tests.recordings.tape import FOLDER, NAMES, default_world, differences, read, replay, write

SHOWN = 20


def main(names: list[str]) -> None:
    for name in names or NAMES:
        path = FOLDER / f"{name}.json.gz"
        before = read(path)
        recording = {**replay(before), "world": default_world().id}
        changes = islice(differences(before, recording), SHOWN)
        print("\n".join([f"{name}{change}" for change in changes]) or f"{name}: nothing changed")
        write(path, recording)


if __name__ == "__main__":
    main(sys.argv[1:])
