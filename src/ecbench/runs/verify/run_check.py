"""A run folder, recomputed: its manifest, its worlds and its years. Everything else in it is not part of the proof."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from ecbench.cancellation import StopFlag
from ecbench.errors import Divergence, RunError
from ecbench.extras import require_extra
from ecbench.gate import TurnRefused, admit
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, answer_from_json
from ecbench.metrics.losses.failure_modes import loophole_signs
from ecbench.players.loop import OVERDUE, play
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import EPISODES, EVENTS, MANIFEST, Run, world_of
from ecbench.runs.play.episodes import Result, read_episode
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.play.play_here import seat_players
from ecbench.runs.play.recorded_table import Played, RecordedTable, replay_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, read_file
from ecbench.runs.record.differences import first_difference
from ecbench.runs.record.json_values import encode, parse
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.signatures.signature import SIGNATURE, SignerCheck, begin_check
from ecbench.runs.terms import LONGEST_PAUSE, PERSONS_BOARD, Terms
from ecbench.world.model import World

OF_OUR_LOOP = ("usage", "seconds", "context", "retries", "stop_reason", "model", "window", "as_text")


@dataclass(slots=True)
class YearCheck:
    """The result of replaying a year; `difference` names where it differs from the record, or why it failed."""

    episode: int
    world: str
    turns: int = 0
    calls: int = 0
    day: int = 0  # that the record reaches
    ends: tuple[End, ...] = ()  # by seat, as recorded
    finished: bool = False
    difference: str = ""
    result: Result | None = None  # as it follows from the replay
    made_calls: Sequence[str] = ()  # by entry, a digest of all its calls; empty if it made none
    remarks: Sequence[str] = field(default_factory=list)


@dataclass(slots=True)
class RunCheck:
    """What recomputing a run showed. `differences` are those of the folder, its signatures and its years."""

    run: Run
    signer: SignerCheck
    years: list[YearCheck] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)  # files that are not part of the proof, as paths within the folder
    asked: bool = False  # the merchants of the package were asked for their calls


def check_run(run: Run, world_source: str | None = None, trusted: Sequence[str] = ()) -> RunCheck:
    """Recompute a run, and re-run its merchants if all come with the package; one of `trusted` must have signed it."""
    if any(seat.own_loop for seat in run.terms.seats):
        require_extra("harness")  # a model's context is counted again
    found = RunCheck(run, begin_check(run, trusted), asked=can_ask_agents(run))
    _check_folder(found)
    if found.differences:  # a link may lead anywhere, so nothing is read
        found.differences += found.signer.differences
        return found
    content, written = read_file(run.folder / MANIFEST, MANIFEST_LIMIT), run.manifest.text()
    if content != written:  # a field that no version writes, or that is there twice, may say something else to others
        fields = first_difference(parse(content), parse(written), "a run of this version")
        problem = fields or "it is not written as this version writes it, each field once and in UTF-8"
        found.differences.append(f"{MANIFEST}: {problem}")
    there = run.with_world_at(world_source)
    world_of.cache_clear()  # a world's folder may have been written to since it was read
    by_world = sorted(range(run.episodes), key=lambda episode: (episode % len(run.worlds), episode))  # each loaded once
    years = [_check_year(there, episode, found.signer) for episode in by_world]
    found.years = sorted(years, key=lambda year: year.episode)
    found.differences += found.signer.differences
    found.differences += [year.difference for year in found.years if year.difference]
    return found


def _check_folder(found: RunCheck) -> None:
    """Look at every name below the folder; no link is followed and no file is opened."""
    run = found.run
    names = (EVENTS, SIGNATURE) if run.signed else (EVENTS,)
    proof = {MANIFEST, *(f"{EPISODES}/{number}/{name}" for number in range(run.episodes) for name in names)}
    try:
        for path in sorted(run.folder.rglob("*")):
            name, kind = path.relative_to(run.folder).as_posix(), path.lstat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                what = "a symbolic link" if stat.S_ISLNK(kind) else "neither a file nor a folder"
                found.differences.append(f"{path} is {what}; a run contains only its own files")
            elif name not in proof and path.name in (EVENTS, SIGNATURE):
                found.differences.append(f"{path} is a record or a signature that {MANIFEST} does not count")
            elif name not in proof and not stat.S_ISDIR(kind):
                found.beside.append(name)
    except OSError as error:
        raise RunError(f"cannot read {error.filename or run.folder}: {error.strerror}") from error


def _check_year(run: Run, episode: int, signer: SignerCheck) -> YearCheck:
    found = YearCheck(episode, run.world_of(episode).name)
    try:
        world, recording = _stated_world(run, episode), read_episode(run, episode)
        signer.add_year(episode, recording)
    except RunError as problem:
        found.difference = f"{run.called(episode)}: {problem}"
        return found
    found.turns, found.calls = len(recording.turns), sum(len(turn.calls) for turn in recording.turns)
    found.day = max((state.day for state in recording.states), default=0)
    found.ends, found.finished = recording.year_end.ends if recording.year_end else (), recording.finished
    found.made_calls = [_digest(own_turns(own, episode, recording)) for own in run.entries()]
    found.difference = recording.damage
    if recording.begun and not recording.damage:
        _replay(run, world, recording, found)
    return found


def _replay(run: Run, world: World, recording: Recording, found: YearCheck) -> None:
    episode = found.episode
    try:
        _check_fork(run, recording)
        check_said(run, episode, world, recording)
        replay = ask_agents_again if recording.finished and can_ask_agents(run) else replay_episode
        played = replay(run.terms_of(episode), episode, world, recording)
    except Divergence as problem:
        text = str(problem)  # differences name their episode first
        found.difference = text if text.startswith("episode ") else f"{run.called(episode)}: {text}"
    except RunError as problem:
        found.difference = str(problem)
    else:
        reports = tuple(seat.report for seat in played.seats)
        if recording.year_end:
            found.result = Result(episode, played.ends, reports=reports, seat=run.seat(episode))
        found.remarks = [
            f"{own.seat_called(episode)}: {sign}"
            for own in run.entries()
            for sign in loophole_signs(reports[own.seat(episode)])
        ]


def _stated_world(run: Run, episode: int) -> World:
    ref, world = run.world_of(episode), run.load_world(episode)
    if (world.name, world.seed) != (ref.name, ref.seed):
        named = f"{MANIFEST} has world {ref.name!r} of seed {ref.seed} under the id of {world.name!r}"
        raise RunError(f"{named} of seed {world.seed}")
    return world


def can_ask_agents(run: Run) -> bool:
    """Whether all agents come with the package and can be re-run. Code of others is never run here."""
    terms = run.terms
    return terms.voice == "template" and all(
        seat.agent in merchant_names() and not seat.transport for seat in terms.seats
    )


def ask_agents_again(terms: Terms, episode: int, world: World, recording: Recording) -> Played:
    """Recompute an episode by asking its merchants for every turn; raises Divergence at the first other byte."""
    table, stop = RecordedTable(terms, episode, world, recording, recorded_voice(terms, recording.turns)), StopFlag()
    for seat in table.seats:
        # An agent that is asked leaves by itself, unless its time was up: how long it took cannot be replayed.
        leave = seat.recorded_leave
        if leave and not (leave.ending == "failed" and leave.reason.startswith(OVERDUE)):
            seat.recorded_leave = None
    return table.close(play(table, seat_players(table, stop), stop=stop, closed=table.close_seat))


def _check_fork(run: Run, recording: Recording) -> None:
    """A fork takes over the turns before its day, neither more nor fewer."""
    fork = run.terms.fork
    if fork is None:
        return
    if run.episodes != 1:
        raise Divergence(f"run.json has a fork of {run.episodes:,} episodes; a fork has one")
    before = sum(turn.day < fork.day for turn in recording.turns)
    if before != fork.turns:
        raise Divergence(f"run.json has {fork.turns:,} turns before the fork's day {fork.day}, the record {before:,}")


def _digest(turns: Sequence[Turn]) -> str:
    """The digest of all calls in their order; a client's ids do not count."""
    calls = [{"name": call["name"], "arguments": call["arguments"]} for turn in turns for call in turn.calls]
    return sha256(b"\n".join(map(encode, calls))).hexdigest() if calls else ""


def check_said(run: Run, episode: int, world: World, recording: Recording) -> None:
    """Raises Divergence at the first turn whose words, tokens or evictions its agent cannot have."""
    for own in run.entries():
        seat, turns = own.player, own_turns(own, episode, recording)
        for turn in recording.turns_of(own.seat(episode)):  # also those that a fork took over
            try:
                admit(turn.calls)
            except TurnRefused as refusal:
                raise Divergence(f"{_location(own, episode, turn)}: {refusal}") from refusal
        changed = [turn for turn in turns if turn.message.get("window")]
        if changed and not run.manifest.resumed_window:
            location = _location(own, episode, changed[0])
            raise Divergence(f"{location}: run.json has no resumed_window for the changed window")
        if seat.own_loop:
            before = len(recording.turns_of(own.seat(episode))) - len(turns)
            _check_context(own, episode, turns, brief_of(run.terms_of(episode), own.seat(episode), world, before))
            continue
        for turn in turns:
            beside = [name for name in turn.message if not seat.transport or name in OF_OUR_LOOP]
            if seat.transport == PERSONS_BOARD and turn.message.get("seconds", 0.0) <= LONGEST_PAUSE:
                beside = [name for name in beside if name != "seconds"]  # that a person took for the turn
            if beside := [*beside, *(["evict"] if turn.evictions else [])]:
                raise Divergence(
                    f"{_location(own, episode, turn)}: {seat.agent} has no {beside[0]}, but the record does"
                )


def own_turns(run: Run, episode: int, recording: Recording) -> list[Turn]:
    """The turns of the selected entry, without those that a fork took over."""
    seat, fork = run.seat(episode), run.terms.fork
    inherited = fork.turns if fork and fork.seat == seat else 0
    return [turn for turn in recording.turns[inherited:] if turn.seat == seat]


def _check_context(run: Run, episode: int, turns: Sequence[Turn], brief: Brief) -> None:
    """What left a model's context, and the tokens in it, follow from the brief, the answers and the replies."""
    from ecbench.harness.model_player import open_conversation, replayed_contexts

    def answered(turn: Turn) -> tuple[Answer, list[str]]:
        try:
            return answer_from_json({**turn.message, "calls": turn.calls}), turn.replies
        except (LookupError, TypeError, ValueError, AttributeError) as lacking:
            location = _location(run, episode, turn)
            raise Divergence(f"{location}: not an answer of a model ({lacking}), which has text and context") from None

    contexts, idle = replayed_contexts(open_conversation(brief), map(answered, turns), IDLE_LIMIT), 0
    for turn, (evictions, tokens) in zip(turns, contexts, strict=False):
        location = _location(run, episode, turn)
        if idle == IDLE_LIMIT:
            raise Divergence(f"{location}: the year was over after {IDLE_LIMIT} turns without a call")
        idle = 0 if turn.calls else idle + 1
        if list(turn.evictions) != evictions:
            raise Divergence(f"{location}: recorded evictions are {turn.evictions!r:.80}, they are {evictions!r:.80}")
        if turn.message.get("context") != tokens:
            recorded = turn.message.get("context")
            raise Divergence(f"{location}: context is recorded as {recorded!r:.40} tokens, it has {tokens:,}")


def _location(run: Run, episode: int, turn: Turn) -> str:
    number = f"turn {turn.state.turn}" if turn.state else "the last turn"
    return f"{run.seat_called(episode)}, {number}"
