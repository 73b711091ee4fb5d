"""The result of a run in a sentence, and its cause in another, before any review.

The cause comes from the tables of an episode: how much of the business the player used, and the largest line of the
account of losses. The limits are those of the review's engine.
"""

from collections.abc import Sequence
from sqlite3 import Connection
from statistics import median

from ecbench.analysis.review.engine import LISTINGS
from ecbench.analysis.review.strategy import LEAST_IDLE, MONTH
from ecbench.formatting import counted, yuan, yuan_or_millions
from ecbench.metrics.anchors import Rung
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.rules import Rules
from ecbench.runs.results.summary import Summary
from ecbench.world.model import World


def result_sentence(summary: Summary) -> str:
    """What the finished episodes of a run ended with, their skill, and between which anchors that lies."""
    axes = summary.axes
    if axes is None:
        return "No episode is over, so there is no result yet."
    mean = f" on average over {axes.episodes} episodes" if axes.episodes > 1 else ""
    skill = "" if axes.skill is None else f", skill {axes.skill:.2f}"
    ruined = f", {axes.bankrupt_runs} of {counted(axes.episodes, 'episode')} bankrupt" if axes.bankrupt_runs else ""
    return f"{yuan_or_millions(axes.final_assets)}{mean}{skill}{ruined}{_among(summary)}."


def _among(summary: Summary) -> str:
    ladder = summary.ladder
    anchors = [rung for rung in ladder.rungs if rung.kind == "anchor"] if ladder else []
    if ladder is None or not anchors:
        return ""
    own = next(rung for rung in ladder.rungs if rung.kind == "run")
    above = [rung for rung in anchors if rung.final_assets > own.final_assets]
    below = [rung for rung in anchors if rung.final_assets <= own.final_assets]
    if not above:
        return f": more than every anchor on the same terms, of which the best is {_named(below[0])}"
    if not below:
        return f": less than every anchor on the same terms, of which the last is {_named(above[-1])}"
    return f": between {_named(below[0])} and {_named(above[-1])} on the same terms"


def _named(rung: Rung) -> str:
    return f"{rung.name} ({yuan_or_millions(rung.final_assets)})"


def cause_sentence(database: Connection, seat: int, rules: Rules, world: World | None) -> str:
    """Why an episode ended with no more: what the player left unused, and what cost most. Empty if nothing did."""
    parts = [*_unused(database, seat, rules, world), *_largest_loss(database, seat)]
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _unused(database: Connection, seat: int, rules: Rules, world: World | None) -> Sequence[str]:
    query = "select count(*), sum(listings) from stores where seat = ? and \"row\" = 'morning' group by day"
    mornings = database.execute(query, (seat,)).fetchall()
    stores = max((count for count, _ in mornings), default=0)
    listings = max((count for _, count in mornings), default=0)
    slots = min(rules.max_stores, len(world.store_types)) if world else rules.max_stores
    most = min(max(LISTINGS), len(world.products)) if world else max(LISTINGS)
    found = []
    if stores < slots:
        found.append(f"{counted(stores, 'store')} where {slots} may be open")
    if listings < min(*LISTINGS, most):
        found.append(f"{counted(listings, 'listing')} where {most} would have paid")
    idle = idle_share(database, seat)
    if idle >= LEAST_IDLE:
        found.append(f"{idle:.0%} of the money idle")
    return found


def idle_share(database: Connection, seat: int) -> float:
    """The part of all money that the bank still held a month later at its lowest, by the median of the mornings."""
    query = (
        f"select min(bank) over (order by rowid rows between current row and {MONTH - 1} following), total "
        "from days where seat = ? and \"row\" <> 'final'"
    )
    mornings = database.execute(query, (seat,)).fetchall()
    counted_days = mornings[: max(1, len(mornings) - MONTH)]
    shares = [max(0.0, bank) / total for bank, total in counted_days if total > 0]
    return median(shares) if shares else 0.0


def _largest_loss(database: Connection, seat: int) -> Sequence[str]:
    found = database.execute("select cause, amount from by_loss where seat = ? limit 1", (seat,)).fetchall()
    return [f"the largest loss is {CAUSE_BY_KEY[cause].title.lower()}, {yuan(amount)}" for cause, amount in found]
