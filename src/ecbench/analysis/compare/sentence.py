"""A verdict in one line, and the numbers in it as a person reads them."""

from collections.abc import Sequence

from ecbench.analysis.compare.chance import FEWEST_WORLDS
from ecbench.analysis.compare.verdict import Verdict
from ecbench.formatting import MISSING
from ecbench.metrics.axes import SKILL
from ecbench.quantiles import LEVEL

LEAST_SHOWN_P = 0.0001


def sentence(verdict: Verdict, first: str, second: str, ground: str, pairs: int = 1) -> str:
    """The answer in one line, the better agent first; `pairs` are compared by the same command."""
    if verdict.worlds == 0:
        missing = "the first interim analysis is still to come" if verdict.interim else "no world that both played"
        return f"{first} and {second}: {missing}."
    score, ruin = _score(verdict, first, second), _ruin(verdict, first, second)
    counts = _counts(verdict, (first, second)) if any(verdict.ruined) else ""
    among = f" over {pairs:,} pairs" if pairs > 1 else ""
    decides, lose = ", which decides" if counts else "", "both lose money" if verdict.both_lose else ""
    if verdict.decided_by == "ruin":
        found = f"{p_equals(verdict.ruin_p_adjusted or 0.0)}{among}, {ground}"
        parts = [f"{ruin} ({counts}){decides}", found, score, lose]
    elif verdict.decided_by == "score":
        found = f"{p_equals(verdict.p_adjusted or 0.0)}{among}, {ground}"
        parts = [f"{score}{decides}", lose, found, counts and f"ruined: {counts}"]
    elif not score and not ruin:
        return f"{first} and {second} {_no_difference(verdict)} on {ground}{lose and f'; {lose}'}."
    else:
        p = verdict.p_adjusted if score else verdict.ruin_p_adjusted
        found = "" if p is None else f"{p_equals(p)}{among}, "
        inconclusive = f"inconclusive, {found}{ground}"
        parts = [score or ruin, lose, inconclusive, _outlook(verdict), counts and f"ruined: {counts}"]
    return "; ".join(filter(None, parts)) + "."


def _score(verdict: Verdict, first: str, second: str) -> str:
    """How the years without ruin differ; empty if they do not, or if one agent has none."""
    if not verdict.effect:
        return ""
    ahead = verdict.effect > 0
    better, worse = (first, second) if ahead else (second, first)
    ends = verdict.stated_interval or ()
    if verdict.axis is SKILL:
        bounds = [f"{end:.3f}" for end in sorted(end if ahead else -end for end in ends)]
        lead = f"{better} has {abs(verdict.effect):.3f} more skill than {worse}"
    else:
        ratio = verdict.ratio or 1.0
        factor, *bounds = times(ratio if ahead else 1 / ratio, *sorted(end if ahead else 1 / end for end in ends))
        lead = f"{better} ends with {factor} times the assets of {worse}"
    valid = ", valid under stopping" if verdict.interim else ""
    interval = f" (95%{valid}: {bounds[0]} to {bounds[1]})" if bounds else ""
    without = " in years without ruin" if any(verdict.ruined) else ""
    return f"{lead}{interval}{without}"


def _ruin(verdict: Verdict, first: str, second: str) -> str:
    if not verdict.ruin_gap:
        return ""
    less, more = (first, second) if verdict.ruin_gap < 0 else (second, first)
    return f"{less} is ruined less often than {more}"


def _counts(verdict: Verdict, names: Sequence[str]) -> str:
    """Of the better agent first."""
    parts = [f"{name} {n:,} of {of:,} years" for name, n, of in zip(names, verdict.ruined, verdict.years, strict=True)]
    return ", ".join(parts if verdict.first_is_better else parts[::-1])


def _no_difference(verdict: Verdict) -> str:
    if verdict.effect is None:
        return "are both ruined in every year"
    return "have the same skill" if verdict.axis is SKILL else "end with the same assets"


def _outlook(verdict: Verdict) -> str:
    if verdict.is_mixed and verdict.p_adjusted is not None and verdict.p_adjusted <= LEVEL:
        return "the one that ends with more is ruined more often"
    if verdict.p is not None and verdict.p <= LEVEL and not verdict.is_mixed:
        return f"{p_equals(verdict.p)} for this pair alone"
    if verdict.worlds < 2 or verdict.effect is None:
        return f"at least {FEWEST_WORLDS} worlds on which both have a year without ruin are needed"
    if verdict.interim and verdict.interim.decision == "excluded":
        return f"a difference of {times(verdict.interim.smallest)[0]} times or more is excluded"
    if verdict.more_worlds is None:
        return "no feasible number of worlds would show it"
    return f"about {max(1, verdict.more_worlds):,} more worlds would show it"


def p_text(value: float | None) -> str:
    """p as a cell of a table shows it."""
    if value is None:
        return MISSING
    return f"<{LEAST_SHOWN_P}" if value < LEAST_SHOWN_P else f"{value:.3g}" if value < 0.001 else f"{value:.3f}"


def p_equals(value: float) -> str:
    text = p_text(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def times(*ratios: float) -> list[str]:
    """Factors that are shown together, with the figures that a person needs."""
    digits = 2 if min(ratios) < 1 or max(ratios[:1]) < 2 else 1
    return [f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.{digits}f}" for ratio in ratios]
