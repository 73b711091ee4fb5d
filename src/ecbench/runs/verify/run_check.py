"""A run folder, recomputed: its files, its manifest, its worlds, its years and its summary.

`ecbench verify` and `ecbench replay --verify` share this check; the former also asks the merchants of the package.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ecbench.errors import RunError
from ecbench.runs.folder import MANIFEST, Run, stated_in_manifest
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, read_file
from ecbench.runs.record.schema import parse, repeated_field
from ecbench.runs.results.bounds_file import bound_differences
from ecbench.runs.results.paper_protocol import protocol_departures
from ecbench.runs.results.summary_file import SUMMARY, summary_content
from ecbench.runs.run_worlds import Site
from ecbench.runs.verify.exact_replay import fields_that_differ
from ecbench.runs.verify.folder_check import check_folder
from ecbench.runs.verify.said_check import require_tokenizer
from ecbench.runs.verify.signer_check import SignerCheck, begin_check
from ecbench.runs.verify.year_check import YearCheck, can_ask_agents, check_year, lines_that_differ
from ecbench.world.model import World

PAPER = "paper"  # the protocol that a run may name
ORIGIN = (
    "behaviour",
    "schema",
    "ecbench",
    "python",
    "compiled",
    "created",
    "git_commit",
    "packages",
    "preset",
    "engine",
)
"""Fields of `run.json` that say where a run came from. Nothing depends on them, so nothing proves them."""


@dataclass(slots=True)
class RunCheck:
    """What recomputing a run showed. `differences` are those of the folder; each year has its own."""

    run: Run
    signer: SignerCheck
    years: list[YearCheck] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    not_recomputed: list[str] = field(default_factory=list)  # files, as paths within the folder
    asked: bool = False  # the merchants of the package were asked for their calls
    has_summary: bool = False  # which follows from the years

    @property
    def all_differences(self) -> list[str]:
        years = (year.difference for year in self.years if year.difference)
        return [*self.differences, *self.signer.differences, *years]


def check_run(
    run: Run,
    world_source: str | None = None,
    episodes: Iterable[int] | None = None,
    *,
    ask_agents: bool,
    trusted: Sequence[str] = (),
) -> RunCheck:
    """Recompute a run, or some of its years; `world_source` is where its world lies now.

    `trusted` are public keys, one of which must have signed the run.
    """
    require_tokenizer(run)
    folder = check_folder(run)
    signer = begin_check(run, trusted)
    found = RunCheck(run, signer, not_recomputed=folder.not_recomputed, asked=ask_agents and can_ask_agents(run))
    if folder.differences:  # a link may lead anywhere, so nothing is read
        found.differences = folder.differences
        return found
    found.differences.extend(_manifest_differences(run))
    chosen = range(run.episodes) if episodes is None else list(episodes)
    moved = run.with_world_at(world_source)
    years = (year for first in range(len(run.sites)) for year in _on_world(moved, first, chosen, found))
    found.years = sorted(years, key=lambda year: year.episode)
    found.remarks = [remark for year in found.years for remark in year.remarks]
    _compare_years(found)
    if len(chosen) == run.episodes:
        _compare_summary(found)
        found.differences.extend(bound_differences(moved))
    return found


def _manifest_differences(run: Run) -> Iterator[str]:
    """A field that no version writes, or one that is there twice, may say to others what it does not say here."""
    content = read_file(run.folder / MANIFEST, MANIFEST_LIMIT)
    if twice := repeated_field(content):
        yield f"{MANIFEST} has the field {twice!r:.40} twice"
    if not content.startswith(b"{"):
        yield f"{MANIFEST} does not begin with an object: no version writes a byte order mark or another encoding"
    yield from _idle_options(run)
    stated = parse(content)
    named = set(stated)
    if (protocol := stated.pop("protocol", PAPER)) != PAPER:
        yield f"{MANIFEST}: there is no protocol {protocol!r:.40}"
    elif "protocol" in named and (departures := list(protocol_departures(run))):
        yield f"{MANIFEST}: not the paper's protocol: {'; '.join(departures)}"
    claims = {name: value for name, value in stated.items() if name not in ORIGIN}
    known = json.loads(json.dumps(stated_in_manifest(run)))
    if fields := fields_that_differ(claims, known, "a run of this version"):
        yield f"{MANIFEST}: {fields}"


def _idle_options(run: Run) -> Iterator[str]:
    """Options of a model at a seat that no model plays: they would say of a merchant what is not true."""
    of_voice = {"supplier"} if is_model(run.base_terms.voice) else set()
    played_by_model = any(is_model(seat.agent) for seat in run.base_terms.seats)
    if run.budget and not of_voice and not played_by_model:
        yield f"{MANIFEST} has a budget for models, but no model plays"
    if run.budget and run.budget.hours is not None:
        yield f"{MANIFEST} has a budget of hours, which no version records"
    if run.resumed_window and not played_by_model:
        yield f"{MANIFEST} has a resumed_window for models, but no model plays"
    for number, seat in enumerate(run.base_terms.seats):
        if not is_model(seat.agent) and not seat.door and (idle := set(seat.model) - of_voice):
            yield f"{MANIFEST}: seat {number} ({seat.agent}) has options of a model: {', '.join(sorted(idle))}"


def _on_world(run: Run, first: int, chosen: Sequence[int], found: RunCheck) -> Iterator[YearCheck]:
    """The years on one world of the run, which is loaded once."""
    own = [episode for episode in chosen if episode % len(run.sites) == first]
    try:
        world = _stated_world(run, first) if own else None
    except RunError as problem:
        name = run.site(first).name
        yield from (YearCheck(each, name, difference=f"{run.called(each)}: {problem}") for each in own)
        return
    yield from (_year(run, episode, world, found) for episode in own if world is not None)


def _stated_world(run: Run, first: int) -> World:
    site, world = run.site(first), run.load_world(first)
    if (world.name, world.seed) != (site.name, site.seed):
        named = f"{MANIFEST} has world {site.name!r} of seed {site.seed} under the id of {world.name!r}"
        raise RunError(f"{named} of seed {world.seed}")
    return world


def _year(run: Run, episode: int, world: World, found: RunCheck) -> YearCheck:
    try:
        recording = read_episode(run, episode)
        found.signer.add_year(episode, recording)
    except RunError as problem:
        return YearCheck(episode, run.site(episode).name, difference=str(problem))
    if not recording.begun and not recording.damage:
        return YearCheck(episode, run.site(episode).name)
    return check_year(run, episode, world, recording, ask_agents=found.asked)


def _compare_years(found: RunCheck) -> None:
    """Remark on years of one world with the same calls, which are one observation."""
    if found.asked:
        return  # the merchants of the package play the same year every time, and have just done so
    run, earlier = found.run, dict[tuple[Site, int, str], int]()
    for year in found.years:
        for entry, calls in enumerate(year.made_calls):
            first = earlier.setdefault((run.site(year.episode), entry, calls), year.episode)
            if calls and first != year.episode:
                agent = run.base_terms.seats[entry].agent
                same = f"episodes {first} and {year.episode}: every call of {agent} is the same in both"
                found.remarks.append(f"{same}, so that they are one observation")


def _compare_summary(found: RunCheck) -> None:
    """Only the results of years that hold are a summary; one that was never written is missing, not wrong."""
    results = [year.result for year in found.years if year.result is not None]
    try:
        content = read_file(found.run.folder / SUMMARY)
    except FileNotFoundError:
        return
    except OSError as error:
        found.differences.append(f"cannot read {SUMMARY}: {error.strerror}")
        return
    if any(year.difference for year in found.years):
        return
    lines = lines_that_differ(content, summary_content(found.run, results)) if results else "no year has an end"
    if not lines:
        found.has_summary = True
    elif all(year.finished for year in found.years):
        found.differences.append(
            f"{SUMMARY} does not follow from the records ({lines}); ecbench resume writes it again"
        )
    else:
        found.not_recomputed.append(SUMMARY)
