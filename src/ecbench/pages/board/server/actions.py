"""What pages may do to a folder of runs: new years, branches, and the turns of a person."""

from collections.abc import Callable
from threading import Lock, Thread
from typing import Any, get_args

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.analysis.review.engine import ENGINE, ENGINE_AGENT
from ecbench.errors import RunError
from ecbench.harness.brief import BriefStyle
from ecbench.house_rules import SHIPPED, read_policy
from ecbench.pages.board.games import (
    CHALLENGE_DAYS,
    CONDUCT_SET,
    PLAYED_SETS,
    attempts,
    challenge_code,
    challenge_world,
    game_of_code,
)
from ecbench.pages.board.run_index import Library, RunSummary
from ecbench.pages.board.server.queries import Queries
from ecbench.pages.board.server.request_bodies import (
    NO_POLICY,
    AgentRun,
    Asked,
    Branch,
    Empty,
    KnownGame,
    NewGame,
    PersonsTurn,
    ReviewTerms,
    read_body,
)
from ecbench.pages.board.server.reviewing import Reviews, ReviewState
from ecbench.pages.board.server.sessions import PersonSessions, model_options
from ecbench.pages.board.server.subprocesses import Workers, log_of
from ecbench.pages.board.server.visibility import PERSONS, Visibility
from ecbench.pages.board.views.ending import PERSON
from ecbench.players.merchants.registry import LISTINGS
from ecbench.ranges import SEATS
from ecbench.rules import SEASON_SET
from ecbench.runs.folder import Run, free_folder
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.episodes import recorded_end
from ecbench.runs.play.fork import Takeover, take_over
from ecbench.runs.record.lines import is_over
from ecbench.runs.terms import PERSONS_BOARD, Terms
from ecbench.world.files import WorldError
from ecbench.world.load import load_world
from ecbench.world.model import World

ENGINE_HEIR = "engine"  # as pages call the engine of reviews
MERCHANTS = [listing.name for listing in LISTINGS]
BRIEF_STYLES: tuple[BriefStyle, ...] = get_args(BriefStyle)
CONDUCT_CHOICES = [
    {"name": "policy", "title": "House rules", "values": (NO_POLICY, *SHIPPED)},
    {"name": "brief_style", "title": "Brief", "values": BRIEF_STYLES},
]


class Desk:
    """Everything behind the pages. `providers` are those of models whose keys the server has.

    `transports` and `reveal` decide what is shown while a year is being played, see `Visibility`.
    """

    def __init__(
        self,
        library: Library,
        providers: frozenset[str],
        stamp: Callable[[], str],
        sessions: PersonSessions | None = None,
        transports: frozenset[str] = PERSONS,
        *,
        reveal: bool = False,
    ) -> None:
        self._library = library
        self._providers = providers
        self._stamp = stamp
        self._visibility = Visibility(library, transports, reveal=reveal)
        heirs = [*MERCHANTS, *(f"{provider}/MODEL" for provider in sorted(providers))]
        self.queries = Queries(library, self._visibility, heirs)
        self.workers = Workers()
        self.reviews = Reviews(library, self.workers)
        self.sessions = sessions or PersonSessions()
        self._branching = Lock()

    def home(self) -> dict[str, Any]:
        date = self._date()
        summaries: list[RunSummary] = self._visibility.summaries()
        own = self._library.summaries() if date else []  # what a player's own attempts ended with is never hidden
        return {
            "runs": summaries,
            "merchants": MERCHANTS,
            "providers": sorted(self._providers),
            "new_games": bool(date),
            "attempts": attempts(own, date),
            "rules": [
                {"name": name, "about": about, "choices": CONDUCT_CHOICES if name == CONDUCT_SET else []}
                for name, about in PLAYED_SETS.items()
            ],
        }

    def without_paths(self, message: str) -> str:
        return self._library.without_paths(message)

    def start(self, asked: Asked) -> dict[str, str]:
        """A new run beside the board."""
        body = read_body(AgentRun, asked)
        agent = self._agent(body.agent)
        days = body.days or _world_at(body.world).days  # a run that cannot begin leaves nothing
        terms = ["--world", body.world, "--days", str(days), "--stake", str(body.stake)]
        self.workers.refuse_if_busy()
        folder = free_folder(self._library.folder, f"{self._stamp()}_{agent.replace('/', '-')}")
        self.workers.start("run", "--agent", agent, *terms, "--out", str(folder), "--quiet", log=log_of(folder))
        return {"id": self._library.folder_key(folder)}

    def sit_down(self, asked: Asked) -> dict[str, Any]:
        """A new year for a person, alone or in a market with rivals."""
        self._visibility.refuse_players()
        if not asked.keys().isdisjoint(KnownGame.__struct_fields__):
            known = read_body(KnownGame, asked)
            todays = challenge_code(challenge_world(self._stamp()[:8]), CHALLENGE_DAYS, SEASON_SET)
            asked = game_of_code(known.code or todays)
        body = read_body(NewGame, asked)
        world, rivals = _world_at(body.world), self._rivals(body.rivals)
        folder = free_folder(self._library.folder, f"{self._stamp()}_{'arena' if rivals else PERSON}")
        seats = self.sessions.seats_with(rivals)
        policy = {} if body.policy == NO_POLICY else {"policy": read_policy(body.policy).to_json()}
        style = {} if body.brief_style == BRIEF_STYLES[0] else {"brief_style": body.brief_style}
        try:
            days = body.days or world.days
            terms = Terms.of_seats(world, seats, days, body.stake, rule_set=body.rules, **policy, **style)
        except ValueError as problem:
            raise RequestRefused(400, str(problem)) from problem
        run = self.sessions.begin(folder, terms, body.world)
        Thread(target=self.queries.par, args=(run, 0), daemon=True).start()  # the result need not wait for it
        return {"id": self._library.key_of(run), "episode": 0}

    def branch(self, run: str, episode: int, asked: Asked) -> dict[str, Any]:
        """A different agent, or a person, continues from a day; the fork is a run of its own.

        The engine of reviews plays the same year every time: who asks again what it did is shown the same branch.
        """
        body, recorded = read_body(Branch, asked), self._library.run_of(run, episode)
        self.queries.sight(run, episode).refuse_turns()
        agent, seat = self._heir(run, episode, body.agent), recorded.seat(episode)
        transport = PERSONS_BOARD if agent == PERSON else ""
        model = _model_terms(agent, recorded.terms)
        with self._branching:
            takeover = take_over(
                recorded, episode=episode, day=body.day, agent=agent, model=model, transport=transport, seat=seat
            )
            branch = self._engines_branch(takeover) if agent == ENGINE_AGENT else None
            if branch is None:
                branch = self._new_branch(takeover, agent)
            self._play_on(branch)
        return {"id": self._library.key_of(branch.of_entry(seat)), "episode": 0}

    def review(self, run: str, episode: int, asked: Asked) -> ReviewState | None:
        """A review in a subprocess, by default a quick one; a person cannot have the year reviewed that it plays."""
        quick = read_body(ReviewTerms, asked).quick
        self.queries.sight(run, episode).refuse_hidden()
        self.workers.refuse_if_busy()
        return self.reviews.make(run, episode, quick=quick)

    def act(self, run: str, episode: int, asked: Asked) -> dict[str, Any]:
        """A person's turn."""
        self._visibility.refuse_players()
        turn = read_body(PersonsTurn, asked)
        message = {"text": turn.words}
        return self.sessions.act(self._persons_run(run, episode), episode, turn.admitted(), message, turn.after)

    def finish(self, run: str, episode: int, asked: Asked) -> dict[str, Any]:
        read_body(Empty, asked)
        end = self.sessions.finish(self._persons_run(run, episode), episode, "the player ended the year")
        return {"ending": end.ending}

    def close(self) -> None:
        self.sessions.close()
        self.workers.end()

    def _new_branch(self, takeover: Takeover, agent: str) -> Run:
        if agent != PERSON:
            self.workers.refuse_if_busy()
        name = "arena" if takeover.terms.shared else ENGINE_HEIR if agent == ENGINE_AGENT else agent.replace("/", "-")
        folder = free_folder(self._library.folder, f"{self._stamp()}_{name}_fork")
        return takeover.create_in(folder, engine=ENGINE if agent == ENGINE_AGENT else None)

    def _play_on(self, branch: Run) -> None:
        """A person's year alone waits for its next turn; rivals of a person play on at once."""
        if all(is_over(recorded_end(entry, 0)) for entry in branch.entries()):
            return
        if not any(seat.transport for seat in branch.terms.seats):
            self.workers.play_on(branch.folder)
        elif branch.terms.shared:
            self.sessions.host(branch)

    def _engines_branch(self, takeover: Takeover) -> Run | None:
        """The branch that this engine began earlier; a different engine would have played on differently."""
        forks = (run for run in self._library.found() if run.terms.fork and run.manifest.engine == ENGINE)
        return next((run for run in forks if run.terms == takeover.terms), None)

    def _date(self) -> str:
        """Today as YYYYMMDD, as the names of new folders begin; empty on a board without new years."""
        try:
            return self._stamp()[:8]
        except RunError:
            return ""

    def _persons_run(self, run: str, episode: int) -> Run:
        recorded = self._library.run_of(run, episode)
        if recorded.player.transport != PERSONS_BOARD:
            raise RequestRefused(409, "this year is not a person's; branch off to play on yourself")
        return recorded

    def _rivals(self, names: str) -> list[str]:
        """The agents of the other seats in the market; none for a year alone."""
        rivals = [self._agent(name.strip()) for name in names.split(",") if name.strip()]
        if len(rivals) >= SEATS.most:
            raise RequestRefused(400, f"there can be {SEATS.most - 1:,.0f} rivals at most")
        return rivals

    def _heir(self, run: str, episode: int, agent: str) -> str:
        """The agent that continues a year. What the engine makes of it reveals hidden truth."""
        if agent == ENGINE_HEIR:
            self.queries.sight(run, episode).refuse_hidden()
            return ENGINE_AGENT
        if agent != PERSON:
            return self._agent(agent)
        self._visibility.refuse_players()
        return PERSON

    def _agent(self, agent: str) -> str:
        """A built-in merchant, or a model whose provider's key the server has; nothing that names a file."""
        provider = agent.partition("/")[0]
        if agent in MERCHANTS:
            return agent
        if is_model(agent) and provider in self._providers and "\0" not in agent:
            return agent
        known = f"{', '.join(MERCHANTS)}, and models of {sorted(self._providers)}"
        raise RequestRefused(400, f"{agent[:60]!r} cannot play here; there are {known}")


def _world_at(source: str) -> World:
    """Raises RequestRefused if there is no valid world."""
    try:
        return load_world(source)
    except WorldError as problem:
        raise RequestRefused(400, str(problem).partition("\n")[0]) from problem


def _model_terms(agent: str, terms: Terms) -> dict[str, Any]:
    """As `ecbench fork` records them without options: the usual window, and the suppliers' model as it was."""
    letters = terms.supplier_options if terms.model_voice else {}
    return model_options(agent) | ({"supplier": letters} if letters else {})
