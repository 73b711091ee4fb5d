"""No name or text that enters may hold characters that are not shown: worlds, stores, agents and runs alike."""

import json
from pathlib import Path

import pytest
from msgspec import ValidationError, convert, to_builtins
from msgspec.structs import replace

from ecbench import Episode, call, load_world
from ecbench.agent_text import escaped, hidden_character
from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST, create_run, open_run
from ecbench.runs.terms import Terms
from ecbench.world.fields import Label, Prose

HIDDEN = {
    "right to left": "\u202e",
    "isolate": "\u2066",
    "Arabic mark": "\u061c",
    "zero width space": "\u200b",
    "joiner": "\u200d",
    "soft hyphen": "\xad",
    "byte order mark": "\ufeff",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "next line": "\x85",
    "escape": "\x1b",
    "tag": "\U000e0041",
    "variant": "\U000e0101",
    "row of variants": "\ufe0f\ufe0f",
    "filler": "\u3164",
    "private use": "\ue000",
}
each_hidden = pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)


@each_hidden
def test_it_is_refused_in_texts_of_worlds_and_names_of_stores_and_printed_escaped(hidden: str) -> None:
    name = f"Tea{hidden}house"
    for kind in (Label, Prose):
        with pytest.raises(ValidationError):
            convert(name, kind)
    year = Episode(load_world("default"), days=2)
    (reply,) = year.act([call("open_store", store_type="pet", store_name=name)])
    assert f"holds the character {hidden_character(name)}" in reply
    assert year.account.books.stores == {}
    assert json.loads(f'"{escaped(name)}"') == name and not hidden_character(escaped(name))


@pytest.mark.parametrize("hidden", ["\u202e", "\ue000", "\n", "\t"], ids=["right to left", "private", "break", "tab"])
@pytest.mark.parametrize("place", ["the agent's", "the voice's", "the world's", "the folder's"])
def test_a_run_whose_names_hold_it_is_neither_begun_nor_opened(place: str, hidden: str, tmp_path: Path) -> None:
    name = f"idle{hidden}"
    plain = Terms.alone(load_world("default"), agent="idle")
    odd = {
        "the agent's": plain.with_seat(0, agent=name),
        "the voice's": replace(plain, voice=name),
        "the world's": replace(plain, world=replace(plain.world, name=name)),
    }.get(place, plain)
    folder = tmp_path / (name if odd is plain else "out")
    with pytest.raises(RunError, match="contains the character"):
        create_run(folder, odd, episodes=1, world_source="default")
    assert list(tmp_path.iterdir()) == []
    if odd is plain:
        return
    create_run(folder, plain, episodes=1, world_source="default")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    stated = to_builtins(odd)
    manifest["worlds"][0]["name"] = stated.pop("world")["name"]
    (folder / MANIFEST).write_text(json.dumps(manifest | stated), encoding="utf-8")
    with pytest.raises(RunError, match="contains the character"):
        open_run(folder)


@pytest.mark.parametrize("text", ["茶 & 咖啡", "☕️ Tea", "Ünïcode, מים, قهوة, चाय", "two\nlines\tand a tab", "𝔘 🫖"])
def test_what_is_shown_is_not_hidden(text: str) -> None:
    assert hidden_character(text) == "" and escaped(text) == text
