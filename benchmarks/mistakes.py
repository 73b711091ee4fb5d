"""Does a review find mistakes? Known ones are made in years of merchants, at known days, and the review looks for them.

    python benchmarks/mistakes.py [--worlds 10] [--quick] [--jobs 2] [PAGE.md]

A mistaken year is the merchant's own up to the day of the mistake. The review looks at the weeks around it, and at
every week of the years without one. With a page, the tables are written there, between the marks named mistakes.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple

from doc_tables import markdown_table, write_block

from ecbench.agents.driver import begin_play
from ecbench.agents.protocol import Call, Play, Reply, call
from ecbench.agents.registry import get_merchant
from ecbench.cli.progress import Silent
from ecbench.episode import Episode
from ecbench.review.asking import Inquiry, Question
from ecbench.review.bill.make import bill_of
from ecbench.review.curve import Point, result_point
from ecbench.review.engine import ENGINE
from ecbench.review.make import FULL, QUICK, record_check
from ecbench.review.model import CAUSES_NAMED, Review
from ecbench.review.places import asker
from ecbench.review.positions import WEEK, YearPosition, positions_of
from ecbench.review.verdicts import Week
from ecbench.runs.events import Terms
from ecbench.runs.folder import Run, create_run
from ecbench.runs.reader import Recording
from ecbench.runs.session import play_here, read_episode
from ecbench.runs.stopping import StopFlag
from ecbench.suppliers.scams import MEMBERS_ONLY
from ecbench.world.model import Product
from ecbench.worlds import load_world

MERCHANTS = ("haggler", "steady")
FIRST_WORLD = 301  # the engine was fixed on other seeds
DAYS = 365
MEMBERSHIPS = 10  # a single one costs 1% of the stake, which no mark can show
SPENT_ON_JUNK = 0.8  # of the bank
WEEKS_BEFORE, WEEKS_AFTER = 2, 5  # of the weeks of a mistake that are looked at
NOTHING_SENT: Reply = {"success": False, "error": "nothing was sent"}


class Mistake:
    """Something that a merchant does besides its own trade, or does not do."""

    title: ClassVar[str]
    first: ClassVar[int]  # the day it begins
    last: ClassVar[int]  # included
    causes: ClassVar[frozenset[str]]  # of the bill, any of which names it

    def on(self, year: Episode) -> bool:
        return self.first <= year.day <= self.last

    def besides(self, _year: Episode, /) -> Iterator[list[Call]]:
        """Turns of its own before the merchant's next one, while it lasts and once when it is over."""
        yield from ()

    def allows(self, _one: Call, /) -> bool:
        return True


class JunkStock(Mistake):
    """Most of the money goes into the goods that the fewest customers of any store want, at the floor."""

    title, first, last = "stock nobody will buy", 60, 60
    causes = frozenset({"unsold", "storage"})

    def __init__(self) -> None:
        self.done = False

    def besides(self, year: Episode) -> Iterator[list[Call]]:
        if self.done or not self.on(year):
            return
        self.done = True
        kinds = {store.type.id for store in year.account.books.trading}
        goods = [p for p in year.world.products if _type_of(year, p) not in kinds]
        junk = max(goods, key=lambda product: product.reference_price)
        seller = next(s for s in year.world.suppliers if s.honest and s.category == junk.category)
        quantity = int(SPENT_ON_JUNK * max(0.0, year.bank) / junk.reference_price)
        if quantity:
            for action in ("offer", "accept"):
                wish = {"action": action, "sku_id": junk.sku, "price": junk.reference_price, "quantity": quantity}
                yield [call("chatbox", uid=seller.email, content=_letter(wish))]


class DoublePrices(Mistake):
    """Four weeks at twice the prices; whatever the merchant sets is doubled again the same morning."""

    title, first, last = "four weeks of doubled prices", 91, 118
    causes = frozenset({"price"})

    def __init__(self) -> None:
        self.raised: dict[tuple[str, str], float] = {}

    def besides(self, year: Episode) -> Iterator[list[Call]]:
        calls = []
        for store in year.account.books.trading:
            prices = {}
            for sku, listing in store.shelf.items():
                ours = self.raised.get((store.id, sku))
                if self.on(year) and listing.price != ours:
                    prices[sku] = self.raised[store.id, sku] = round(2 * listing.price, 2)
                elif not self.on(year) and listing.price == ours:
                    prices[sku] = round(ours / 2, 2)
            if prices:
                wishes = [{"product_id": sku, "price": price} for sku, price in prices.items()]
                calls.append(call("set_prices", store_id=store.id, prices=wishes))
        if not self.on(year):
            self.raised.clear()
        if calls:
            yield calls


class Memberships(Mistake):
    """Fees to suppliers whose goods are dearer for members than elsewhere."""

    title, first, last = f"{MEMBERSHIPS} memberships paid", 10, 11
    causes = frozenset({"fees"})

    def __init__(self) -> None:
        self.done = False

    def besides(self, year: Episode) -> Iterator[list[Call]]:
        if self.done or not self.on(year):
            return
        self.done = True
        cheats = [supplier for supplier in year.world.suppliers if supplier.scam in MEMBERS_ONLY]
        for supplier in cheats[:MEMBERSHIPS]:
            for said in ("What do you offer?", "I agree to pay the membership fee now."):
                yield [call("chatbox", uid=supplier.email, content=said)]


class Unshipped(Mistake):
    """Three weeks in which no parcel leaves."""

    title, first, last = "three weeks unshipped", 121, 141
    causes = frozenset({"cancelled"})

    def allows(self, one: Call) -> bool:
        return str(one["name"]) != "ship_orders"


class ClosedStore(Mistake):
    """The store whose shelf is worth most is closed, and its goods are sold off."""

    title, first, last = "the best store closed", 151, 151
    causes = frozenset({"closed_store", "empty_slot", "unsold"})

    def __init__(self) -> None:
        self.done = False

    def besides(self, year: Episode) -> Iterator[list[Call]]:
        stores = year.account.books.trading
        if self.done or not self.on(year) or not stores:
            return
        self.done = True
        best = max(stores, key=lambda store: sum(item.price * item.quantity for item in store.shelf.values()))
        yield [call("close_store", store_id=best.id, liquidate=True)]


MISTAKES: dict[str, type[Mistake]] = {
    made.__name__: made for made in (JunkStock, DoublePrices, Memberships, Unshipped, ClosedStore)
}


def _type_of(year: Episode, product: Product) -> str:
    return next(kind.id for kind in year.world.store_types if product.category in kind.categories)


def _letter(wish: Mapping[str, object]) -> str:
    return f"We would like to order.\n```negotiate\n{json.dumps(wish)}\n```"


class Mistaken:
    """A merchant that makes one mistake. It is an insider only to make it well."""

    merchant: ClassVar[str]
    mistake: ClassVar[type[Mistake]]

    def play_knowing(self, year: Episode, _schemas: list[dict[str, object]]) -> Play:
        mistake = self.mistake()
        play = begin_play(get_merchant(self.merchant, days=year.account.market.days), year)
        calls = next(play)
        while True:
            yield from mistake.besides(year)
            allowed = [one for one in calls if not mistake.on(year) or mistake.allows(one)]
            replies = iter((yield allowed) if allowed else [])
            told = [next(replies) if one in allowed else NOTHING_SENT for one in calls]
            try:
                calls = play.send(told)
            except StopIteration:
                return


def _mistaken(merchant: str, mistake: type[Mistake]) -> type[Mistaken]:
    name = f"{merchant.capitalize()}{mistake.__name__}"
    return type(name, (Mistaken,), {"merchant": merchant, "mistake": mistake})


# Merchants of one's own are found by their class: file.py:HagglerJunkStock.
globals().update({made.__name__: made for m in MERCHANTS for x in MISTAKES.values() if (made := _mistaken(m, x))})


def record(folder: Path, agent: str, seed: int) -> Run:
    world = load_world(f"seed-{seed}")
    terms = Terms(world=world.name, world_id=world.id, seed=world.seed, agent=agent, days=DAYS, stake=100_000.0)
    run = create_run(folder, terms, episodes=1, world_source=f"seed-{seed}")
    play_here(run, 0, world, Silent(), StopFlag())
    return run


@dataclass(frozen=True, slots=True)
class Looking:
    """How closely years are looked at, and by how many workers."""

    variants: tuple[int, ...]
    jobs: int

    def review(self, run: Run, first: int = 0, last: int = DAYS) -> Review:
        """Of the weeks between two days, with the whole bill."""
        recording = read_episode(run, 0)
        terms = run.terms_of(0)
        positions = [
            position
            for position in positions_of(recording, terms.stake)
            if first - WEEKS_BEFORE * WEEK <= position.day <= last + WEEKS_AFTER * WEEK
        ]
        questions = tuple(Question(position, variant) for position in positions for variant in self.variants)
        inquiry = Inquiry(terms, run.site(0).source, recording.written, questions)
        known = {answer.key: answer.assets for answer in asker(None, self.jobs)(inquiry, self.jobs, StopFlag())}
        points = [self._point(position, known) for position in positions]
        points += self._result(recording) if last >= DAYS else []
        return Review(
            engine=ENGINE,
            record=record_check(recording),
            agent=terms.agent,
            world=terms.world,
            episode=0,
            days=terms.days,
            quick=False,
            points=tuple(points),
            bill=bill_of(run, 0),
        )

    def _point(self, position: YearPosition, known: dict[tuple[str, int], float]) -> Point:
        values = tuple(known[position.check, variant] for variant in self.variants)
        return Point(position.day, position.assets, values)

    def _result(self, recording: Recording) -> list[Point]:
        end = recording.end
        return [result_point(end.day, end.final_assets, len(self.variants))] if end else []


class Finding(NamedTuple):
    """What a review made of one mistake."""

    merchant: str
    mistake: str
    seed: int
    mark: str  # the gravest one in the weeks of the mistake and the one behind it
    usual: str  # the gravest one in the same weeks of the year without it
    first_cause: bool
    any_cause: bool  # among those named beside the mark


def gravest(weeks: Sequence[Week]) -> Week | None:
    marked = [week for week in weeks if week.mark]
    return max(marked, key=lambda week: week.share) if marked else None


def weeks_of(review: Review, mistake: type[Mistake]) -> list[Week]:
    """Those that the mistake lasted, and the one behind them."""
    return [week for week in review.weeks if week.last_day >= mistake.first and week.first_day <= mistake.last + WEEK]


def find(folder: Path, merchant: str, seed: int, clean: Review, mistake: type[Mistake], looking: Looking) -> Finding:
    agent = f"{Path(__file__).resolve()}:{merchant.capitalize()}{mistake.__name__}"
    run = record(folder / f"{merchant}-{seed}-{mistake.__name__}", agent, seed)
    review = looking.review(run, mistake.first, mistake.last)
    marked = [week for week in weeks_of(review, mistake) if week.mark]
    named = [list(islice(review.causes_of(week), CAUSES_NAMED)) for week in marked]
    without, worst = gravest(weeks_of(clean, mistake)), gravest(marked)
    return Finding(
        merchant,
        mistake.title,
        seed,
        worst.mark if worst else "",
        without.mark if without else "",
        any(causes[:1] and causes[0] in mistake.causes for causes in named),
        any(mistake.causes & set(causes) for causes in named),
    )


def tables(findings: Sequence[Finding], clean: Sequence[Review], looking: Looking) -> str:
    found = markdown_table(
        ("mistake", "years", "marked", "marked more gravely than without it", "cause named first", "cause named"),
        [
            _row(title, [f for f in findings if f.mistake == title])
            for title in dict.fromkeys(f.mistake for f in findings)
        ]
        + [_row("all", findings)],
    )
    weeks = markdown_table(
        ("years without a mistake", "years", "weeks", "?!", "?", "??", "accuracy"),
        [_clean_row(name, [r for r in clean if r.agent == name]) for name in MERCHANTS],
    )
    worlds = len({finding.seed for finding in findings})
    return f"{worlds} worlds from `seed-{FIRST_WORLD}` on, {len(looking.variants)} variants.\n\n{found}\n\n{weeks}"


def _row(title: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    marks = ("", "?!", "?", "??")
    marked = [f for f in findings if f.mark]
    graver = [f for f in marked if marks.index(f.mark) > marks.index(f.usual)]
    first, any_cause = (sum(getattr(f, name) for f in marked) for name in ("first_cause", "any_cause"))
    return (title, str(len(findings)), str(len(marked)), str(len(graver)), str(first), str(any_cause))


def _clean_row(name: str, reviews: Sequence[Review]) -> tuple[str, ...]:
    weeks = [week for review in reviews for week in review.weeks]
    counts = [str(sum(week.mark == sign for week in weeks)) for sign in ("?!", "?", "??")]
    accuracy = sum(review.accuracy or 0.0 for review in reviews) / max(1, len(reviews))
    return (f"`{name}`", str(len(reviews)), str(len(weeks)), *counts, f"{accuracy:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", nargs="?", type=Path, help="a page to write the tables into")
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--quick", action="store_true", help="four variants")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    looking = Looking((QUICK if options.quick else FULL).variants, options.jobs)
    findings: list[Finding] = []
    clean: list[Review] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(FIRST_WORLD, FIRST_WORLD + options.worlds):
            for merchant in MERCHANTS:
                clean.append(looking.review(record(Path(folder) / f"{merchant}-{seed}", merchant, seed)))
                for mistake in MISTAKES.values():
                    findings.append(find(Path(folder), merchant, seed, clean[-1], mistake, looking))
                    print(findings[-1], flush=True)
            print(tables(findings, clean, looking), flush=True)
    if options.page:
        write_block(options.page, "mistakes", tables(findings, clean, looking))


if __name__ == "__main__":
    main()
