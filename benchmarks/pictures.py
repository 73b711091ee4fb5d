"""The pictures of the first page, made from a year that is played for them: the board on a day, and the report.

    python benchmarks/pictures.py docs

Needs Debian's Chromium and Playwright's Python package.
"""

import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import ViewportSize, sync_playwright

from ecbench.board.run_index import Library
from ecbench.board.server.actions import Desk
from ecbench.board.server.app import Settings, board_app
from ecbench.cli import main as ecbench
from ecbench.serving.server import listen, server_of

DAY = 200
SIZE: ViewportSize = {"width": 1280, "height": 820}
PATIENCE = 120_000  # milliseconds
LARGEST = 200_000  # bytes of a picture


def main(folder: Path) -> None:
    with TemporaryDirectory() as runs:
        try:
            ecbench(["run", "--quiet", "--out", f"{runs}/steady"])
        except SystemExit as ended:
            assert not ended.code
        desk = Desk(Library(Path(runs)), frozenset(), lambda: "now")
        listening = listen("127.0.0.1", 0)
        place = "{}:{}".format(*listening.getsockname())
        ready = threading.Event()
        server = server_of(board_app(desk, Settings((place,), None, "a-mark")), ready.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert ready.wait(30)
            [spine] = Library(Path(runs)).spines()
            photograph(
                f"http://{place}/runs/{spine.id}/0/stores?day={DAY}", ".price-desk tbody tr", folder / "board.png"
            )
            photograph(f"http://{place}/runs/{spine.id}/report#runs", "#runs", folder / "report.png")
        finally:
            server.should_exit = True
            thread.join(30)
            desk.close()


def photograph(address: str, wanted: str, path: Path) -> None:
    """The upper part of a page as soon as what is wanted is there."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector(wanted)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=str(path))
        browser.close()
    assert path.stat().st_size < LARGEST, f"{path} has {path.stat().st_size:,} bytes"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
