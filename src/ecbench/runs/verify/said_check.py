"""What a turn records beside its calls: what can be recomputed of it, and what an agent of its kind never has."""

from collections.abc import Sequence

from ecbench.errors import Divergence
from ecbench.extras import require_extra
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, answer_from_json
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import LONGEST_PAUSE, OWN_LOOP_IN_INSPECT, PERSONS_BOARD, SeatTerms
from ecbench.world.model import World

OUR_LOOP = ("", OWN_LOOP_IN_INSPECT)  # the transports over which our own loop asks a model
OF_OUR_LOOP = ("usage", "seconds", "context", "retries", "stop_reason", "model", "window")


def has_own_loop(seat: SeatTerms) -> bool:
    """Whether the agent at a seat is a model that our loop asks, so that its context can be recomputed."""
    return seat.names_model and seat.transport in OUR_LOOP


def require_tokenizer(run: Run) -> None:
    """Raise MissingExtra if a model's context cannot be recomputed here."""
    if any(has_own_loop(seat) for seat in run.terms.seats):
        require_extra("harness")


def check_said(run: Run, episode: int, world: World, recording: Recording) -> None:
    """Raises Divergence at the first turn whose words, tokens or evictions its agent cannot have."""
    _check_resumed_window(run, episode, recording)
    for own in run.entries():
        seat, turns = own.player, own_turns(own, episode, recording)
        if has_own_loop(seat):
            before = len(recording.turns_of(own.seat(episode))) - len(turns)
            _check_context(own, episode, turns, brief_of(run.terms_of(episode), own.seat(episode), world, before))
            continue
        for turn in turns:
            of_a_model = [name for name in OF_OUR_LOOP if name in turn.message and not _of_a_person(name, turn, seat)]
            beside = of_a_model if seat.transport else list(turn.message)
            beside += ["evict"] if turn.evictions else []
            if beside:
                raise Divergence(f"{_place(own, episode, turn)}: {seat.agent} has no {beside[0]}, and the record has")


def _of_a_person(name: str, turn: Turn, seat: SeatTerms) -> bool:
    """Whether it is the time that a player at the board took for a turn, a long pause cut off."""
    return name == "seconds" and seat.transport == PERSONS_BOARD and turn.message[name] <= LONGEST_PAUSE


def _check_resumed_window(run: Run, episode: int, recording: Recording) -> None:
    """`run.json` states the window that models went on with."""
    changed = [
        turn for own in run.entries() for turn in own_turns(own, episode, recording) if turn.message.get("window")
    ]
    if changed and not run.manifest.resumed_window:
        raise Divergence(f"{_place(run, episode, changed[0])}: the window changed, and run.json has no resumed_window")


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
            place = _place(run, episode, turn)
            raise Divergence(f"{place}: this is no answer of a model ({lacking}), which has text and context") from None

    contexts, idle = replayed_contexts(open_conversation(brief), map(answered, turns), IDLE_LIMIT), 0
    for turn, (evictions, tokens) in zip(turns, contexts, strict=False):
        place = _place(run, episode, turn)
        if idle == IDLE_LIMIT:
            raise Divergence(f"{place}: the year was over after {IDLE_LIMIT} turns without a call")
        idle = 0 if turn.calls else idle + 1
        if list(turn.evictions) != evictions:
            raise Divergence(f"{place}: evictions are recorded as {turn.evictions!r:.80}, they are {evictions!r:.80}")
        if turn.message.get("context") != tokens:
            recorded = turn.message.get("context")
            raise Divergence(f"{place}: context is recorded as {recorded!r:.40} tokens, it has {tokens:,}")


def _place(run: Run, episode: int, turn: Turn) -> str:
    number = f"turn {turn.state.turn}" if turn.state else "the last turn"
    return f"{run.seat_called(episode)}, {number}"
