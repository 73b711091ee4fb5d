"""The result of a run in a sentence, and its cause in another, from the tables of an episode, before any review."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from statistics import median
from types import MappingProxyType

from ecbench.analysis.review.engine import LISTINGS
from ecbench.analysis.review.strategy import LEAST_IDLE, MONTH
from ecbench.formatting import counted, yuan, yuan_or_millions
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.rules import Rules
from ecbench.runs.results.summary import Summary
from ecbench.world.model import World


def result_sentence(summary: Summary, merchants: Mapping[str, float] = MappingProxyType({})) -> str:
    """What the finished episodes of a run ended with, their skill, and between which merchants that lies.

    `merchants` are final assets on the same terms, by name; without them those of the ladder are taken.
    """
    who, skill, episodes = summary.entrant, summary.value("skill"), summary.episodes
    assets, bankrupt = who.assets, who.bankrupt
    if assets is None:
        return "No episode is over, so there is no result yet."
    mean = f" on average over {episodes} episodes" if episodes > 1 else ""
    skilled = "" if skill is None else f", skill {skill:.2f}"
    ruined = f", {bankrupt} of {counted(episodes, 'episode')} bankrupt" if bankrupt else ""
    among = _among(assets, merchants or _anchors(summary))
    return f"{yuan_or_millions(assets)}{mean}{skilled}{ruined}{among}."


def _anchors(summary: Summary) -> dict[str, float]:
    rungs = summary.ladder.rungs if summary.ladder else ()
    return {rung.name: rung.final_assets for rung in rungs if rung.kind == "anchor"}


def _among(assets: float, merchants: Mapping[str, float]) -> str:
    if not merchants:
        return ""
    named = {name: f"{name} ({yuan_or_millions(amount)})" for name, amount in merchants.items()}
    above = [name for name, amount in merchants.items() if amount > assets]
    below = [name for name in merchants if name not in above]
    best_below = max(below, key=merchants.__getitem__, default="")
    last_above = min(above, key=merchants.__getitem__, default="")
    if not above:
        return f": more than every anchor on the same terms, of which the best is {named[best_below]}"
    if not below:
        return f": less than every anchor on the same terms, of which the last is {named[last_above]}"
    return f": between {named[best_below]} and {named[last_above]} on the same terms"


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
    limits = (rules.most_listings or max(LISTINGS), len(world.products) if world else max(LISTINGS))
    most = min(max(LISTINGS), *limits)
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
