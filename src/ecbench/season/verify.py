"""What a run folder proves, and what no folder can (docs/season.md)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.analysis.compare.entries import recomputed_entry
from ecbench.analysis.compare.stopping import analyses_taken, plan_differences
from ecbench.analysis.compare.verdict import InterimAnalysis
from ecbench.runs.folder import Run
from ecbench.runs.terms import HOST
from ecbench.runs.verify.run_check import RunCheck, YearCheck, check_run
from ecbench.season.seasons import Season, departures

HOW = {
    "year_end": "by the calendar",
    "bankruptcy": "by bankruptcy",
    "turn_limit": "by the turn limit",
    "idle": "because the agent left",
    "failed": "because the agent failed",
}
HIDDEN_YEARS = (
    "that the host opened no further episodes, and that nobody played those without turns: a person who passes the "
    "folder on can remove whole episodes; ask the signer how many there were"
)
BEFORE_ITS_END = ("idle", "failed")
LISTED = 12  # files that are no part of the proof


@dataclass(frozen=True, slots=True)
class Proof:
    """What the replay of all years of a run showed."""

    check: RunCheck
    season: Season | None  # that it was held against
    departures: Sequence[str]  # from the season's terms
    last: InterimAnalysis | None = None  # that the run's stopping plan has come to
    plan_differences: Sequence[str] = ()

    @property
    def run(self) -> Run:
        return self.check.run

    @property
    def years(self) -> Sequence[YearCheck]:
        return self.check.years

    @property
    def agents(self) -> str:
        """Who has a seat, each named once."""
        return ", ".join(dict.fromkeys(seat.agent for seat in self.run.terms.seats))

    @property
    def differences(self) -> list[str]:
        return [*self.check.differences, *self.plan_differences]

    @property
    def unfinished(self) -> list[str]:
        """The years that are as recorded, and not over."""
        clear = self.last is not None and self.last.is_clear
        unplayed = {year.episode for year in (self._untouched if clear else self.unplayed)}  # its plan ended before
        return [
            f"{self.run.called(year.episode)}: the year is not over; its record reaches day {year.day}"
            for year in self.years
            if not year.finished and not year.difference and year.episode not in unplayed
        ]

    @property
    def unplayed(self) -> list[YearCheck]:
        """Years that a host opened for a client that never played, or that was not answered when the host died."""
        return self._untouched if self._is_hosted and any(year.turns for year in self.years) else []

    @property
    def _untouched(self) -> list[YearCheck]:
        return [year for year in self.years if not (year.turns or year.finished or year.difference)]

    @property
    def stopped_early(self) -> bool:
        """Whether the run stopped where its plan says, before its last world."""
        return self.last is not None and not self.plan_differences and self.last.stopped_early

    @property
    def remarks(self) -> list[str]:
        unplayed = (f"{self.run.called(year.episode)}: opened at the host, and never played" for year in self.unplayed)
        return [*(remark for year in self.years for remark in year.remarks), *unplayed]

    @property
    def holds(self) -> bool:
        return not self.differences and not self.unfinished and not self.departures

    def proven(self) -> Iterator[str]:
        terms, good = self.run.terms, [year for year in self.years if not year.difference and year.turns]
        if not good:
            return
        calls, turns = sum(year.calls for year in good), sum(year.turns for year in good)
        yield f"{len(good):,} of {len(self.years):,} records are whole: every digest holds"
        yield f"{calls:,} calls in {turns:,} turns: every reply, and the money after every turn, is as recorded"
        yield f"how the years ended: {self._endings(good)}"
        worlds = ", ".join(dict.fromkeys(year.world for year in good))
        yield f"the worlds that they were played on ({worlds}) have the ids that run.json states"
        if self.check.asked and all(year.finished for year in good):
            behind = f" from day {terms.fork.day} on" if terms.fork else ""
            yield f"every call{behind} is the merchant's own: {self.agents} played the same year again"
        if self.last and self.stopped_early:
            after = f"after {self.last.worlds} of {self.last.planned} worlds"
            yield f"stopped early, {after}, where its plan ends ({self.last.decision}): every analysis was recomputed"
        if self.season is not None and not self.departures:
            yield f"worlds and terms are those of season {self.season.label}"

    def vouched(self) -> Iterator[str]:
        """What a trusted signer says beyond that; nothing where anything differs."""
        if self._is_vouched:
            yield from self.check.signer.vouched()

    def unproven(self) -> Iterator[str]:
        terms, signer = self.run.terms, self.check.signer
        if not self.check.asked:
            kind = "a model" if self._has_models else "a program"
            if self._is_vouched:
                yield from signer.not_vouched()
                if self._is_hosted:
                    yield HIDDEN_YEARS
            else:
                yield f"that {self.agents} made the calls: {kind}, a person or a script may have written them"
            yield "that this is the first attempt, and not the best of many"
        if signer.key is not None and not signer.trusted:
            yield f"who signed it: if you know the owner of {signer.key}, give it with --trust"
        if self._has_models and not self._is_vouched:
            yield "what the model said beside its calls, its tokens, seconds and costs: they are taken from the record"
        if terms.voice != "template":
            yield f"that {terms.voice} wrote the suppliers' letters: they are quoted from the record"
        if terms.fork:
            others = "; signatures of another run do not count here" if signer.key else ""
            yield f"who played before day {terms.fork.day}, where the year was taken over{others}"
        if self.run.manifest.stopping:
            if not signer.vouches:
                yield "that its stopping plan was made before the first year"
            yield "that the plan's scores of its rival are those of a run: `ecbench compare` takes them from its folder"
        yield "when, with which versions, from which commit and by which run file the run was made, as run.json says"
        if beside := self.check.beside:
            more = ", ..." if len(beside) > LISTED else ""
            yield f"what the other files of the folder say: {', '.join(beside[:LISTED])}{more}"

    def _endings(self, years: Sequence[YearCheck]) -> str:
        ended = Counter(end.ending for year in years for end in year.ends)
        parts = [f"{ended[ending]:,} {how}" for ending, how in HOW.items() if ended[ending]]
        if open_years := sum(not year.finished for year in years):
            parts.append(f"{open_years:,} stopped and not over")
        return ", ".join(parts)

    @property
    def _is_hosted(self) -> bool:
        return self.run.player.transport == HOST and not self.run.terms.shared

    @property
    def _is_vouched(self) -> bool:
        return self.check.signer.vouches and not self.differences

    @property
    def _has_models(self) -> bool:
        return any(seat.names_model for seat in self.run.terms.seats)


def verify(run: Run, season: Season | None, world_source: str | None = None, trusted: Sequence[str] = ()) -> Proof:
    """Recompute every year, and hold the run against a season and the keys of trusted signers, if there are any."""
    check = check_run(run, world_source, trusted)
    asked = [*departures(run, season), *_early_endings(check)] if season else []
    if run.manifest.stopping is None or check.differences:  # analyses of records that differ say nothing
        return Proof(check, season, asked)
    results = (year.result for year in check.years if year.finished)
    reports = {found.episode: found.report for found in results if found is not None and found.report is not None}
    entry = recomputed_entry(run, reports)
    analyses = analyses_taken(entry) if reports else []
    last, differences = analyses[-1].interim if analyses else None, plan_differences(entry) if reports else ()
    return Proof(check, season, asked, last, list(differences))


def _early_endings(check: RunCheck) -> Iterator[str]:
    """A season's year ends by the calendar, by bankruptcy or by the season's turn limit."""
    for year in check.years:
        for end in year.ends:
            if end.ending in BEFORE_ITS_END:
                days, name = check.run.terms.days, check.run.called(year.episode)
                yield f"{name} ended on day {end.day} of {days} {HOW[end.ending]}, before the season's year was over"
