"""Does a review find mistakes? Known ones are made in years of merchants, at known days, and the review looks for them.

    python benchmarks/mistakes.py [--worlds 10] [--clean 10] [--variants 8] [--jobs 2] [--keep FOLDER] [PAGE.md]

A mistaken year is the merchant's own up to the day of the mistake, so its value before is that of the year without one.
The engine's values of both years, once the mistake is over, say what it cost: a mark needs 5% of the value. Then the
years without a mistake are looked at week by week, on the first `--clean` worlds. Answers are kept in the folder, and a
second call goes on where the first was stopped. With a page, the tables are written there, between the marks named
mistakes.
"""

import argparse
import os
from collections.abc import Container, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import mistaken
from doc_tables import markdown_table, write_block
from mistaken import MERCHANTS, MISTAKES, Mistake
from msgspec import Struct, json

from ecbench.cancellation import StopFlag
from ecbench.review.bill.charges import Bill
from ecbench.review.bill.making import bill_of
from ecbench.review.curve import Point, result_point
from ecbench.review.engine import ENGINE, VARIANTS, final_assets
from ecbench.review.making import FULL, QUICK, THOROUGH
from ecbench.review.model import CAUSES_NAMED, Review
from ecbench.review.positions import WEEK, positions_of, record_check, replay_positions
from ecbench.review.verdicts import LONGEST, MARKS, Week, weeks_of
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import Listener, play_here, read_episode
from ecbench.runs.play.gc_policy import collect_seldom
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

FIRST_WORLD = 311  # the engine and the mistakes were fixed on other seeds
DAYS = 365
WEEKS_AFTER = 2  # of the weeks behind a mistake that are looked at
SIGNS = ("", *(sign for _, sign in reversed(MARKS)))
LEAST = MARKS[-1][0]
DEPTHS = {len(depth.variants): depth.variants for depth in (QUICK, FULL, THOROUGH)}


class Finding(Struct, frozen=True):
    """What a review made of one mistake."""

    merchant: str
    mistake: str
    seed: int
    cost: float  # of the value when it began: what the year without it is worth more once it is over
    mark: str  # the gravest one of the days that it lasted and the week behind them
    usual: str  # the gravest one of the same days without it
    first_cause: bool
    any_cause: bool  # among those named beside the marks
    billed: float  # yuan that the bill has for its causes on its days, beyond what it has without it


class CleanYear(Struct, frozen=True):
    """What a review made of a year without a mistake."""

    merchant: str
    seed: int
    accuracy: float
    marks: list[str]  # of its weeks, "" for those without one
    blunders_held: int  # weeks marked ?? that the variants who were not asked before mark as well


class StoredPoint(Struct, frozen=True):
    """A point as a line of a file holds it."""

    day: int
    assets: float
    values: tuple[float, ...]


class Case(NamedTuple):
    """A merchant on a world."""

    merchant: str
    seed: int


@dataclass(frozen=True, slots=True)
class Looking:
    """A recorded year, the variants that are asked about it, and where their answers are stored."""

    run: Run
    variants: tuple[int, ...]
    stored: Path

    def points(self, days: Container[int]) -> tuple[Point, ...]:
        """The positions of these days, and the result where they reach the end."""
        recording, terms = read_episode(self.run, 0), self.run.terms_of(0)
        known = {point.day: point for point in self._stored_points()}
        positions = [position for position in positions_of(recording, terms.stake) if position.day in days]
        asked = [position for position in positions if position.day not in known]
        with self.stored.open("ab") as file:
            for position, year in replay_positions(terms, self.run.load_world(), recording, asked):
                values = tuple(final_assets(year, VARIANTS[variant]) for variant in self.variants)
                known[position.day] = Point(position.day, position.assets, values)
                file.write(json.encode(StoredPoint(position.day, position.assets, values)) + b"\n")
                file.flush()
        points = [known[position.day] for position in positions]
        end = recording.end()
        if end is not None and end.day in days:
            points.append(result_point(end.day, end.final_assets, len(self.variants)))
        return tuple(points)

    def _stored_points(self) -> list[Point]:
        lines = self.stored.read_bytes().splitlines() if self.stored.exists() else []
        stored = [json.decode(line, type=StoredPoint) for line in lines]
        return [Point(point.day, point.assets, point.values) for point in stored]

    def review(self, points: tuple[Point, ...], bill: Bill) -> Review:
        terms = self.run.terms_of(0)
        return Review(
            engine=ENGINE,
            record=record_check(read_episode(self.run, 0)),
            agent=terms.agent,
            world=terms.world,
            episode=0,
            days=terms.days,
            quick=False,
            points=points,
            bill=bill,
        )


def record(folder: Path, agent: str, source: str) -> Run:
    world = load_world(source)
    terms = Terms.alone(world, agent=agent, days=DAYS, stake=100_000.0)
    run = create_run(folder, terms, episodes=1, world_source=source)
    play_here(run, 0, world, Listener(), StopFlag())
    return run


def clean_year(case: Case, variants: tuple[int, ...], place: Path, keep: Path) -> Looking:
    run = record(place / "clean", case.merchant, f"seed-{case.seed}")
    return Looking(run, variants, keep / f"{case.merchant}-{case.seed}-{len(variants)}.points")


def find_mistakes(case: Case, variants: tuple[int, ...], keep: Path) -> list[Finding]:
    with TemporaryDirectory() as place:
        clean = clean_year(case, variants, Path(place), keep)
        days = {day for mistake in MISTAKES.values() for day in clean_days(mistake)}
        known = {point.day: point for point in clean.points(days)}
        bill = bill_of(clean.run, 0)
        findings = []
        for name, mistake in MISTAKES.items():
            agent = f"{Path(mistaken.__file__).resolve()}:{case.merchant.capitalize()}{name}"
            run = record(Path(place, name), agent, f"seed-{case.seed}")
            made = Looking(run, variants, keep / f"{case.merchant}{name}-{case.seed}-{len(variants)}.points")
            around = clean.review(tuple(known[day] for day in clean_days(mistake) if day in known), bill)
            findings.append(find(around, made, mistake, case))
    return findings


def clean_days(mistake: type[Mistake]) -> range:
    """Positions of the weeks around a mistake, some before it included: weeks may be marked together."""
    first = max(0, mistake.first // WEEK * WEEK - LONGEST)
    return range(first, mistake.last + 1 + WEEKS_AFTER * WEEK, WEEK)


def look_at_clean_year(case: Case, variants: tuple[int, ...], keep: Path) -> CleanYear:
    with TemporaryDirectory() as place:
        looking = clean_year(case, variants, Path(place), keep)
        review = looking.review(looking.points(range(DAYS + 1)), Bill((), 0))
        marks = [week.mark for week in review.weeks]
        return CleanYear(case.merchant, case.seed, review.accuracy or 0.0, marks, _held(looking, review))


def find(clean: Review, made: Looking, mistake: type[Mistake], case: Case) -> Finding:
    before = [point for point in clean.points if point.day <= mistake.first]
    after = made.points(range(before[-1].day + 1, mistake.last + 1 + WEEKS_AFTER * WEEK))
    review = made.review((*before, *after), bill_of(made.run, 0))
    marked = [week for week in _during(review, mistake) if week.mark]
    named = [list(islice(review.causes_of(week), CAUSES_NAMED)) for week in marked]
    return Finding(
        case.merchant,
        mistake.title,
        case.seed,
        _cost(clean, review, mistake),
        _gravest(marked),
        _gravest(_during(clean, mistake)),
        any(causes[:1] and causes[0] in mistake.causes for causes in named),
        any(mistake.causes & set(causes) for causes in named),
        _billed(review, mistake) - _billed(clean, mistake),
    )


def _during(review: Review, mistake: type[Mistake]) -> list[Week]:
    """The weeks that the mistake lasted, and the one behind them."""
    return [week for week in review.weeks if week.last_day >= mistake.first and week.first_day <= mistake.last + WEEK]


def _gravest(weeks: Iterable[Week]) -> str:
    return max((week.mark for week in weeks), key=SIGNS.index, default="")


def _cost(clean: Review, review: Review, mistake: type[Mistake]) -> float:
    with_it, without = (next(p for p in r.points if p.day > mistake.last) for r in (review, clean))
    start = next(point for point in reversed(clean.points) if point.day <= mistake.first)
    return (without.mean - with_it.mean) / start.mean


def _billed(review: Review, mistake: type[Mistake]) -> float:
    amounts = review.bill.between(mistake.first, mistake.last + WEEK).by_cause()
    return sum(amounts[cause] for cause in mistake.causes)


def _held(looking: Looking, clean: Review) -> int:
    """Blunders that other variants see as well. Chance in the variants asked first does not repeat in these."""
    others = tuple(variant for variant in range(len(VARIANTS)) if variant not in looking.variants)
    if not others:
        return 0
    held = 0
    for week in clean.weeks:
        if week.mark == "??":
            again = replace(looking, variants=others, stored=looking.stored.with_suffix(".others"))
            points = again.points(range(week.first_day, week.last_day + 2))
            held += any(second.mark for second in weeks_of(points))
    return held


def tables(findings: Sequence[Finding], years: Sequence[CleanYear], variants: int) -> str:
    titles = dict.fromkeys(finding.mistake for finding in findings)
    rows = [
        _row(f"{title}, `{name}`", [f for f in findings if (f.mistake, f.merchant) == (title, name)])
        for title in titles
        for name in MERCHANTS
    ]
    found = markdown_table(
        ("mistake", "years", "cost, median", "marked", "marked without it", "cost 5% or more", "of these marked",
         "cause named first", "cause named", "on the bill"),
        [*rows, _row("all", findings)],
    )  # fmt: skip
    weeks = markdown_table(
        ("years without a mistake", "years", "weeks", "?!", "?", "??", "?? that other variants mark", "accuracy"),
        [_clean_row(name, [year for year in years if year.merchant == name]) for name in MERCHANTS],
    )
    worlds = len({finding.seed for finding in findings})
    said = f"{worlds} worlds from `seed-{FIRST_WORLD}` on, engine {ENGINE}, {variants} variants at every position."
    return f"{said}\n\n{found}\n\n{weeks}"


def _row(title: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    marked = [f for f in findings if f.mark]
    large = [f for f in findings if f.cost >= LEAST]
    return (
        title,
        str(len(findings)),
        f"{median(f.cost for f in findings):.1%}" if findings else "",
        str(len(marked)),
        str(sum(bool(f.usual) for f in findings)),
        str(len(large)),
        str(sum(bool(f.mark) for f in large)),
        str(sum(f.first_cause for f in marked)),
        str(sum(f.any_cause for f in marked)),
        str(sum(f.billed > 0 for f in findings)),
    )


def _clean_row(name: str, years: Sequence[CleanYear]) -> tuple[str, ...]:
    marks = [mark for year in years for mark in year.marks]
    counts = [str(marks.count(sign)) for sign in ("?!", "?", "??")]
    accuracy = sum(year.accuracy for year in years) / max(1, len(years))
    held = sum(year.blunders_held for year in years)
    return (f"`{name}`", str(len(years)), str(len(marks)), *counts, str(held), f"{accuracy:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", nargs="?", type=Path, help="a page to write the tables into")
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--clean", type=int, default=10, help="worlds whose years without a mistake are looked at")
    parser.add_argument("--variants", type=int, choices=sorted(DEPTHS), default=len(FULL.variants))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="a folder for the answers, to go on from")
    options = parser.parse_args()
    cases = [Case(merchant, FIRST_WORLD + number) for number in range(options.worlds) for merchant in MERCHANTS]
    looked_at = [case for case in cases if case.seed < FIRST_WORLD + options.clean]
    findings: list[Finding] = []
    years: list[CleanYear] = []
    with TemporaryDirectory() as passing, ProcessPoolExecutor(options.jobs, initializer=collect_seldom) as workers:
        keep = options.keep or Path(passing)
        keep.mkdir(parents=True, exist_ok=True)
        variants = DEPTHS[options.variants]
        for found in workers.map(partial(find_mistakes, variants=variants, keep=keep), cases):
            findings += found
            print(*found, sep="\n", flush=True)
        for year in workers.map(partial(look_at_clean_year, variants=variants, keep=keep), looked_at):
            years.append(year)
            print(tables(findings, years, options.variants), flush=True)
    if options.page:
        write_block(options.page, "mistakes", tables(findings, years, options.variants))


if __name__ == "__main__":
    main()
