"""The layout of the numeric environment as tables."""

from ecbench.rl.array_layout import (
    ACTIONS,
    AXES,
    BLOCKS,
    ActionField,
    ArraySizes,
    action_most,
    action_shape,
    block_shape,
)
from ecbench.rules import DEFAULT_RULES


def left_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Of words, so every column is to the left."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ("---",) * len(head), *rows))


def shape_text(shape: tuple[int, ...], axes: tuple[str, ...]) -> str:
    named = [f"{length} {axis}" for length, axis in zip(shape, axes, strict=False)]
    return " x ".join(named)


def observation_table() -> str:
    rows: list[tuple[str, ...]] = []
    for name, fields in BLOCKS.items():
        shape = block_shape(name, ArraySizes(), DEFAULT_RULES)
        for place, field in enumerate(fields):
            block = " ".join((f"`{name}`", shape_text(shape[:-1], AXES[name]))).strip() if place == 0 else ""
            rows.append((block, str(place), f"`{field.name}`", field.meaning, field.source))
    return left_table(("block", "", "field", "meaning", "shown by"), rows)


def action_table() -> str:
    def row(field: ActionField) -> tuple[str, ...]:
        shape = shape_text(action_shape(field, ArraySizes(), DEFAULT_RULES), field.axes)
        most = action_most(field, ArraySizes(), DEFAULT_RULES)
        span = f"{field.least:g} to {most:,.0f}{', whole' if field.whole else ''}"
        return f"`{field.name}`", shape, span, field.meaning, field.call

    return left_table(("array", "shape", "values", "meaning", "carried out by"), [row(field) for field in ACTIONS])


def numeric_block() -> str:
    return f"## Observation\n\n{observation_table()}\n\n## Action\n\n{action_table()}"
