"""The pictures of the first page, made from a year that is played for them.

    python benchmarks/pictures.py docs

Needs Debian's Chromium and Playwright's Python package.
"""

import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from ecbench.board.library import Library
from ecbench.board.server.app import Settings, board_app
from ecbench.board.server.desk import Desk
from ecbench.cli import main as ecbench
from ecbench.doors.http.serving import listen, server_of

DAY = 200


def main(folder: Path) -> None:
    with TemporaryDirectory() as runs:
        try:
            ecbench(["run", "--quiet", "--out", f"{runs}/steady"])
        except SystemExit as ended:
            assert not ended.code
        desk = Desk(Library(Path(runs)), frozenset(), lambda: "now")
        listening = listen("127.0.0.1", 0, trusted=False)
        place = "{}:{}".format(*listening.getsockname())
        ready = threading.Event()
        server = server_of(board_app(desk, Settings((place,), None, "a-mark")), ready.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert ready.wait(30)
            [spine] = Library(Path(runs)).spines()
            photograph(f"http://{place}/runs/{spine.id}/0?day={DAY}", folder / "board.png")
        finally:
            server.should_exit = True
            thread.join(30)
            desk.close()


def photograph(address: str, path: Path) -> None:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(address)
        page.wait_for_selector(".chat li", timeout=60_000)
        page.screenshot(path=str(path))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
