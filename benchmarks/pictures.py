"""The pictures of the docs, made from a year that is played for them: the board on a day, and the shop on a phone.

    python benchmarks/pictures.py docs

Needs Debian's Chromium and Playwright's Python package.
"""

import shutil
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from ecbench.adapters.serving.server import listen, server_of
from ecbench.cli import main as ecbench
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app

DAY = 200
SIZE: ViewportSize = {"width": 1280, "height": 820}
PATIENCE = 120_000  # milliseconds
LARGEST = 200_000  # bytes of a picture
LARGEST_SCREEN = 120_000  # of a screen of the shop
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SETTLED = 1_000  # milliseconds until the parts of a screen have asked the board for what they show
QUALITY = 50  # percent
TAKEN_OVER = 60  # the day from which a person plays on
PHONE: ViewportSize = {"width": 390, "height": 844}
PHONE_SCREENS = ("today", "suppliers", "stores", "money")
ROW = """<body style="margin:0; display:flex; gap:10px; background:#888"><style>img { width: 290px }</style>%s"""


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
            [summary] = Library(Path(runs)).summaries()
            photograph(
                f"http://{place}/runs/{summary.id}/0/stores?day={DAY}", ".price-desk tbody tr", folder / "board.png"
            )
            branch = desk.branch(summary.id, 0, asked={"agent": "person", "day": TAKEN_OVER})
            photograph_shop(f"http://{place}/runs/{branch['id']}/{branch['episode']}", folder)
        finally:
            server.should_exit = True
            thread.join(30)
            desk.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def photograph(address: str, wanted: str, path: Path) -> None:
    """The upper part of a page as soon as what is wanted is there."""
    with chromium() as browser:
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector(wanted)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=str(path))
    assert path.stat().st_size < LARGEST, f"{path} has {path.stat().st_size:,} bytes"


def photograph_shop(year: str, folder: Path) -> None:
    """Screens of a phone in one picture, light and dark in turns."""
    with chromium() as browser:
        page, sheet = browser.new_page(viewport=PHONE), browser.new_page()
        page.set_default_timeout(PATIENCE)
        sheet.set_viewport_size({"width": 300 * len(PHONE_SCREENS) - 10, "height": 627})
        shots = [screen(page, f"{year}/{name}", SCHEMES[at % 2]) for at, name in enumerate(PHONE_SCREENS)]
        images = [f'<img src="data:image/png;base64,{shot}">' for shot in shots]
        develop(sheet, ROW % "".join(images), folder / "shop-phone.jpg")


def screen(page: Page, address: str, scheme: Literal["light", "dark"]) -> str:
    """A screen as PNG, in base64."""
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector("main[aria-busy=false] h1")
    page.wait_for_timeout(SETTLED)
    return b64encode(page.screenshot()).decode()


def develop(sheet: Page, content: str, path: Path) -> None:
    """A page of pictures as one JPEG."""
    sheet.set_content(content)
    sheet.wait_for_function("() => [...document.images].every(image => image.complete)")
    sheet.screenshot(path=str(path), type="jpeg", quality=QUALITY)
    assert path.stat().st_size < LARGEST_SCREEN, f"{path} has {path.stat().st_size:,} bytes"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
