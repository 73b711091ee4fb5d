"""Years that the board plays beside itself: a command each, ended with the board."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

MOST_AT_ONCE = 8
LAST_SECONDS = 10  # for a year to stop at the end of its turn


class Workers:
    """The commands that are running, by their process ids."""

    def __init__(self) -> None:
        self._running: list[subprocess.Popen[bytes]] = []

    @property
    def busy(self) -> bool:
        self._running = [process for process in self._running if process.poll() is None]
        return len(self._running) >= MOST_AT_ONCE

    def start(self, *command: str, log: Path) -> None:
        """`ecbench COMMAND`, in a session of its own, so that Ctrl-C reaches it through the board alone."""
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "ecbench", *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._running.append(process)

    def end(self) -> None:
        """Each is asked to stop at the end of its turn, and can be resumed."""
        for process in self._running:
            with suppress(OSError):
                process.terminate()
        for process in self._running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LAST_SECONDS)
            if process.poll() is None:
                process.kill()
                process.wait()
