"""Does a review find mistakes? Known ones are made in years of merchants, at known days, and the review looks for them.

    python benchmarks/mistakes.py --keep FOLDER [--worlds 10] [--all] [--curves 0] [--jobs 1] [--tables] [PAGE.md]

On every world each of the twelve mistakes is made by one of three merchants in turn, or with `--all` by all three. The
years without a mistake are graded, too: their marks are false ones. Marks come from the account of losses. With
`--curves N` the years without a mistake of the first N worlds get a quick review by the engine as well, which takes
minutes for each, and with `--all` the mistaken ones do. Years and their losses are kept in the folder. A second call
continues where the first was stopped. `--tables` computes nothing and shows what is there. With a page, the tables are
written there, between the marks named mistakes.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import mistaken_merchants
from doc_tables import markdown_table, write_block
from mistaken_merchants import MERCHANTS, MISTAKES, Mistake
from msgspec import Struct, json

from ecbench.cancellation import StopFlag
from ecbench.market.calendar import WEEK
from ecbench.metrics.losses.account import by_day
from ecbench.review.business import Business, replay_losses
from ecbench.review.curve import result_point
from ecbench.review.engine import ENGINE
from ecbench.review.making import QUICK, review_year
from ecbench.review.marks import WeekMark
from ecbench.review.model import Review
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.episodes import Listener, play_here, read_episode
from ecbench.runs.play.gc_policy import collect_seldom
from ecbench.runs.terms import Terms
from ecbench.runs.workers.pool import Inline
from ecbench.world.load import load_world

FIRST_WORLD = 331  # the rules of the marks and the mistakes were chosen on seed-102
DAYS = 365
QUARTER = 0.25


class Cell(NamedTuple):
    """A year of a merchant on a world, with a mistake or without one."""

    merchant: str
    seed: int
    mistake: str = ""

    def folder(self, keep: Path) -> Path:
        return keep / f"{self.merchant}-{self.seed}-{self.mistake or 'Clean'}"

    def played(self, keep: Path) -> Run:
        return played_run(self.folder(keep) / "run", self.agent, f"seed-{self.seed}")

    @property
    def agent(self) -> str:
        if not self.mistake:
            return self.merchant
        return f"{Path(mistaken_merchants.__file__).resolve()}:{self.merchant.title().replace('-', '')}{self.mistake}"


class GradedYear(Struct, frozen=True):
    """What marks are made from, without the engine's curve: the losses by cause and day, and the business."""

    final: float
    last_day: int
    losses: dict[str, tuple[float, ...]]
    business: Business


def played_run(folder: Path, agent: str, source: str) -> Run:
    """A recorded year, played as far as it is missing."""
    world = load_world(source)
    if folder.exists():
        run = open_run(folder)
    else:
        terms = Terms.alone(world, agent=agent, days=DAYS, stake=100_000.0)
        run = create_run(folder, terms, episodes=1, world_source=source)
    if read_episode(run, 0).end() is None:
        play_here(run, 0, world, Listener(), StopFlag())
    return run


def grade(cell: Cell, keep: Path) -> None:
    """Make the year and its losses, unless they are there."""
    path = cell.folder(keep) / "graded.json"
    if path.exists():
        return
    run = cell.played(keep)
    year, end = replay_losses(run, 0), read_episode(run, 0).end()
    assert end is not None, "it was played to its end"
    losses = {cause: tuple(daily) for cause, daily in by_day(year.losses, end.day + 1)}
    path.write_bytes(json.encode(GradedYear(end.final_assets, end.day, losses, year.business)))


def look(cell: Cell, keep: Path) -> None:
    """Make the quick review of a year, which is kept in its folder."""
    run = cell.played(keep)
    review_year(run, 0, depth=QUICK, executor=Inline(), jobs=1, stop=StopFlag(), tell=lambda _: None)


def reviews(cells: Sequence[Cell], keep: Path, *, curves: bool) -> Iterator[tuple[Cell, Review, float]]:
    """Of the years that are there, with what each ended with; the engine's own where `curves` asks for them."""
    for cell in cells:
        path = cell.folder(keep) / "graded.json"
        if not path.exists():
            continue
        year = json.decode(path.read_bytes(), type=GradedYear)
        if not curves:
            yield cell, by_account(cell, year), year.final
        elif (path.parent / "run" / "episodes" / "0" / "review.json").exists():
            run = open_run(path.parent / "run")
            made = review_year(
                run, 0, depth=QUICK, executor=Inline(), jobs=1, stop=StopFlag(), tell=lambda _: None
            ).review
            assert made is not None, "nothing stops it"
            yield cell, made, year.final


def by_account(cell: Cell, year: GradedYear) -> Review:
    """A review without positions: its marks are those of the account."""
    end = result_point(year.last_day, year.final, variants=2)
    return Review(
        ENGINE, "", cell.merchant, f"seed-{cell.seed}", 0, DAYS, False, (end,), (), year.losses, year.business
    )


class Finding(NamedTuple):
    """What a review made of one mistake."""

    cell: Cell
    cost: float  # of what the year without it ended with
    marks: list[WeekMark]  # of the days that it lasted and the week after them
    usual: bool  # whether the same days are marked without it
    marked_share: float

    @property
    def mistake(self) -> type[Mistake]:
        return MISTAKES[self.cell.mistake]

    @property
    def first_cause(self) -> bool:
        return any(next(iter(mark.causes), "") in self.mistake.causes for mark in self.marks)

    @property
    def any_cause(self) -> bool:
        return any(self.mistake.causes & set(mark.causes) for mark in self.marks)


def findings_of(found: Sequence[tuple[Cell, Review, float]]) -> list[Finding]:
    clean = {cell: (review, final) for cell, review, final in found if not cell.mistake}
    findings = []
    for cell, review, final in found:
        without = clean.get(cell._replace(mistake=""))
        if cell.mistake and without is not None:
            mistake = MISTAKES[cell.mistake]
            marks, usual = _during(review, mistake), bool(_during(without[0], mistake))
            findings.append(Finding(cell, 1 - final / without[1], marks, usual, marked_share(review)))
    return findings


def marked_share(review: Review) -> float:
    """Of the days that were played."""
    days = {day for mark in review.marks for day in range(mark.first_day, mark.last_day + 1)}
    return len(days) / max(1, review.points[-1].day)


def _during(review: Review, mistake: type[Mistake]) -> list[WeekMark]:
    return [mark for mark in review.marks if mark.overlaps(mistake.first, mistake.last + WEEK)]


FOUND = ("years", "cost, median", "marked", "cause named first", "cause named", "amount, median", "marked without it")


def _found_row(title: str, findings: Sequence[Finding]) -> tuple[str, ...]:
    amounts = [max(mark.cost for mark in finding.marks) for finding in findings if finding.marks]
    return (
        title,
        str(len(findings)),
        f"{median(finding.cost for finding in findings):.1%}" if findings else "",
        str(sum(bool(finding.marks) for finding in findings)),
        str(sum(finding.first_cause for finding in findings)),
        str(sum(finding.any_cause for finding in findings)),
        f"¥{median(amounts):,.0f}" if amounts else "",
        str(sum(finding.usual for finding in findings)),
    )


def _clean_row(title: str, found: Sequence[Review]) -> tuple[str, ...]:
    signs = [mark.sign for review in found for mark in review.marks]
    shares = [marked_share(review) for review in found]
    counts = [str(signs.count(sign)) for sign in ("?!", "?", "??")]
    mean = f"{fmean(shares):.1%}" if shares else ""
    return (title, str(len(found)), *counts, mean, str(sum(share > QUARTER for share in shares)))


def tables(cells: Sequence[Cell], keep: Path) -> str:
    graded = list(reviews(cells, keep, curves=False))
    findings = findings_of(graded)
    rows = [
        _found_row(mistake.title, [each for each in findings if each.cell.mistake == name])
        for name, mistake in MISTAKES.items()
    ]
    rows += [_found_row(f"all, `{name}`", [f for f in findings if f.cell.merchant == name]) for name in MERCHANTS]
    years = markdown_table(("mistake", *FOUND), [*rows, _found_row("all", findings)])
    looked = list(reviews([cell for cell in cells if not cell.mistake], keep, curves=True))
    clean_rows = []
    for how, found in (("by the account", graded), ("with the engine's curve, quick", looked)):
        for name in MERCHANTS:
            own = [review for cell, review, _ in found if cell.merchant == name and not cell.mistake]
            if own:
                clean_rows.append(_clean_row(f"`{name}`, {how}", own))
    clean_rows.append(_clean_row("years with a mistake, by the account", [r for cell, r, _ in graded if cell.mistake]))
    heading = ("years", "?!", "?", "??", "days marked, mean", "more than a quarter marked")
    without = markdown_table(("years without a mistake", *heading), clean_rows)
    seeds = sorted({cell.seed for cell, _, _ in graded})
    said = (
        f"{len(graded)} of {len(cells)} years, on {len(seeds)} worlds: `seed-{seeds[0]}` to `seed-{seeds[-1]}`, "
        f"engine {ENGINE}."
    )
    return f"{said}\n\n{years}\n\n{without}"


def cells_of(seed: int, *, every: bool) -> list[Cell]:
    """The years without a mistake, and each mistake by one merchant in turn or by every one."""
    cells = [Cell(merchant, seed) for merchant in MERCHANTS]
    for place, mistake in enumerate(MISTAKES):
        makers = MERCHANTS if every else (MERCHANTS[(place + seed) % len(MERCHANTS)],)
        cells += [Cell(merchant, seed, mistake) for merchant in makers]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", nargs="?", type=Path, help="a page to write the tables into")
    parser.add_argument("--keep", type=Path, required=True, help="a folder for the years, to go on from")
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--all", action="store_true", help="every mistake by every merchant")
    parser.add_argument("--curves", type=int, default=0, help="worlds whose years the engine looks at")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", action="store_true", help="compute nothing, show what is there")
    options = parser.parse_args()
    seeds = range(FIRST_WORLD, FIRST_WORLD + options.worlds)
    cells = [cell for seed in seeds for cell in cells_of(seed, every=options.all)]
    if not options.tables:
        looked = [cell for cell in cells if cell.seed < FIRST_WORLD + options.curves]
        with ProcessPoolExecutor(options.jobs, initializer=collect_seldom) as workers:
            for _ in workers.map(partial(grade, keep=options.keep), cells):
                pass
            for _ in workers.map(partial(look, keep=options.keep), [c for c in looked if options.all or not c.mistake]):
                pass
    shown = tables(cells, options.keep)
    print(shown)
    if options.page:
        write_block(options.page, "mistakes", shown)


if __name__ == "__main__":
    main()
