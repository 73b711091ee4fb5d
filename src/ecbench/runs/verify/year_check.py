"""One recorded year, recomputed: where it differs, and what is worth a remark.

Beside its calls a turn records what a model said, its tokens and evictions: what can be recomputed of that is compared,
and what an agent of its kind never has is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from ecbench.errors import Divergence, RunError
from ecbench.extras import require_extra
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, answer_from_json
from ecbench.metrics.losses.failure_modes import loophole_signs
from ecbench.players.merchants.registry import merchant_names
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.json_values import encode
from ecbench.runs.record.lines import End
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import LONGEST_PAUSE, PERSONS_BOARD
from ecbench.runs.verify.exact_replay import replay_exactly
from ecbench.world.model import World

OF_OUR_LOOP = ("usage", "seconds", "context", "retries", "stop_reason", "model", "window", "as_text")


@dataclass(frozen=True, slots=True)
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


def can_ask_agents(run: Run) -> bool:
    """Whether all agents come with the package and can be asked once more. Code of others is never run here."""
    terms = run.terms
    return terms.voice == "template" and all(
        seat.agent in merchant_names() and not seat.transport for seat in terms.seats
    )


def check_year(run: Run, episode: int, world: World, recording: Recording) -> YearCheck:
    """Replay a year that has begun, and compare every byte of its record."""
    result, difference, signs = None, recording.damage, list[str]()
    if not difference:
        try:
            _check_fork(run, recording)
            check_said(run, episode, world, recording)
            ask = recording.finished and can_ask_agents(run)
            played = replay_exactly(run.terms_of(episode), episode, world, recording, ask_agents=ask)
        except Divergence as problem:
            text = str(problem)  # differences name their episode first
            difference = text if text.startswith("episode ") else f"{run.called(episode)}: {text}"
        except RunError as problem:
            difference = str(problem)
        else:
            reports = tuple(seat.report for seat in played.seats)
            if recording.year_end:
                result = Result(episode, played.ends, reports=reports, seat=run.seat(episode))
            for own in run.entries():
                found = loophole_signs(reports[own.seat(episode)])
                signs += [f"{own.seat_called(episode)}: {sign}" for sign in found]
    return YearCheck(
        episode,
        run.world_of(episode).name,
        len(recording.turns),
        sum(len(turn.calls) for turn in recording.turns),
        max((state.day for state in recording.states), default=0),
        recording.year_end.ends if recording.year_end else (),
        recording.finished,
        difference,
        result,
        [_digest(own_turns(own, episode, recording)) for own in run.entries()],
        signs,
    )


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
    taken = [fork.seat, *(seat for seat, _ in fork.earlier)]
    if not set(taken) <= set(range(run.seats)) or len(taken) > len(set(taken)):
        raise Divergence(f"run.json has forks of seats {taken}, of {run.seats}")


def _digest(turns: Sequence[Turn]) -> str:
    """The digest of all calls in their order; a client's ids do not count."""
    calls = [{"name": call["name"], "arguments": call["arguments"]} for turn in turns for call in turn.calls]
    return sha256(b"\n".join(map(encode, calls))).hexdigest() if calls else ""


def require_tokenizer(run: Run) -> None:
    """Raise MissingExtra if a model's context cannot be recomputed here."""
    if any(seat.own_loop for seat in run.terms.seats):
        require_extra("harness")


def check_said(run: Run, episode: int, world: World, recording: Recording) -> None:
    """Raises Divergence at the first turn whose words, tokens or evictions its agent cannot have."""
    for own in run.entries():
        seat, turns = own.player, own_turns(own, episode, recording)
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
    inherited = fork.inherited_turns(seat) if fork else 0
    return [turn for turn in recording.turns[inherited:] if turn.seat == seat]


def _check_context(run: Run, episode: int, turns: Sequence[Turn], brief: Brief) -> None:
    """What left a model's context, and the tokens in it, follow from the brief, the answers and the replies."""
    from ecbench.harness.model_player import open_conversation
    from ecbench.harness.replay import replayed_contexts

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
