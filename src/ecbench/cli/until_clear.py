"""Play a run in the groups of its interim analyses, and print what each of them shows."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ecbench.analysis.compare.chance import analyses_of
from ecbench.analysis.compare.entries import read_entries
from ecbench.analysis.compare.stopping import analyses_taken, episodes_of, order_of
from ecbench.analysis.compare.verdict import Verdict, sentence
from ecbench.cli.terminal import say
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name


def groups_of(run: Run, episodes: Sequence[int], *, as_json: bool = False) -> Iterator[list[int]]:
    """These episodes at once, or by the interim analyses of the run's plan until one is clear.

    A group is asked for when the one before is over. After the last analysis the worlds that none compares are played,
    so that a season that was never clear is a whole one.
    """
    if run.manifest.stopping is None:
        yield list(episodes)
        return
    left = set(episodes)
    for number in range(len(analyses_of(len(order_of(run.worlds))))):
        yield (group := sorted(left & set(episodes_of(run, number))))
        left -= set(group)
        analysis = _analyses(run)[number]
        say(f"Interim analysis: {_sentence(run, analysis)}", err=as_json)
        if analysis.interim and analysis.interim.is_clear:
            return
    yield sorted(left)


def is_clear(run: Run, finished: Sequence[int]) -> bool:
    """Whether a run has a plan that has ended already, so that nothing is left to play."""
    analyses = _analyses(run) if finished else []
    return bool(analyses and analyses[-1].interim and analyses[-1].interim.is_clear)


def stop_sentences(run: Run) -> list[str]:
    """The verdict of the last interim analysis, if there is one."""
    return [_sentence(run, analysis) for analysis in _analyses(run)[-1:]]


def analyses_json(run: Run) -> dict[str, Any]:
    """What the interim analyses of a run showed; empty without a plan."""
    if run.manifest.stopping is None:
        return {}
    analyses = _analyses(run)
    return {
        "interim_analyses": [
            asdict(found.interim) | {"ratio": found.ratio, "interval": found.stated_interval, "p": found.p}
            for found in analyses
            if found.interim
        ],
        "stopped_early": bool(analyses and analyses[-1].interim and analyses[-1].interim.stopped_early),
        "verdict": _sentence(run, analyses[-1]) if analyses else "",
    }


def _analyses(run: Run) -> list[Verdict]:
    if run.manifest.stopping is None:
        return []
    return analyses_taken(read_entries([run])[0])


def _sentence(run: Run, analysis: Verdict) -> str:
    plan = run.manifest.stopping
    own, rival = short_name(run.player.agent), short_name(plan.against if plan else "")
    return sentence(analysis, *((own, rival) if own != rival else (f"{own} (now)", f"{rival} (before)")))
