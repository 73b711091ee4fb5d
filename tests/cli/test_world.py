import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal

from ecbench.report.world_page import render_world_page
from ecbench.report.world_summary import summarize
from ecbench.world.load import load_world


@pytest.fixture(autouse=True)
def _on_a_wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


def test_a_valid_world_checks_out(cli: Cli, small_world: Path) -> None:
    run = cli("world", "check", str(small_world))
    assert run.code == 0
    assert "corner shop is a valid world: 2 store types, 3 categories, 3 products, 3 suppliers" in run.out
    assert load_world(small_world).id in run.out


def test_a_broken_world_is_exit_code_2_and_one_message_on_stderr(cli: Cli, small_world: Path) -> None:
    path = small_world / "products.csv"
    path.write_text(path.read_text().replace(",88,", ",-88,"))
    run = cli("world", "check", str(small_world))
    assert (run.code, run.out) == (2, "")
    assert "products.csv, row 3, column reference_price: '-88' is not a price from 0.01" in run.err


def test_check_tells_machines_the_same(cli: Cli, small_world: Path) -> None:
    run = cli("world", "check", str(small_world), "--json")
    assert json.loads(run.out)["valid"] is True
    (small_world / "suppliers.csv").unlink()
    run = cli("world", "check", str(small_world), "--json")
    assert run.code == 2
    answer = json.loads(run.out)
    assert answer["valid"] is False
    assert [problem["file"] for problem in answer["problems"]] == ["suppliers.csv"]


@pytest.mark.parametrize("command", ["check", "show"])
def test_a_world_that_is_not_there_is_exit_code_2(cli: Cli, command: str) -> None:
    assert "no world at 'nowhere': there is no such folder" in refusal(cli, "world", command, "nowhere")
    assert list(Path().iterdir()) == []


def test_show_prints_tables_and_writes_nothing_unasked(cli: Cli, small_world: Path) -> None:
    run = cli("world", "show", str(small_world), "--categories")
    assert run.code == 0
    for fact in ("Tea & Coffee", "Dock Strike", "28 Dec", "31 Dec", "Spring Week", "vip_fee", "33.3% fraudulent"):
        assert fact in run.out
    assert "Green Tea" in run.out
    assert cli("world", "show", str(small_world), "--json").code == 0
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_show_writes_its_page_where_it_is_told(cli: Cli, small_world: Path, form: tuple[str, ...]) -> None:
    run = cli("world", "show", str(small_world), "--out", "shop.html", *form)
    assert run.code == 0 and "Page with pictures: shop.html" in (run.err if form else run.out)
    assert [path.name for path in Path().iterdir()] == ["shop.html"]


def test_a_page_that_cannot_be_written_is_a_clear_error(cli: Cli, small_world: Path) -> None:
    run = cli("world", "show", str(small_world), "--out", "no/such/folder/page.html")
    assert run.code == 2 and "No such file or directory" in run.err


def test_show_counts_for_machines(cli: Cli, small_world: Path) -> None:
    world = json.loads(cli("world", "show", str(small_world), "--json").out)
    assert (world["honest_suppliers"], world["fraudulent_suppliers"]) == (2, 1)
    assert world["scams"] == {"vip_fee": 1}
    assert sum(step["count"] for step in world["prices"]) == 3
    assert world["prices"][0] == {"low": 10.0, "high": 20.0, "count": 1}
    assert world["store_types"][0]["peak_month"] == "Nov"
    assert [row["name"] for row in world["calendar"]] == ["Fog", "Spring Week", "Spring Week", "Dock Strike"]


class Page(HTMLParser):
    """The tags of a page, and everything that would make a browser fetch or run something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.pictures: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag in ("script", "link", "img", "iframe", "object", "image", "use"):
            self.loads.append(tag)
        self.loads += [f"{tag} {name}" for name in given if name in ("src", "href", "xlink:href") or name[:2] == "on"]
        if tag == "svg":
            self.pictures.append(given.get("aria-label") or "")


def test_the_page_is_pictures_in_words_too_and_loads_nothing(small_world: Path) -> None:
    text = render_world_page(summarize(load_world(small_world)))
    page = Page(text)
    assert page.loads == []
    assert len(page.pictures) == 6
    assert all(len(label) > 20 for label in page.pictures)
    assert "@import" not in text
    assert "url(http" not in text
    assert "prefers-color-scheme: dark" in text


def test_names_on_the_page_are_text_never_markup(small_world: Path) -> None:
    path = small_world / "world.toml"
    names = path.read_text().replace("Tea & Coffee", "<script>alert(1)</script>").replace("Dock", "<img src=x>")
    path.write_text(names)
    text = render_world_page(summarize(load_world(small_world)))
    assert Page(text).loads == []
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_import_refuses_a_folder_of_something_else_and_writes_nothing(cli: Cli, small_world: Path) -> None:
    assert "data/store_type_config.py: this file is missing" in refusal(
        cli, "world", "import", str(small_world), "--out", "imported"
    )
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("arguments", [["new", "--seed", "7"], ["import", "release"]])
def test_nothing_is_written_over_a_folder_in_use(cli: Cli, arguments: list[str]) -> None:
    Path("used").mkdir()
    Path("used/diary.txt").write_text("mine")
    assert "used is not empty" in refusal(cli, "world", *arguments, "--out", "used")
    assert Path("used/diary.txt").read_text() == "mine"


def test_a_fresh_world_is_valid_and_the_same_for_the_same_seed(cli: Cli) -> None:
    counts = ["--products", "400", "--suppliers", "300", "--fraud-share", "0.2"]
    for out in ("w7", "again"):
        assert cli("world", "new", "--seed", "7", "--out", out, *counts).code == 0
    assert cli("world", "check", "w7").code == 0
    world = load_world("w7")
    assert (len(world.products), len(world.suppliers)) == (400, 300)
    assert sum(not supplier.honest for supplier in world.suppliers) == 60
    assert load_world("again").id == world.id


@pytest.mark.parametrize(
    "counts",
    [
        *(["--products", products] for products in ("1", "99999999999")),
        *(["--fraud-share", share] for share in ("1.5", "nan")),
        ["--suppliers", "0"],
        *(["--seed", seed] for seed in ("-1", "9" * 4_000)),
        *(["--name", name] for name in ("", "two\nlines", "\udcff")),
    ],
)
def test_impossible_settings_are_refused_and_nothing_is_written(cli: Cli, counts: list[str]) -> None:
    assert cli("world", "new", "--seed", "7", "--out", "w7", *counts).code == 2
    assert list(Path().iterdir()) == []


def test_every_word_of_the_category_table_fits_eighty_columns(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = cli("world", "show", "default", "--categories").out
    assert "…" not in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_default_world_is_listed_with_its_counts(cli: Cli) -> None:
    worlds = {world["name"]: world for world in json.loads(cli("world", "list", "--json").out)}
    assert worlds["default"]["products"] == 6886
    assert worlds["default"]["suppliers"] == 576
    assert "6,886" in cli("world", "list").out
