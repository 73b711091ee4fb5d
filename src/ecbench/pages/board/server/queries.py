"""What pages may look at: a year as a whole, any of its turns, its end. Nothing here changes anything."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from shlex import quote
from typing import Any

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.metrics.losses.account import CAUSES, by_cause
from ecbench.pages.board.games import attempt_at, code_of
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.par import ParYear, Scale, SingleFlight, game_of, known_scale, play_par
from ecbench.pages.board.server.visibility import Shown, Sight, Visibility
from ecbench.pages.board.snapshots import Moment, SeatSnapshots
from ecbench.pages.board.views.agenda import advice, agenda
from ecbench.pages.board.views.conversations import chat
from ecbench.pages.board.views.ending import year_end
from ecbench.pages.board.views.hidden_values import deals, listing_truths, supplier_truth
from ecbench.pages.board.views.knowledge import Finding
from ecbench.pages.board.views.own_books import (
    accounts_view,
    morning_section,
    player_terms,
    price_desk,
    supplier_histories,
)
from ecbench.pages.board.views.state_view import news_of_calendar, position, timeline
from ecbench.pages.board.views.turn_view import turn_section
from ecbench.pages.report.templates_env import board_part
from ecbench.pages.year_days import Span, calendar_spans
from ecbench.runs.folder import EVENTS, MANIFEST, Run
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.record.append_only_log import is_being_written
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.lines import is_over
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.database import read_rows
from ecbench.runs.results.year_view import view_year
from ecbench.runs.signatures.signature import SIGNATURE
from ecbench.runs.terms import PERSONS_BOARD, rules_of

SENT = (MANIFEST, EVENTS, SIGNATURE)


def _raw(moment: Moment) -> dict[str, Any]:
    """A turn as it is recorded, however long."""
    if not moment.turn:
        raise RequestRefused(404, "turns are counted from 1")
    found = moment.years.turn(moment.turn)
    return {"said": found.message, "calls": found.calls, "replies": found.replies}


def _learned(moment: Moment, since: int) -> list[Finding]:
    """What the calls after turn `since` have shown the agent."""
    return moment.knowledge.between(since, moment.turn)


VIEWS: Mapping[str, Callable[..., Any]] = {  # of a moment, by their addresses
    "": position,
    "/raw": _raw,
    "/did": turn_section,
    "/learned/{since:count}": _learned,
    "/agenda": agenda,
    "/advice": advice,
    "/desk": price_desk,
    "/morning": morning_section,
    "/accounts": accounts_view,
    "/suppliers": supplier_histories,
    "/suppliers/{name}": chat,
}
HIDDEN_VIEWS: Mapping[str, Callable[..., Any]] = {
    "/truth/suppliers/{name}": supplier_truth,
    "/truth/stores/{store}": listing_truths,
}


class Queries:
    """Everything that is only looked at."""

    def __init__(self, library: Library, visibility: Visibility, heirs: Sequence[str]) -> None:
        """`heirs` are the agents that may continue a year, beside a person."""
        self._library = library
        self._heirs = heirs
        self._visibility = visibility
        self._par = SingleFlight[list[ParYear]]()
        self._scales = SingleFlight[Scale]()

    def sight(self, run: str, episode: int) -> Sight:
        """How much of a year may be shown."""
        return self._visibility.of(self._library.run_of(run, episode), episode)

    def timeline(self, run: str, episode: int) -> dict[str, Any]:
        """The money of a year by day. With it, `withheld` says why no turn of it is shown, if none is."""
        sight, recorded = self.sight(run, episode), self._library.run_of(run, episode)
        year = self._library.year(run, episode, sight.until)
        found = timeline(year, _calendar(year, sight.shown))
        fork, over = recorded.terms.fork, is_over(year.end)
        own = recorded.player.transport == PERSONS_BOARD
        return {
            "timeline": found,
            "turns": year.length,
            "withheld": sight.withheld,
            "in_play": sight.in_play if sight.withheld else None,
            "playable": own and not over and not sight.withheld and not self._visibility.reveal,
            "hidden_truth": sight.shown is Shown.ALL,
            "fork": fork.label if fork else "",
            "live": not over and not sight.withheld and is_being_written(recorded.events_path(episode)),
            "over": over,
            "own": own,
            "shared": recorded.terms.shared,
            "parted": fork.day if fork else None,
            "heirs": self._heirs,
            "beside": [self._line(each, number) for each, number in self._library.beside(recorded, episode)],
            "terms": player_terms(year.latest.account, recorded.terms.brief_style),
        }

    def _line(self, other: Run, number: int) -> dict[str, Any]:
        """A year that is drawn beside another: its money by day, up to the last day that may be shown."""
        key = self._library.key_of(other)
        found = timeline(self._seen(key, number), [])
        over = found["ending"] is not None
        return {"name": found["agent"], "run": key, "episode": number, "curve": found["total"], "over": over}

    def progress(self, run: str, episode: int) -> dict[str, Any]:
        """How far a year has come, up to the last day that may be shown."""
        year = self._seen(run, episode)
        return {"turns": year.length, "ending": year.end.ending if year.end else None}

    def moment(self, run: str, episode: int, turn: int, *, hidden: bool = False) -> Moment:
        """What the VIEWS of a year are made of, or the HIDDEN_VIEWS. Raises RequestRefused if they may not be shown."""
        sight = self.sight(run, episode)
        (sight.refuse_hidden if hidden else sight.refuse_turns)()
        year = self._library.year(run, episode)
        if not 0 <= turn <= year.length:
            raise RequestRefused(404, f"the year has {year.length} turns so far")
        return year.moment(turn, by_news=sight.shown is not Shown.ALL)

    def par(self, run: Run, episode: int) -> list[ParYear]:
        """The first call takes seconds, also of `scale`."""
        return self._par.get(game_of(run, episode), lambda: play_par(run, episode))

    def scale(self, run: Run, episode: int) -> Scale:
        """What a result is measured by."""

        def measured() -> Scale:
            return Scale(bound_of(run, episode), self.par(run, episode))

        return self._scales.get(game_of(run, episode), measured)

    def year_end(self, run: str, episode: int) -> dict[str, Any]:
        """The result at once. `computing`: it may have no skill yet, or no par, since these take seconds."""
        recorded = self._library.run_of(run, episode)
        computing = not self._scales.ready(game_of(recorded, episode))
        bound, par = known_scale(recorded, episode) if computing else self.scale(recorded, episode)
        attempt = attempt_at(self._library.summaries(), run)
        merchants = {each.name: each.final_assets for each in par}
        found = {
            **year_end(recorded, episode, self._library.years(), bound, merchants, attempt),
            "par": par,
            "code": code_of(recorded, episode),
            "command": verify_command(recorded),
            "conduct": _ledger(recorded, episode),
            "computing": computing,
        }
        return {**found, "html": board_part("result", **found)}

    def year_end_with_skill(self, run: str, episode: int) -> dict[str, Any]:
        """The result once it can be measured."""
        self.scale(self._library.run_of(run, episode), episode)
        return self.year_end(run, episode)

    def losses(self, run: str, episode: int) -> dict[str, Any]:
        """What a finished year lost by cause, the largest first; less than a yuan is not listed."""
        lost = by_cause(_rows_of_end(self._library.run_of(run, episode), episode, "losses"))
        causes = sorted((cause for cause in CAUSES if lost[cause.key] >= 1.0), key=lambda cause: -lost[cause.key])
        found = [{"title": each.title, "amount": lost[each.key], "meaning": each.meaning} for each in causes]
        return {"losses": found, "html": board_part("losses", losses=found)}

    def deals(self, run: str, episode: int) -> dict[str, Any]:
        found = deals(self._library.year(run, episode).moment())
        return {"deals": found, "html": board_part("deals", deals=found)}

    def reported(self, run: str) -> Path:
        """The folder of a run whose report may be seen."""
        recorded = self._library.run(run)
        self._visibility.refuse_hidden_of(recorded)
        return recorded.folder

    def proof(self, run: str) -> tuple[str, bytes]:
        """The name of the file, and what is in it."""
        recorded = self._library.run(run)
        self._visibility.refuse_hidden_of(recorded)
        return f"{recorded.folder.name}.zip", packed_run(recorded)

    def marks(self, run: str, episode: int) -> list[dict[str, Any]]:
        """Where failure modes showed in a finished year: the first of each mode and day."""
        hits = _rows_of_end(self._library.run_of(run, episode), episode, "failures")
        first = {(hit.day, hit.mode): hit.what for hit in reversed(hits)}
        return [{"day": day, "mode": mode, "what": what} for (day, mode), what in sorted(first.items())]

    def _seen(self, run: str, episode: int) -> SeatSnapshots:
        """The year up to the last day that may be shown."""
        return self._library.year(run, episode, self.sight(run, episode).until)


def verify_command(run: Run) -> str:
    """What checks the file that proves a run."""
    name = run.folder.absolute().name
    return f"unzip {quote(f'{name}.zip')} && ecbench verify {quote(name)}"


def packed_run(run: Run) -> bytes:
    """A ZIP of the run folder without what derives from the records."""
    root, packed = run.folder.absolute(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.name in SENT and path.is_file() and not path.is_symlink():
                archive.writestr(f"{root.name}/{path.relative_to(root).as_posix()}", read_file(path))
    return packed.getvalue()


def _calendar(year: SeatSnapshots, shown: Shown) -> list[Span]:
    if shown is Shown.ALL:
        return calendar_spans(year.world, year.terms.days)
    return news_of_calendar(year.latest.account) if shown is Shown.AS_PLAYED else []


def _ledger(run: Run, episode: int) -> list[dict[str, Any]]:
    """What a finished year stated; empty unless its rules count conduct."""
    return [row._asdict() for row in _rows_of_end(run, episode, "conduct")] if rules_of(run.terms).conduct else []


def _rows_of_end(run: Run, episode: int, table: str) -> list[Any]:
    """One table of a year that has an end, by a replay where its `results.db` is of another version or missing."""
    if recorded_end(run, episode) is None:
        return []
    view = view_year(run, episode)
    with closing(view.database):
        return list(read_rows(view.database, table, view.seat))
