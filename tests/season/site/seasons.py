"""A little season and submissions to it: eight worlds of nine days."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

from tests.analysis.compare.studies import begin_study
from tests.cli.test_garbled import command
from tests.conftest import write_little_world
from tests.runs.conftest import TRADER
from tests.season.forger import Forger
from tests.season.forgeries import more_money, other_reply, term_of_the_manifest, unknown_field

from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.signatures.keys import read_signing_key
from ecbench.runs.terms import WorldRef
from ecbench.season.season_file import SeasonKind
from ecbench.season.seasons import Season, season_terms
from ecbench.world.load import load_world
from ecbench.world.save import save_world

DAYS = 9
KIND = SeasonKind("full", DAYS, worlds=8, years=1)


def little_season(place: Path, first_seed: int = 0) -> Season:
    place.mkdir()
    world = load_world(write_little_world(place))
    sites = []
    for seed in range(first_seed, first_seed + KIND.worlds):
        folder = place / f"shop{seed}"
        save_world(replace(world, name=f"shop-{seed}", seed=seed), folder)
        sites.append(WorldRef(f"shop-{seed}", load_world(str(folder)).id, seed, str(folder)))
    return Season("2027-01", date(2027, 1, 1), tuple(sites), kind=KIND, submit_to="entries@example.org")


def play(season: Season, agent: str, folder: Path, key: Path | None = None) -> Run:
    """As `season play` does it."""
    first, *others = season.worlds
    terms, signing_key = season_terms(season, agent, {}), read_signing_key(key) if key else None
    source = first.source
    create_run(folder, terms, episodes=season.episodes, world_source=source, others=others, signing_key=signing_key)
    return resume(folder, *(("--sign", str(key)) if key else ()))


def resume(folder: Path, *options: str) -> Run:
    code, _, err = command("resume", str(folder), "-q", *options)
    assert code == 0, err
    return open_run(folder)


Tamper = Callable[[Path], object]


def forged(forge: Callable[[Forger], str]) -> Tamper:
    return lambda folder: forge(Forger(folder, Random(1)))


def unfinished(folder: Path) -> None:
    shutil.rmtree(folder / "episodes" / "3")


def broken(folder: Path) -> None:
    (folder / "run.json").write_text("{")


def linked(folder: Path) -> None:
    (folder / "notes").symlink_to("/etc/passwd")


def named_as(agent: str, folder: Path) -> None:
    manifest = json.loads((folder / "run.json").read_text())
    manifest["seats"][0]["agent"] = agent
    (folder / "run.json").write_text(json.dumps(manifest))


TAMPERED: dict[str, tuple[Tamper, str]] = {
    "broken": (broken, "cannot be read as JSON"),
    "fewer-days": (forged(term_of_the_manifest), "where the season has"),
    "field": (forged(unknown_field), "verified_by"),
    "linked": (linked, "a symbolic link"),
    "markup": (partial(named_as, "<script>alert(1)</script>"), "has markup"),
    "money": (forged(more_money), "episode"),
    "reply": (forged(other_reply), "episode"),
    "unfinished": (unfinished, "not over"),
}
"""By the name of a submission: what is done to an honest folder, and words of its refusal."""


def write_submissions(season: Season, place: Path, key: Path) -> Path:
    """Two honest folders, a signed one, a copy, a run that stopped early, and everything that must be refused."""
    folder = place / "submissions"
    folder.mkdir()
    play(season, "steady", folder / "steady")
    trader = play(season, TRADER, folder / "trader")
    play(season, "haggler", folder / "haggler", key)
    begin_study(folder / "early", folder / "steady", "idle")
    resume(folder / "early")
    for name, (tamper, _) in TAMPERED.items():
        shutil.copytree(trader.folder, folder / name)
        tamper(folder / name)
    shutil.copytree(trader.folder, folder / "zcopy")
    other = little_season(place / "other-worlds", first_seed=50)
    play(other, "steady", folder / "other-season")
    (folder / "<b>bold<b>").mkdir()
    (folder / "README.md").write_text("Hello")
    return folder
