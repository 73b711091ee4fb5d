"""Ends a Ray cluster whose program is gone: its workers need seconds to notice, and two of its agents a minute.

A process of its own notes once a second who belongs to the cluster, and kills them all by their ids when its line to
the program breaks.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

LOOK_SECONDS = 1.0
DISMISSED = b"dismissed"


@contextmanager
def guarded_cluster() -> Iterator[None]:
    """For a cluster that is started and shut down meanwhile."""
    # In a session of its own, where no signal to the program's group finds it.
    guard = subprocess.Popen([sys.executable, "-m", __name__], stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield
    finally:
        guard.communicate(DISMISSED)


def stand_guard() -> None:
    """The guard's own life."""
    charge = psutil.Process().parent()
    cluster: set[psutil.Process] = set()
    word: list[bytes] = []
    listening = threading.Thread(target=lambda: word.append(sys.stdin.buffer.read()), daemon=True)
    listening.start()
    while charge is not None and listening.is_alive():
        with suppress(psutil.Error):
            cluster |= _cluster_of(charge)
        listening.join(LOOK_SECONDS)
    if word != [DISMISSED]:
        for process in cluster:
            with suppress(psutil.Error):
                process.kill()


def _cluster_of(charge: psutil.Process) -> set[psutil.Process]:
    """Ray's daemon and whoever it has started; the others that Ray starts are the program's own children and end with
    it."""
    raylets = [child for child in charge.children() if child.name().startswith("raylet")]
    return {process for raylet in raylets for process in (raylet, *raylet.children(recursive=True))}


if __name__ == "__main__":
    stand_guard()
