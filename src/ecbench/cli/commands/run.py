"""ecbench run: play an episode, or several."""

from pathlib import Path
from typing import Annotated

from ecbench.cli.options import GameOptions, ModelOptions, Parallel, Playing, SupplierOptions
from ecbench.players.merchants.registry import DEFAULT_MERCHANT
from ecbench.ranges import EPISODES


def run(
    *,
    game: GameOptions,
    agent: str | None = None,
    episodes: Annotated[int, EPISODES] | None = None,
    parallel: Parallel,
    model: ModelOptions,
    supplier: SupplierOptions,
    out: Path | None = None,
    playing: Playing,
) -> None:
    """Play an episode, record it, and compare it with the paper's models.

    Without options the built-in merchant `steady` plays one episode on the default world; no model or key is needed.
    Run files state anything that options can, and more: `ecbench run paper --agent provider/model` plays as in the
    paper, `ecbench run RUN/run.json` repeats a run, and docs/runs.md lists the keys of your own TOML file. Options win
    over files. Ctrl-C stops after the current turn, a second Ctrl-C stops at once; `ecbench resume` continues from
    there, also after a crash.

    Options:
        agent AGENT: A merchant of `ecbench list agents`, your own module:Class or file.py:Class, or provider/model.
            [default: steady, or that of a run file]
        episodes --episodes -n: Episodes on each world.
    """
    from ecbench.cli.new_run import begin, known_agents, new_terms, on_worlds
    from ecbench.cli.run_file import read_settings
    from ecbench.runs.terms import check_episodes

    given, label = read_settings(
        game, model, supplier, agent=agent, episodes=episodes, jobs=parallel.jobs, executor=parallel.executor
    )
    terms, _, worlds = new_terms(given, known_agents(given.agent or DEFAULT_MERCHANT))
    episodes = check_episodes(worlds, given.episodes or 1)
    begin(terms, episodes, on_worlds(worlds, terms, episodes), given, playing, out, label=label)
