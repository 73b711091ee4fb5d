"""A study against a finished run as a task of Inspect AI: inspect eval ecbench/study -T against=RUN."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from ecbench.adapters.inspect.agent import merchant
from ecbench.adapters.inspect.planned_stopping import PlannedStopping
from ecbench.adapters.inspect.sample_year import YearTerms
from ecbench.adapters.inspect.scoring import SCORER, axes_viewer, books
from ecbench.adapters.inspect.tools import WORLD_SOURCE, open_year
from ecbench.compare.entries import read_entries
from ecbench.compare.stopping import SMALLEST, plan_against
from ecbench.errors import RunError
from ecbench.harness.brief import FIRST_USER_MESSAGE
from ecbench.runs.folder import open_run


@task
def study(against: str, smallest: float = SMALLEST, brief: str | None = None) -> Task:
    """The fresh worlds of a finished run, until it is clear which is better: each sample is a year.

    Days, stake, rules and turn limit are those of the run. The looks are in the log, under early stopping.

    Args:
        against: The folder of the finished run.
        smallest: The ratio of final assets that is worth finding; the study ends where it is excluded.
        brief: A file with another job description; the run must have been played with the same.
    """
    rival = open_run(Path(against))
    (entry,) = read_entries([rival])
    plan = plan_against(entry, rival.sites, float(smallest))
    terms, sites = rival.terms, [(place, rival.sites[place]) for place in plan.order]
    wording = None if brief is None else Path(brief).read_text(encoding="utf-8")
    if wording != terms.model.get("brief"):
        raise RunError(f"{against} was played with another brief; give the same with brief=FILE")
    own = YearTerms(sites[0][1].source, terms.days, terms.stake, terms.max_turns, wording, terms.rule_set)
    facts = {"days": own.days, "stake": own.stake, "rules": own.rule_set}
    samples, places = [], {}
    for place, site in sites:
        for number in range(rival.episodes // len(rival.sites)):
            name = f"{site.name}.{number + 1}"
            places[name] = place
            own_facts = facts | {"world_id": site.id, WORLD_SOURCE: site.source}
            samples.append(Sample(id=name, input=FIRST_USER_MESSAGE, metadata=own_facts))
    return Task(
        dataset=MemoryDataset(samples, name="ecbench-study"),
        setup=open_year(own),
        solver=merchant(own),
        scorer=books(),
        config=GenerateConfig(cache_prompt=True),
        early_stopping=PlannedStopping(plan, entry, places, SCORER),
        viewer=axes_viewer(),
        version=1,
    )
