"""Write a world to a folder: the same world always gives the same bytes."""

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from ecbench.errors import BadInput
from ecbench.world.fields import MonthDay
from ecbench.world.files import WorldError
from ecbench.world.model import World
from ecbench.world.world_folder import (
    CATEGORIES,
    COLUMNS,
    PRODUCTS,
    SETTINGS,
    SUPPLIERS,
    TABLES,
    Column,
    read_world_folder,
)

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+", re.ASCII).fullmatch


class SaveError(BadInput):
    """A world could not be written."""


def save_world(world: World, folder: str | Path) -> Path:
    """Write a world into a folder that is new or empty; nothing is left unless it reads back as the same world."""
    folder = Path(folder).absolute()
    refuse_used(folder)
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".ecbench-", dir=folder) as place:
            texts = world_files(world)
            for file, text in texts.items():
                Path(place, file).write_text(text, encoding="utf-8", newline="\n")
            if read_world_folder(Path(place)).id != world.id:
                raise SaveError(f"the world {world.name!r} does not read back as it was, so it was not written")
            for file in texts:
                Path(place, file).replace(folder / file)
    except OSError as error:
        raise SaveError(f"cannot write {folder}: {error.strerror}") from error
    except WorldError as error:
        raise WorldError(f"the world {world.name!r} is not valid, so it was not written", error.problems) from error
    finally:
        for path in made:
            with suppress(OSError):  # it is not empty, unless nothing was written
                path.rmdir()
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
    """The text of each file of the world's folder; the settings come last, without which a folder is not a world."""
    return {
        CATEGORIES: _sheet(CATEGORIES, world.categories),
        PRODUCTS: _sheet(PRODUCTS, world.products),
        SUPPLIERS: _sheet(SUPPLIERS, world.suppliers),
        SETTINGS: _settings(world),
    }


def _sheet(file: str, rows: Iterable[object]) -> str:
    names = [column.name for column in COLUMNS[file]]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        values = {name: getattr(row, name) for name in names}
        cells = {name: value if isinstance(value, str) else _number(value) for name, value in values.items()}
        if file == CATEGORIES:  # the price band keeps the digits that it was written with, since tools show them
            cells["price_min"], _, cells["price_max"] = getattr(row, "price_range").partition("-")  # noqa: B009
        writer.writerow(cells.values())
    return text.getvalue()


def _number(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    return repr(int(value)) if value == int(value) else repr(value)


def _settings(world: World) -> str:
    parts = [_table([], world, COLUMNS[SETTINGS])]
    for name in TABLES:
        parts += [_table([f"[[{name}]]"], row, COLUMNS[name]) for row in getattr(world, name)]
    return "\n".join(parts)


def _table(lines: list[str], row: object, columns: Iterable[Column]) -> str:
    """What the market overview says of a store type is among the keys of the store type."""
    for column in columns:
        value = getattr(row if hasattr(row, column.name) else getattr(row, "overview"), column.name)  # noqa: B009
        if value or not column.optional:
            lines.append(f"{_key(column.name)} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """A value of a world's settings; None is that of an event that delays every store type."""
    match value:
        case str():
            # TOML's basic strings escape as JSON does, and the delete character besides.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return _number(value)
        case None:
            return _toml("all")
        case date() | MonthDay():
            return _toml(str(value))
        case Mapping():
            pairs = ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items())
            return f"{{{pairs}}}"
        case tuple() | frozenset():
            items = sorted(value) if isinstance(value, frozenset) else value
            return f"[{', '.join(_toml(item) for item in items)}]"
    raise TypeError(f"a world's settings contain no {type(value).__name__}: {value!r}")


def _key(name: str) -> str:
    return name if _BARE_KEY(name) else _toml(name)
