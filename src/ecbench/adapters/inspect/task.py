"""The benchmark as a task of Inspect AI.

inspect eval ecbench/year --model PROVIDER/MODEL --epochs 5
inspect eval ecbench/year --model PROVIDER/MODEL --solver ecbench/react

Registers of evaluations point at this file and expect exactly one task in it.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from ecbench.adapters.inspect.agent import merchant
from ecbench.adapters.inspect.sample_year import RECORDS, YearTerms
from ecbench.adapters.inspect.scoring import books
from ecbench.adapters.inspect.tools import open_year
from ecbench.harness.brief import FIRST_USER_MESSAGE
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, rule_set
from ecbench.world.load import load_world


@task
def year(
    days: int | None = None,
    world: str = "default",
    stake: float = DEFAULT_RULES.stake,
    max_turns: int = 4_000,
    brief: str | None = None,
    rules: str = DEFAULT_SET,
    records: str = RECORDS,
) -> Task:
    """One simulated year of an online business; each epoch is an episode.

    Args:
        days: Length of the year, by default the world's.
        world: The name of a shipped world, or a folder.
        stake: Money to start with, in yuan.
        max_turns: Model answers after which the year ends; Inspect's own limits end it too.
        brief: A file with another job description.
        rules: The name of a rule set; `ecbench list rules --sets` lists them.
        records: The folder in which each year is recorded as a run, for `inspect eval-retry` and `ecbench verify`.
    """
    loaded = load_world(world)
    wording = None if brief is None else Path(brief).read_text(encoding="utf-8")
    rule_set(rules)  # raises before any sample begins, as what comes below does
    terms = YearTerms(
        world,
        loaded.days if days is None else days,
        float(stake),
        max_turns,
        wording,
        rules,
        records,
    )
    terms.of_run(loaded, "", "")
    facts = {"world_id": loaded.id, "days": terms.days, "stake": terms.stake, "rules": rules}
    return Task(
        dataset=MemoryDataset(
            [Sample(id=loaded.name, input=FIRST_USER_MESSAGE, metadata=facts)], name=f"ecbench-{loaded.name}"
        ),
        setup=open_year(terms),
        solver=merchant(),
        scorer=books(),
        config=GenerateConfig(cache_prompt=True),
        version=2,
    )
