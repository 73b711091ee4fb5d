"""How storage grows with the age of a lot, in steps (app:econ_costs)."""

AgingTable = tuple[tuple[float, int], ...]
NEVER = 10_000_000  # more days, and a later date ordinal, than any calendar has


def aging_table(steps: tuple[tuple[int, float], ...]) -> AgingTable:
    """By age in days: the storage multiplier, and the days until the next step. The last row holds for all older."""
    ends = [start for start, _ in steps[1:]]
    rows: list[tuple[float, int]] = []
    for (start, factor), end in zip(steps, ends):
        rows += [(factor, end - age) for age in range(start, end)]
    return (*rows, (steps[-1][1], NEVER))
