"""A shipped world is read from its binary form only while that says what its files say."""

import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest

from ecbench.world import binary_form
from ecbench.world.binary_form import BINARY_FORM, DIGEST, read_binary_form, write_binary_form
from ecbench.world.load import load_world
from ecbench.world.model import World
from ecbench.world.schema import FILES, SHIPPED
from ecbench.world.world_folder import read_world_folder


@pytest.fixture
def packed(small_world: Path) -> Path:
    """The folder of a small world with its binary form."""
    write_binary_form(read_world_folder(small_world), small_world)
    assert read_binary_form(small_world) is not None
    return small_world


@pytest.mark.parametrize("name", ["default", ""])
def test_a_binary_form_gives_the_world_that_its_files_give(name: str, packed: Path) -> None:
    folder = SHIPPED / name if name else packed
    world, files = read_binary_form(folder), read_world_folder(folder)
    assert world is not None
    assert world.id == files.id
    for each in fields(World):
        assert repr(getattr(world, each.name)) == repr(getattr(files, each.name))


@pytest.mark.parametrize("file", FILES)
def test_a_form_older_than_any_of_its_files_is_not_used(file: str, packed: Path) -> None:
    with (packed / file).open("a", encoding="utf-8") as written:
        written.write("\n")
    assert read_binary_form(packed) is None


@pytest.mark.parametrize("place", [0, DIGEST, DIGEST + 40, -1])
def test_a_form_with_one_changed_byte_is_not_used(place: int, packed: Path) -> None:
    form = bytearray((packed / BINARY_FORM).read_bytes())
    form[place] ^= 1
    (packed / BINARY_FORM).write_bytes(form)
    assert read_binary_form(packed) is None


@pytest.mark.parametrize("length", [0, DIGEST - 1, DIGEST, 200])
def test_a_form_that_was_written_in_part_is_not_used(length: int, packed: Path) -> None:
    (packed / BINARY_FORM).write_bytes((packed / BINARY_FORM).read_bytes()[:length])
    assert read_binary_form(packed) is None


def test_a_form_of_another_version_is_not_used(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_form, "VERSION", b"ecbench world 0\n")
    assert read_binary_form(packed) is None


def test_a_shipped_world_without_a_usable_form_is_read_from_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SHIPPED / "default", tmp_path / "spare")
    (tmp_path / "spare" / BINARY_FORM).write_bytes(b"damaged")
    monkeypatch.setattr("ecbench.world.load.SHIPPED", tmp_path)
    assert load_world("spare").id == load_world(str(SHIPPED / "default")).id


def test_the_form_in_a_folder_from_elsewhere_is_never_read(packed: Path) -> None:
    """It could hold what no check of the files would let through."""
    read = read_world_folder(packed)
    forged = replace(read, days=9_999)
    write_binary_form(forged, packed)
    found = read_binary_form(packed)
    assert found is not None
    assert found.days == 9_999
    assert load_world(packed).id == read.id
