"""What the board may show of a year while a year is being played on the same world, or on another from its seed.

The year that is being played is shown as its player knows it, and of any other run on its world the assets alone, up to
the day that has been reached. A branch of a year that is over hides nothing: it is never ranked.
"""

from dataclasses import dataclass
from enum import Enum

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.errors import RunError
from ecbench.pages.board.run_index import Library, RunSummary
from ecbench.runs.folder import Run
from ecbench.runs.record.lines import is_over
from ecbench.runs.terms import PERSONS_BOARD

PERSONS = frozenset({PERSONS_BOARD})


class Shown(Enum):
    """How much of a year may be sent to a page."""

    ALL = "all"  # hidden truth too, where it is asked for
    AS_PLAYED = "as played"  # what its player knows
    ASSETS = "assets"  # by day, up to the day that has been reached


@dataclass(frozen=True, slots=True)
class YearInPlay:
    """A year that an external player has not ended."""

    run: str  # its id
    episode: int
    folder: str
    day: int


@dataclass(frozen=True, slots=True)
class Sight:
    """How much of one year is shown, and the year in play that limits it."""

    shown: Shown
    in_play: YearInPlay | None = None

    @property
    def until(self) -> int | None:
        """The last day that is shown; None: every day that is recorded."""
        return self.in_play.day if self.in_play is not None and self.shown is Shown.ASSETS else None

    @property
    def withheld(self) -> str:
        """Why turns are not shown; empty if they are."""
        return self._reason if self.shown is Shown.ASSETS else ""

    def refuse_hidden(self) -> None:
        """Raise RequestRefused unless hidden truth may be shown."""
        if self.shown is not Shown.ALL:
            raise RequestRefused(409, self._reason)

    def refuse_turns(self) -> None:
        """Raise RequestRefused if only the assets may be shown."""
        if self.shown is Shown.ASSETS:
            raise RequestRefused(409, self._reason)

    @property
    def _reason(self) -> str:
        if self.in_play is None:
            return ""
        return (
            f"{self.in_play.folder} is being played on this world, on day {self.in_play.day}. Until that game is over, "
            "nothing is shown that its player cannot know. End it, or use `ecbench board --reveal`."
        )


class Visibility:
    """The rule that every request follows. `transports` are the adapters through which players of this server connect.

    With `reveal` everything is shown, and nobody can play.
    """

    def __init__(self, library: Library, transports: frozenset[str] = PERSONS, *, reveal: bool = False) -> None:
        self._library = library
        self._transports = transports
        self.reveal = reveal

    def of(self, run: Run, episode: int) -> Sight:
        """How much of a year is shown now."""
        return self._sight(run, episode, self._in_play())

    def refuse_hidden_of(self, run: Run) -> None:
        """Raise RequestRefused unless hidden truth of every episode may be shown: a report contains them all."""
        in_play = self._in_play()
        for episode in range(run.episodes):
            self._sight(run, episode, in_play).refuse_hidden()

    def refuse_players(self) -> None:
        """Raise RequestRefused if nobody can play."""
        if self.reveal:
            raise RequestRefused(409, "this board shows hidden truth; to play, start it without --reveal")

    def summaries(self) -> list[RunSummary]:
        """All years as the shelf shows them, newest first."""
        in_play = self._in_play()
        return self._library.summaries(lambda run, episode: self._sight(run, episode, in_play).until)

    def _sight(self, run: Run, episode: int, in_play: dict[str | int, YearInPlay]) -> Sight:
        world = run.world_of(episode)
        found = in_play.get(world.id) or in_play.get(world.seed)
        if not self.reveal and run.player.transport == PERSONS_BOARD and not self._over(run, episode):
            return Sight(Shown.AS_PLAYED, found or self._year_in_play(run, episode))
        return Sight(Shown.ALL) if found is None else Sight(Shown.ASSETS, found)

    def _year_in_play(self, run: Run, episode: int) -> YearInPlay:
        names = self._library.key_of(run), episode, self._library.name_of(run)
        return YearInPlay(*names, self._library.outline(run, episode).day)

    def _in_play(self) -> dict[str | int, YearInPlay]:
        """By the id and by the seed of a world, the year furthest on of those that are being played."""
        found: dict[str | int, YearInPlay] = {}
        for run, episode in [] if self.reveal else self._library.years(self._transports):
            if not self._over(run, episode) and not self._branch_of_the_past(run):
                world, year = run.world_of(episode), self._year_in_play(run, episode)
                for key in (world.id, world.seed):
                    found[key] = max(found.get(key, year), year, key=lambda each: each.day)
        return found

    def _branch_of_the_past(self, run: Run) -> bool:
        """Whether a run continues a year that is over."""
        parent = self._library.parent(run)
        return parent is not None and self._over(*parent)

    def _over(self, run: Run, episode: int) -> bool:
        """Whether the year of a seat is over. A seat of an arena may end long before the record does."""
        outline = self._library.outline(run, episode)
        if is_over(outline.end) or not outline.turns or run.seats == 1:
            return is_over(outline.end)
        try:
            return is_over(self._library.year(self._library.key_of(run), episode).end)
        except RunError:
            return False
