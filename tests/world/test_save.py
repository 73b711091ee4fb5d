import resource
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecbench.agent_text import hidden_character
from ecbench.world.fields import CAPACITY
from ecbench.world.files import WorldError
from ecbench.world.load import load_world
from ecbench.world.model import Overview
from ecbench.world.save import SaveError, save_world
from ecbench.world.world_folder import FILES


def test_a_saved_world_reads_back_with_the_same_id_and_the_same_bytes(small_world: Path, tmp_path: Path) -> None:
    world = load_world(small_world)
    first, second = save_world(world, tmp_path / "first"), save_world(load_world(small_world), tmp_path / "a" / "b")
    assert load_world(first).id == world.id
    files = sorted(path.name for path in first.iterdir())
    assert files == ["categories.csv", "products.csv", "suppliers.csv", "world.toml"]
    for file in files:
        content = (first / file).read_bytes()
        assert content == (second / file).read_bytes()
        assert b"\r" not in content


def test_a_folder_that_cannot_be_made_is_a_clear_error(small_world: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for target in ("file/world", "loop/world", "x" * 300 + "/world"):
        with pytest.raises(SaveError, match="cannot write"):
            save_world(load_world(small_world), tmp_path / target)


def test_an_empty_folder_is_filled_and_not_replaced(small_world: Path, tmp_path: Path) -> None:
    empty = tmp_path / "mounted"
    empty.mkdir()
    before = empty.stat().st_ino
    save_world(load_world(small_world), empty)
    assert empty.stat().st_ino == before
    assert sorted(path.name for path in empty.iterdir()) == sorted(FILES)


def test_nothing_is_ever_written_over(small_world: Path, tmp_path: Path) -> None:
    world = load_world(small_world)
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "diary.txt").write_text("mine")
    file = tmp_path / "file"
    file.write_text("mine too")
    for target, reason in ((kept, "is not empty"), (file, "is a file")):
        with pytest.raises(SaveError, match=reason):
            save_world(world, target)
    assert [path.name for path in kept.iterdir()] == ["diary.txt"]
    assert file.read_text() == "mine too"


def test_a_world_that_would_not_read_back_leaves_nothing_behind(small_world: Path, tmp_path: Path) -> None:
    world = load_world(small_world)
    first = replace(world.categories[0], price_range="9-150.50")
    broken = (
        replace(world, products=(replace(world.products[0], reference_price=-1.0),)),
        replace(world, suppliers=(replace(world.suppliers[0], category="Sofas"),)),
        replace(world, categories=(first, *world.categories[1:])),
    )
    (tmp_path / "new").mkdir()
    before = sorted(tmp_path.rglob("*"))
    for spoiled in broken:
        with pytest.raises((WorldError, SaveError), match="not written"):
            save_world(spoiled, tmp_path / "new" / "world")
        assert sorted(tmp_path.rglob("*")) == before


def test_a_disk_that_is_full_leaves_nothing_behind(small_world: Path, tmp_path: Path) -> None:
    world, before = load_world(small_world), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))  # bytes of a file
    try:
        with pytest.raises(SaveError, match=r"cannot write .*File too large"):
            save_world(world, tmp_path / "new" / "world")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not (tmp_path / "new").exists()


SEEN = st.characters(exclude_categories=["Cs", "Cc"]).filter(lambda character: not hidden_character(character))
TEXT = st.text(SEEN, min_size=1, max_size=20)
NAMES = TEXT.filter(lambda text: text == text.strip())
PROSE = st.text(st.one_of(SEEN, st.sampled_from("\n\t")), max_size=40)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_valid_world_survives_saving_and_loading(
    small_world: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    world = load_world(small_world)
    store_type = replace(
        world.store_types[0],
        name=data.draw(NAMES),
        capacity=data.draw(st.floats(CAPACITY.least, CAPACITY.most)),
        overview=Overview(advantage=data.draw(PROSE), operating_tips=tuple(data.draw(st.lists(PROSE, max_size=2)))),
    )
    event = replace(
        world.events[0],
        news=data.draw(PROSE),
        demand={"tea": data.draw(st.floats(0, 20))},
        delayed=data.draw(st.sampled_from([None, frozenset(), frozenset({"tea", "pots"})])),
    )
    changed = replace(
        world,
        name=data.draw(NAMES),
        seed=data.draw(st.integers(0, 2**63 - 1)),
        store_types=(store_type, world.store_types[1]),
        categories=(replace(world.categories[0], return_note=data.draw(PROSE)), *world.categories[1:]),
        products=(replace(world.products[0], title=data.draw(NAMES), return_rate=data.draw(st.floats(0, 1))),),
        events=(event,),
    )
    folder = tmp_path_factory.mktemp("saved") / "world"
    save_world(changed, folder)
    assert load_world(folder).id == changed.id
