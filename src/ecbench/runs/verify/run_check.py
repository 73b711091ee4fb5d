"""A run folder, recomputed: its manifest, its worlds and its years. Everything else in it is not part of the proof."""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import EPISODES, EVENTS, MANIFEST, Run
from ecbench.runs.play.agents import MerchantAgent
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, read_file
from ecbench.runs.record.json_values import parse, repeated_field
from ecbench.runs.results.ranking import protocol_departures
from ecbench.runs.run_worlds import WorldRef
from ecbench.runs.signatures.signature import SIGNATURE, SignerCheck, begin_check
from ecbench.runs.verify.exact_replay import fields_that_differ
from ecbench.runs.verify.year_check import YearCheck, can_ask_agents, check_year, require_tokenizer
from ecbench.world.model import World

PAPER = "paper"  # the protocol that a run may name


@dataclass(slots=True)
class RunCheck:
    """What recomputing a run showed. `differences` are those of the folder; each year has its own."""

    run: Run
    signer: SignerCheck
    years: list[YearCheck] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # files that are not part of the proof, as paths within the folder
    asked: bool = False  # the merchants of the package were asked for their calls

    @property
    def all_differences(self) -> list[str]:
        years = (year.difference for year in self.years if year.difference)
        return [*self.differences, *self.signer.differences, *years]

    @property
    def remarks(self) -> list[str]:
        return [remark for year in self.years for remark in year.remarks]


def check_run(run: Run, world_source: str | None = None, trusted: Sequence[str] = ()) -> RunCheck:
    """Recompute a run, and re-run its merchants if all come with the package.

    `world_source` is where its world lies now. `trusted` are public keys, one of which must have signed the run.
    """
    require_tokenizer(run)
    found = RunCheck(run, begin_check(run, trusted), asked=can_ask_agents(run))
    _check_folder(found)
    if found.differences:  # a link may lead anywhere, so nothing is read
        return found
    found.differences.extend(_manifest_differences(run))
    there, held = run.with_world_at(world_source), dict[WorldRef, World]()
    by_world = sorted(range(run.episodes), key=lambda episode: (episode % len(run.worlds), episode))
    years = [_year(there, episode, held, found.signer) for episode in by_world]
    found.years = sorted(years, key=lambda year: year.episode)
    return found


def _check_folder(found: RunCheck) -> None:
    """Look at every name below the folder; no link is followed and no file is opened."""
    run = found.run
    names = (EVENTS, SIGNATURE) if run.signed else (EVENTS,)
    proof = {MANIFEST, *(f"{EPISODES}/{number}/{name}" for number in range(run.episodes) for name in names)}
    try:
        for path, kind in _entries(run.folder):
            name = path.relative_to(run.folder).as_posix()
            if stat.S_ISLNK(kind):
                found.differences.append(f"{path} is a symbolic link; a run contains only its own files")
            elif not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                found.differences.append(f"{path} is neither a file nor a folder")
            elif name not in proof and path.name in (EVENTS, SIGNATURE):
                found.differences.append(f"{path} is a record or a signature that {MANIFEST} does not count")
            elif name not in proof and not stat.S_ISDIR(kind):
                found.beside.append(name)
    except OSError as error:
        raise RunError(f"cannot read {error.filename or run.folder}: {error.strerror}") from error


def _entries(folder: Path) -> Iterator[tuple[Path, int]]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        kind = entry.stat(follow_symlinks=False).st_mode
        yield Path(entry.path), kind
        if stat.S_ISDIR(kind):
            yield from _entries(Path(entry.path))


def _manifest_differences(run: Run) -> Iterator[str]:
    """A field that no version writes so, or one that is there twice, may say to others what it does not say here."""
    content = read_file(run.folder / MANIFEST, MANIFEST_LIMIT)
    if twice := repeated_field(content):
        yield f"{MANIFEST} has the field {twice!r:.40} twice"
    if not content.startswith(b"{"):
        yield f"{MANIFEST} does not begin with an object: no version writes a byte order mark or another encoding"
    yield from _idle_options(run)
    protocol = run.manifest.protocol
    if protocol not in (None, PAPER):
        yield f"{MANIFEST}: there is no protocol {protocol!r:.40}"
    elif protocol and (departures := list(protocol_departures(run))):
        yield f"{MANIFEST}: not the paper's protocol: {'; '.join(departures)}"
    if fields := fields_that_differ(parse(content), parse(run.manifest.text()), "a run of this version"):
        yield f"{MANIFEST}: {fields}"


def _idle_options(run: Run) -> Iterator[str]:
    """Options of a model at a seat that no model plays: they would say of a merchant what is not true."""
    of_voice = {"supplier"} if run.terms.model_voice else set()
    played_by_model = any(seat.names_model for seat in run.terms.seats)
    if run.manifest.budget and not of_voice and not played_by_model:
        yield f"{MANIFEST} has a budget for models, but no model plays"
    if run.manifest.budget and run.manifest.budget.hours is not None:
        yield f"{MANIFEST} has a budget of hours, which no version records"
    if run.manifest.resumed_window and not played_by_model:
        yield f"{MANIFEST} has a resumed_window for models, but no model plays"
    for number, seat in enumerate(run.terms.seats):
        if isinstance(seat.player, MerchantAgent) and (idle := set(seat.model) - of_voice):
            yield f"{MANIFEST}: seat {number} ({seat.agent}) has options of a model: {', '.join(sorted(idle))}"


def _year(run: Run, episode: int, held: dict[WorldRef, World], signer: SignerCheck) -> YearCheck:
    """`held` has the world of the year before, so that a world is loaded once and no more than one is held."""
    ref = run.world_of(episode)
    try:
        if ref not in held:
            held.clear()
            held[ref] = _stated_world(run, episode)
        recording = read_episode(run, episode)
        signer.add_year(episode, recording)
    except RunError as problem:
        return YearCheck(episode, ref.name, difference=f"{run.called(episode)}: {problem}")
    if not recording.begun and not recording.damage:
        return YearCheck(episode, ref.name)
    return check_year(run, episode, held[ref], recording)


def _stated_world(run: Run, episode: int) -> World:
    ref, world = run.world_of(episode), run.load_world(episode)
    if (world.name, world.seed) != (ref.name, ref.seed):
        named = f"{MANIFEST} has world {ref.name!r} of seed {ref.seed} under the id of {world.name!r}"
        raise RunError(f"{named} of seed {world.seed}")
    return world
