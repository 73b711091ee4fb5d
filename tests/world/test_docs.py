from pathlib import Path

from ecbench.world.schema import COLUMNS, HEAD, TABLES

PAGE = Path(__file__).parents[2] / "docs" / "world.md"


def test_the_manual_gives_every_column_and_key_its_rule() -> None:
    rows = [line.strip("|").split("|") for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    written = [(name.strip(" `"), rule.strip()) for name, _, rule in rows]
    expected = []
    for columns in (HEAD, *TABLES.values(), *COLUMNS.values()):
        for column in columns:
            marks = ("; unique" if column.unique else "") + ("; optional" if column.optional else "")
            expected.append((column.name, column.rule + marks))
    assert written == expected
