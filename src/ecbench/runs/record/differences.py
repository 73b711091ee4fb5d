"""How a turn differs from the one that its record has, as a Divergence that names turn, call and text."""

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import asdict

from ecbench.errors import Divergence
from ecbench.players.turn import Record, Turn
from ecbench.runs.record.json_values import encode
from ecbench.tools.outcome import Outcome

SHOWN = 80  # characters around a difference


def compare_calls(location: str, recorded: Sequence[Record], calls: Sequence[Record]) -> None:
    """Raises Divergence where an agent makes other calls than it made before."""
    if _same_lines(recorded, calls):
        return
    pairs = zip(recorded, calls, strict=False)
    count = sum(1 for _ in takewhile(lambda pair: _same_lines(pair[:1], pair[1:]), pairs))
    then, now = (_shown(some[count]) if count < len(some) else "no further call" for some in (recorded, calls))
    raise Divergence(
        f"{location}, call {count + 1}: the record has {then}, the agent now makes {now}; "
        "an agent must answer the same replies with the same calls, or its episodes cannot be resumed"
    )


def compare_turns(location: str, recorded: Turn, turn: Turn) -> None:
    """Raises Divergence where the replay of a complete turn differs from its record."""
    for number, (then, now) in enumerate(zip(recorded.outcomes, turn.outcomes, strict=True), start=1):
        if then != now:
            name = turn.calls[number - 1].get("name")
            raise Divergence(f"{location}, call {number} ({name}): {_outcome_difference(then, now)}")
    if not _same_lines(recorded.evictions, turn.evictions):
        raise Divergence(f"{location}: other messages left the model's context than the record says")
    assert recorded.state is not None and turn.state is not None, "only complete turns are compared"
    if recorded.state != turn.state:
        was, came = asdict(recorded.state), asdict(turn.state)
        name = next(name for name in was if was[name] != came[name])
        raise Divergence(f"{location}, state: {name} was recorded as {was[name]}, came as {came[name]}")


def _outcome_difference(then: Outcome, now: Outcome) -> str:
    if then.text != now.text:
        return difference(then.text, now.text)
    was, came = asdict(then), asdict(now)
    name = next(name for name in was if was[name] != came[name])
    return f"{name} was recorded as {was[name]!r:.100}, came as {came[name]!r:.100}"


def _same_lines(some: Sequence[Record], others: Sequence[Record]) -> bool:
    """Equal as they would be written."""
    return list(some) == list(others) or list(map(encode, some)) == list(map(encode, others))


def difference(then: str, now: str) -> str:
    """Two texts from shortly before they begin to differ."""
    first = next((i for i, (a, b) in enumerate(zip(then, now, strict=False)) if a != b), min(len(then), len(now)))
    start = max(0, first - SHOWN // 4)
    parts = [f"{'...' if start else ''}{text[start : start + SHOWN]}" for text in (then, now)]
    return f"recorded {parts[0]!r}, came {parts[1]!r}"


def _shown(call: Record) -> str:
    text = encode(call).decode().strip()
    return text if len(text) <= 2 * SHOWN else f"{text[: 2 * SHOWN]}..."
