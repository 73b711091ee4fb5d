"""A recorded year as the context windows that its agent saw, each turn marked as new in exactly one of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.harness.brief import FIRST_USER_MESSAGE, SEVERAL_CALLS_A_TURN, Brief, client_message
from ecbench.harness.messages import Answer, Message, answer_from_json
from ecbench.players.session import IDLE_LIMIT
from ecbench.players.turn import Turn
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.lines import End
from ecbench.runs.terms import Terms, rules_of
from ecbench.runs.verify.said_check import has_own_loop, own_turns
from ecbench.tools import tool_schemas
from ecbench.world.model import World

UNREADABLE = "unreadable"  # in place of the name of a call that has none


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A message of a window. An assistant's message has the number of its turn."""

    message: Message
    turn: int = 0
    copied: bool = False  # from the window before

    @property
    def new(self) -> bool:
        """Whether it is a turn that was made in this window; everything else is context."""
        return self.turn > 0 and not self.copied


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """What the agent had before it when it made the last turn of the window, and that turn."""

    number: int
    messages: tuple[WindowMessage, ...]  # the last one is the assistant's
    replies: tuple[Message, ...]  # to the last turn, which the agent saw in the next window
    last: bool

    @property
    def new_turns(self) -> list[int]:
        return [each.turn for each in self.messages if each.new]


@dataclass(frozen=True, slots=True)
class ExportedYear:
    """One year at the seat of a run's entry, to be written in any format."""

    run: Run
    episode: int
    terms: Terms
    world: World
    turns: Sequence[Turn]  # the agent's own complete ones
    before: int  # turns of the seat that a fork took over
    end: End | None
    whole: bool  # one sample with the whole text instead of windows

    @property
    def by_model(self) -> bool:
        """Whether our own loop asked a model, so that its context is known."""
        return has_own_loop(self.run.player)

    @property
    def name(self) -> str:
        return f"episode-{self.episode}"

    @property
    def tools(self) -> list[dict[str, Any]]:
        return tool_schemas(rules_of(self.terms))

    def windows(self) -> Iterator[ContextWindow]:
        """In their order; none where the agent has made no turn. Raises RunError."""
        return _whole_text(self) if self.whole else _windows(self)


def exported_year(run: Run, episode: int, world: World, *, whole: bool) -> ExportedYear:
    """Raises RunError for a record that cannot be read, and where the extra `harness` is missing."""
    require_extra("harness", "exports for training")
    recording, seat = read_episode(run, episode), run.seat(episode)
    turns = [turn for turn in own_turns(run, episode, recording) if turn.state is not None]
    before = len(recording.complete_turns(seat)) - len(turns)
    return ExportedYear(run, episode, run.terms_of(episode), world, turns, before, recording.end(seat), whole)


def _brief(year: ExportedYear) -> Brief:
    return brief_of(year.terms, year.run.seat(year.episode), year.world, year.before)


def _windows(year: ExportedYear) -> Iterator[ContextWindow]:
    from ecbench.harness.model_player import open_conversation
    from ecbench.harness.replay import replayed_contexts

    talk = open_conversation(_brief(year))
    answers = [_answer(turn) for turn in year.turns]
    contexts = replayed_contexts(talk, zip(answers, [turn.replies for turn in year.turns], strict=True), IDLE_LIMIT)
    turn_of = {answer.message: turn.state.turn for answer, turn in zip(answers, year.turns, strict=True) if turn.state}
    request: list[Message] = []
    number, opening, last = 0, frozenset[Message](), None
    for answer, (evictions, tokens) in zip(answers, contexts, strict=True):
        _check_context(year, turn_of[answer.message], answer, tokens)
        now = talk.transcript.live()
        if evictions and last is not None:
            yield _window(number, request, last, opening, turn_of, now)
            number, opening = number + 1, frozenset(now)
        request, last = now, answer.message
    if last is not None:
        yield _window(number, request, last, opening, turn_of, talk.transcript.live(), final=True)


def _window(
    number: int,
    request: Sequence[Message],
    last: Message,
    opening: frozenset[Message],
    turn_of: dict[Message, int],
    then: Sequence[Message],
    *,
    final: bool = False,
) -> ContextWindow:
    messages = tuple(WindowMessage(each, turn_of.get(each, 0), copied=each in opening) for each in (*request, last))
    replies = tuple(each for each in then if each.answers in last.calls)
    return ContextWindow(number, messages, replies, final)


def _check_context(year: ExportedYear, turn: int, answer: Answer, tokens: int) -> None:
    """The recorded count of tokens proves that the text is the one that the model read."""
    if year.by_model and answer.context != tokens:
        raise RunError(
            f"{year.run.folder}, {year.run.seat_called(year.episode)}, turn {turn}: the model read {answer.context:,} "
            f"tokens and the rebuilt context has {tokens:,}, so it is not what the model saw; --whole needs no context"
        )


def _whole_text(year: ExportedYear) -> Iterator[ContextWindow]:
    """Every reply in full, nothing evicted, no count of tokens; the brief does not mention a window."""
    from ecbench.harness.model_player import reminder

    system = client_message(
        brief_of(year.terms, year.run.seat(year.episode), year.world, year.before), SEVERAL_CALLS_A_TURN
    )
    messages = [WindowMessage(Message("system", system)), WindowMessage(Message("user", FIRST_USER_MESSAGE))]
    replies: list[Message] = []
    idle = 0
    for turn in year.turns:
        assert turn.state is not None, "only complete turns are exported"
        message = _answer(turn).message
        messages += [*map(WindowMessage, replies), WindowMessage(message, turn.state.turn)]
        replies = [Message("tool", text, answers=call) for call, text in zip(message.calls, turn.replies, strict=True)]
        idle = 0 if replies else idle + 1
        replies = replies or [Message("user", reminder(idle, IDLE_LIMIT))]
    if year.turns:
        answered = tuple(each for each in replies if each.role == "tool")
        yield ContextWindow(0, tuple(messages), answered, last=True)


def _answer(turn: Turn) -> Answer:
    """What the agent said. Calls are numbered: an agent's own ids may repeat or be missing."""
    assert turn.state is not None, "only complete turns are exported"
    calls = [
        {**call, "id": call_id(turn.state.turn, number), "name": call.get("name") or UNREADABLE}
        for number, call in enumerate(turn.calls)
    ]
    return answer_from_json({"text": "", "usage": {}, "seconds": 0.0, **turn.message, "calls": calls})


def call_id(turn: int, number: int) -> str:
    """Nine digits, since some chat templates take ids of no other length."""
    return f"{turn:05}{number:04}"
