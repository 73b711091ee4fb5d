"""Write a world to a folder: the same world always gives the same bytes."""

import csv
import io
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ecbench.errors import BadInput
from ecbench.world import schema
from ecbench.world.model import Category, World
from ecbench.world.problems import WorldError
from ecbench.world.world_folder import read_world_folder

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII).fullmatch


class SaveError(BadInput):
    """A world could not be written; nothing of it is left behind."""


def save_world(world: World, folder: str | Path) -> Path:
    """Write a world into a folder that does not exist yet or is empty; all of it or nothing.

    The files are written in a folder within it, read back, compared by id and only then moved up.
    """
    folder = Path(folder).absolute()
    refuse_used(folder)
    created = [path for path in (folder, *folder.parents) if not path.exists()]
    partial = folder / ".partial"
    try:
        partial.mkdir(parents=True)
        for file, text in world_files(world).items():
            (partial / file).write_text(text, encoding="utf-8", newline="\n")
        _compare(world, partial)
        for file in schema.FILES:
            (partial / file).rename(folder / file)
        partial.rmdir()
    except BaseException as error:
        _clear(folder, partial, created)
        if isinstance(error, OSError):
            raise SaveError(f"cannot write {folder}: {error.strerror}") from error
        raise
    return folder


def refuse_used(folder: Path) -> None:
    """A world is never written over anything."""
    try:
        used = any(folder.iterdir()) if folder.is_dir() else folder.exists() or folder.is_symlink()
    except OSError as error:
        raise SaveError(f"cannot write {folder}: {error.strerror}") from error
    if used:
        reason = "is not empty" if folder.is_dir() else "is a file"
        raise SaveError(f"{folder} {reason}; give a folder that does not exist yet")


def world_files(world: World) -> dict[str, str]:
    """The text of each file of the world's folder."""
    return {
        schema.SETTINGS: _settings(world),
        schema.CATEGORIES: _sheet(schema.CATEGORIES, (_category_cells(c) for c in world.categories)),
        schema.PRODUCTS: _sheet(schema.PRODUCTS, (_cells(p, schema.PRODUCTS) for p in world.products)),
        schema.SUPPLIERS: _sheet(schema.SUPPLIERS, (_cells(s, schema.SUPPLIERS) for s in world.suppliers)),
    }


def _compare(world: World, folder: Path) -> None:
    try:
        same = read_world_folder(folder).id == world.id
    except WorldError as error:
        raise WorldError(f"the world {world.name!r} is not valid, so it was not written", error.problems) from error
    if not same:
        raise SaveError(f"the world {world.name!r} does not read back as it was, so it was not written")


def _clear(folder: Path, partial: Path, created: Iterable[Path]) -> None:
    """Leave the disk as it was: `created` are the folders that were not there before, innermost first."""
    shutil.rmtree(partial, ignore_errors=True)
    # A file that cannot be removed was not created here; the error that led here is the one to report.
    for file in schema.FILES:
        with suppress(OSError):
            (folder / file).unlink()
    for path in created:
        with suppress(OSError):
            path.rmdir()


def _sheet(file: str, rows: Iterable[list[str]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in schema.COLUMNS[file]])
    writer.writerows(rows)
    return text.getvalue()


def _cells(row: object, file: str) -> list[str]:
    return [_cell(getattr(row, column.name)) for column in schema.COLUMNS[file]]


def _category_cells(category: Category) -> list[str]:
    """The price band keeps the digits it was written with, since tools show them."""
    low, _, high = category.price_range.partition("-")
    return [
        {"price_min": low, "price_max": high}.get(column.name) or _cell(getattr(category, column.name))
        for column in schema.COLUMNS[schema.CATEGORIES]
    ]


def _cell(value: str | float) -> str:
    return value if isinstance(value, str) else _number(value)


def _number(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    return repr(int(value)) if value == int(value) else repr(value)


def _settings(world: World) -> str:
    parts = [_table([], world, schema.HEAD)]
    for name, columns in schema.TABLES.items():
        parts += [_table([f"[[{name}]]"], row, columns) for row in getattr(world, name)]
    return "\n".join(parts)


def _table(lines: list[str], row: object, columns: Iterable[schema.Column]) -> str:
    """What the market overview says of a store type is among the keys of the store type."""
    for column in columns:
        value = getattr(row if hasattr(row, column.name) else getattr(row, "overview"), column.name)  # noqa: B009
        if value or not column.optional:
            lines.append(f"{_key(column.name)} = {_toml(column.write(value))}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, str):
        # TOML's basic strings escape as JSON does, and the delete character besides.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, int | float):
        return _number(value)
    raise TypeError(f"a world's settings contain no {type(value).__name__}: {value!r}")


def _key(name: str) -> str:
    return name if _BARE_KEY(name) else _toml(name)
