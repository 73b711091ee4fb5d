"""Submissions: what lies in a folder, each re-executed from its records to an entry with a report, or refused."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from shutil import copyfile, rmtree

from ecbench.agent_text import escaped
from ecbench.analysis.compare.entries import ComparedRun, read_finished
from ecbench.errors import BadInput, RunError
from ecbench.pages.report.output import PAGE, write_report
from ecbench.pages.report.run_data import interval_of, read_run
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.play.episodes import load_finished, open_episode
from ecbench.runs.record.atomic_write import make_folder
from ecbench.runs.results.anchors_file import write_bounds
from ecbench.runs.results.summary import Spent
from ecbench.season.seasons import Season, departures
from ecbench.season.verify import Proof, verify

MOST_SUBMISSIONS = 1_000
MOST_FILES = 10_000
MOST_BYTES = 2 << 30
LONGEST_REASON = 300  # characters
LONGEST_AGENT = 200
CUT = "…"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9])?")
_MARKUP = re.compile(r"[<>&\"'`\\]|(?:^|/)\.\.(?:/|$)")


@dataclass(frozen=True, slots=True)
class RefusedSubmission:
    """A submission that is not ranked, and why, in one line."""

    name: str
    reason: str


def find_submissions(folder: Path) -> tuple[list[Path], list[RefusedSubmission]]:
    """The run folders in a folder, by name, and what in it cannot be a submission; raises RunError without any."""
    try:
        paths = sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name))
    except OSError as error:
        raise RunError(f"cannot read {folder}: {error.strerror}; give the folder of the submissions") from error
    if (folder / MANIFEST).exists():
        raise RunError(f"{folder} is a run; give the folder in which the submitted runs lie")
    if not 0 < len(paths) <= MOST_SUBMISSIONS:
        raise RunError(f"{folder} holds {len(paths):,} submissions; a site has 1 to {MOST_SUBMISSIONS:,}")
    reasons = {path: _no_submission(path) for path in paths}
    refused = [RefusedSubmission(one_line(path.name), reason) for path, reason in reasons.items() if reason]
    return [path for path in paths if not reasons[path]], refused


def _no_submission(path: Path) -> str:
    """Why something cannot be a submission; empty where it may be one. No link is followed."""
    if not _NAME.fullmatch(path.name):
        return "its name is not one of 1 to 80 letters, digits, dots, underscores and hyphens"
    if path.is_symlink():
        return "a symbolic link; submit the folder itself"
    return "" if path.is_dir() else "not a folder"


def refuse_enormous(path: Path) -> None:
    """Raise RunError for more files or bytes than a submission may have; no file is opened."""
    size = 0
    for count, found in enumerate(chain([path], path.rglob("*"))):
        size += found.lstat().st_size
        if count > MOST_FILES or size > MOST_BYTES:
            many = f"more than {MOST_FILES:,} files or {MOST_BYTES:,} bytes"
            raise RunError(f"{many}; a submission has at most that many")


def refuse_markup(agent: str) -> None:
    """Raise RunError for the name of an agent that could pass for markup, or leads out of a folder."""
    if len(agent) > LONGEST_AGENT or _MARKUP.search(agent):
        raise RunError(f"the agent's name {agent[:60]!r} is too long, or has markup, quotes or .. in it")


def one_line(text: str) -> str:
    """A text for a list: one line without hidden characters, cut where it is too long."""
    plain = " ".join(escaped(text).split())
    return plain if len(plain) <= LONGEST_REASON else f"{plain[:LONGEST_REASON]}{CUT}"


@dataclass(frozen=True, slots=True)
class EntryProof:
    """What the check of an entry showed, as lines for a page."""

    proven: Sequence[str]
    vouched: Sequence[str]
    unproven: Sequence[str]
    remarks: Sequence[str]
    key: str | None  # that signed it
    trusted: bool  # whether the organiser trusts that key
    stopped_early: bool
    calls: Sequence[str]  # by year, a checksum of all calls


@dataclass(frozen=True, slots=True)
class VerifiedEntry:
    """A submission that holds. The folder of its run is its name."""

    name: str
    compared: ComparedRun
    values: Mapping[str, float | None]  # by the name of a measure, over all years
    assets_interval: tuple[float, float] | None
    spent: Spent
    bankrupt: int
    proof: EntryProof


@dataclass(frozen=True, slots=True)
class SubmissionCheck:
    """What every submission is held against; `pages` is where the pages of entries are written."""

    season: Season
    trusted: Sequence[str]  # public keys
    pages: Path

    def __call__(self, submission: Path) -> VerifiedEntry | RefusedSubmission:
        """Never raises: whatever a submission does to the check is its own refusal."""
        try:
            refuse_enormous(submission)
            return self._checked(submission)
        except (BadInput, OSError) as problem:
            return RefusedSubmission(submission.name, _named(str(problem), submission))
        except Exception as problem:
            reason = f"cannot be checked: {type(problem).__name__}: {problem}"
            return RefusedSubmission(submission.name, _named(reason, submission))

    def _checked(self, submission: Path) -> VerifiedEntry:
        run = open_run(submission)
        refuse_markup(run.player.agent)
        _refuse(list(departures(run, self.season)))
        _refuse(list(_other_places(run, self.season)))
        signed_by = [key for key in self.trusted if run.signed and run.signed.key == key]
        proof = verify(run, self.season, trusted=signed_by)
        _refuse([*proof.differences, *proof.unfinished, *proof.departures])
        lines = _lines_of(proof, submission)
        own = self.pages / submission.name
        records = _rebuilt(run, own / "records" / submission.name)
        try:
            return _entry(submission.name, records, lines, own)
        finally:
            rmtree(own / "records", ignore_errors=True)


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if problems[1:] else ""
        raise RunError(f"{one_line(problems[0])}{more}")


def _other_places(run: Run, season: Season) -> Iterable[str]:
    """Worlds are loaded from where the season has them, never from a path that a submission names."""
    for stated, own in zip(run.worlds, season.worlds, strict=True):
        if stated != own:
            yield f"run.json has world {stated.name!r:.40} at {stated.source!r:.80}, where the season has {own.source}"


def _lines_of(proof: Proof, submission: Path) -> EntryProof:
    agent, label = proof.run.player.agent, proof.run.label  # a program's is the path of its file

    def lines(given: Iterable[str]) -> list[str]:
        return [_named(line.replace(agent, label), submission) for line in given]

    return EntryProof(
        proven=lines(proof.proven()),
        vouched=lines(proof.vouched()),
        unproven=lines(proof.unproven()),
        remarks=lines(proof.remarks),
        key=proof.check.signer.key,
        trusted=proof.check.signer.vouches,
        stopped_early=proof.stopped_early,
        calls=[calls for year in proof.years for calls in year.made_calls],
    )


def _named(text: str, submission: Path) -> str:
    """The text with the submission's name in place of its path on this machine."""
    return one_line(text.replace(str(submission), submission.name))


def _rebuilt(run: Run, folder: Path) -> Run:
    """A copy of the records, with the files that follow from them."""
    own = replace(run.stating(signed=None), folder=folder)
    make_folder(folder)
    copyfile(run.folder / MANIFEST, folder / MANIFEST)
    for episode, world in own.on_their_worlds(range(run.episodes)):
        if not run.events_path(episode).exists():
            continue  # the plan of the run ended before
        make_folder(own.episode_folder(episode))
        copyfile(run.events_path(episode), own.events_path(episode))
        with open_episode(own, episode) as opened:
            load_finished(opened, world)
    write_bounds(own)
    return own


def _entry(name: str, run: Run, proof: EntryProof, pages: Path) -> VerifiedEntry:
    played = read_run(run.label, run)
    write_report([run], pages / PAGE)
    return VerifiedEntry(
        name=name,
        compared=replace(read_finished(run.label, run), run=replace(run, folder=Path(name))),
        values={name: figure.value for name, figure in played.summary.measures.items()},
        assets_interval=interval_of(played, "final_assets"),
        spent=played.summary.spent,
        bankrupt=sum(year.bankrupt for year in played.over),
        proof=proof,
    )
