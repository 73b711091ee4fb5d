"""Commands that the board runs as subprocesses: years, which end with the board, and reports."""

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.errors import RunError

ECBENCH = (sys.executable, "-P", "-m", "ecbench")  # -P: no module is looked for in the current folder
MOST_AT_ONCE = 8
LAST_SECONDS = 2.0  # for all years to stop at the end of their turns
LAST_BYTES = 4_096  # of a command's output, in which its last line is looked for
REPORT_SECONDS = 300


class Workers:
    """The commands that are running."""

    def __init__(self) -> None:
        self._running: dict[Path, subprocess.Popen[bytes]] = {}  # by the file of their output

    def refuse_if_busy(self) -> None:
        if sum(process.poll() is None for process in list(self._running.values())) >= MOST_AT_ONCE:
            raise RequestRefused(429, "too many commands are running; wait for one to end")

    def play_on(self, folder: Path) -> None:
        """Resume the run of a folder, unless that is being done."""
        if not self.is_running(log_of(folder)):
            self.start("resume", str(folder), "--quiet", log=log_of(folder))

    def is_running(self, log: Path) -> bool:
        return log in self._running and self._running[log].poll() is None

    def last_line(self, log: Path) -> str:
        """Of the output of a command that this board has started."""
        try:
            said = log.read_bytes()[-LAST_BYTES:].decode(errors="replace").split("\n") if log in self._running else []
        except OSError:
            return ""
        return next((line.strip() for line in reversed(said) if line.strip()), "")

    def start(self, *command: str, log: Path) -> None:
        """`ecbench COMMAND`, in a session of its own, so that Ctrl-C reaches it through the board alone."""
        with log.open("wb") as output:
            self._running[log] = subprocess.Popen(
                [*ECBENCH, *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def end(self) -> None:
        """Each is asked to stop at the end of its turn, killed where that takes long, and can be resumed."""
        until = time.monotonic() + LAST_SECONDS
        running = list(self._running.values())
        for process in running:
            with suppress(OSError):
                process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until - time.monotonic()))
            if process.poll() is None:
                process.kill()
                process.wait()


async def report_page(folder: Path) -> str:
    """The page that `ecbench report` writes on a run, in a process of its own: a long year takes much memory."""
    with TemporaryDirectory(prefix="ecbench-report-") as directory:
        page = Path(directory, "report.html")
        command = [*ECBENCH, "report", str(folder), "--out", str(page)]
        try:
            with anyio.fail_after(REPORT_SECONDS):
                done = await anyio.run_process(command, stderr=subprocess.STDOUT, check=False, start_new_session=True)
        except TimeoutError as late:
            raise RunError(f"the report was not made within {REPORT_SECONDS} seconds; see ecbench report") from late
        if done.returncode:
            said = done.stdout.decode(errors="replace").strip().splitlines()
            raise RunError(said[-1] if said else "the report could not be made; see ecbench report")
        return page.read_text(encoding="utf-8")


def log_of(folder: Path) -> Path:
    """The file of the output of the command that plays a run."""
    return folder.with_name(f".{folder.name}.log")
