"""ecbench run: play an episode, or several."""

from typing import Annotated

from ecbench.cli.declare import option
from ecbench.cli.options import (
    DEFAULT_AGENT,
    BudgetOption,
    EpisodesOption,
    GameOptions,
    ModelOptions,
    NoDoctorOption,
    OutOption,
    Output,
    Parallel,
    SignOption,
    SupplierOptions,
    TracebackOption,
)


def run(
    *,
    game: GameOptions,
    agent: Annotated[
        str | None,
        option(
            "--agent",
            metavar="AGENT",
            help="A merchant of `ecbench list agents`, your own module:Class or file.py:Class, or provider/model. "
            f"[default: {DEFAULT_AGENT}, or that of a run file]",
        ),
    ] = None,
    episodes: EpisodesOption = None,
    parallel: Parallel,
    model: ModelOptions,
    supplier: SupplierOptions,
    budget: BudgetOption = None,
    out: OutOption = None,
    sign: SignOption = None,
    no_doctor: NoDoctorOption = False,
    traceback: TracebackOption = False,
    output: Output,
) -> None:
    """Play an episode, record it, and compare it with the paper's models.

    Without options the built-in merchant `steady` plays one episode on the default world; no model or key is needed.
    Run files state anything that options can, and more: `ecbench run paper --agent provider/model` plays as in the
    paper, `ecbench run RUN/run.json` repeats a run, and docs/runs.md lists the keys of your own TOML file. Options win
    over files. Ctrl-C stops after the current turn, a second Ctrl-C stops at once; `ecbench resume` continues from
    there, also after a crash.

    Exit codes: 0 every episode was finished, 1 an agent or a model failed, 2 bad input, 3 a limit of the
    budget is reached, 130 stopped by a signal.
    """
    from ecbench.cli.new_run import NewRun, begin, new_year, signing_key
    from ecbench.cli.run_file import read_limits, read_settings
    from ecbench.runs.run_worlds import check_episodes

    given, label = read_settings(
        game, model, supplier, agent=agent, episodes=episodes, jobs=parallel.jobs, executor=parallel.executor
    )
    terms, first, worlds = new_year(given)
    new = NewRun(
        terms,
        first,
        worlds,
        check_episodes(worlds, given.episodes or 1),
        label=label,
        doctor=given.doctor is not False and not no_doctor,
        limits=read_limits(budget).over(given.budget),
        key=signing_key(sign),
        jobs=given.jobs or 1,
        executor=given.executor,
    )
    begin(new, out, output, traceback=traceback)
