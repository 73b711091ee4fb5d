"""Forged run folders: what a forger with the program (`forger.py`) can do to an honest one.

Each forgery changes a folder and returns the words that a refusal must name.
"""

import json
import shutil
from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

from tests.season.forger import Forger

from ecbench.analysis.compare.stopping import order_of
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import EVENTS, restate
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.anchors_file import ANCHORS
from ecbench.runs.results.derived_files import METRICS


class Kind(NamedTuple):
    """One kind of forgery, and the honest folders that it can be made of."""

    name: str
    of: tuple[str, ...]
    forge: Callable[[Forger], str]


Forge = Callable[[Forger], str]
KINDS: list[Kind] = []
HARMLESS: list[Kind] = []
"""Changes that prove nothing and refute nothing: nothing that `verify` says may come from them."""
TRADING = ("program", "merchant", "limited", "bankrupt", "host", "fork")
ANY = (*TRADING, "arena", "model")


def kind(name: str, of: tuple[str, ...], among: list[Kind] = KINDS) -> Callable[[Forge], Forge]:
    def add(forge: Forge) -> Forge:
        among.append(Kind(name, of, forge))
        return forge

    return add


# Cuts and labels


def cut(forger: Forger, ending: str) -> str:
    """End a year after any of its turns, with what it had then."""
    with forger.edited() as lines:
        last = forger.draws.choice([number for number, line in enumerate(lines[:-2]) if "state" in line][1:-1])
        state = lines[last]["state"]
        end = {
            "ending": ending,
            "final_assets": state["bank"] + state["wallet"] + state["escrow"],
            "day": state["day"],
            "turns": state["turn"],
            "calls": state["calls"],
        }
        lines[last + 1 :] = [{"event": "end", "seats": [end]}]
    return ending


@kind("a year cut and marked as played to its end", ("program", "merchant", "host", "model"))
def cut_to_year_end(forger: Forger) -> str:
    return cut(forger, "year_end")


@kind("a year cut and marked bankrupt, at its turn limit or with a word of its own", ("program", "host", "limited"))
def cut_with_a_label(forger: Forger) -> str:
    return cut(forger, forger.draws.choice(["bankruptcy", "turn_limit", "sold", "failed"]))


@kind("a merchant's year cut where it is said to have left", ("merchant",))
def cut_and_left(forger: Forger) -> str:
    cut(forger, "idle")
    return "the record has no such turn"


@kind("another ending in the last line", ("program", "limited", "bankrupt", "fork"))
def another_ending(forger: Forger) -> str:
    with forger.edited(0) as lines:
        seat, endings = lines[-1]["seats"][0], {"year_end", "bankruptcy", "turn_limit", "sold"}
        seat["ending"] = forger.draws.choice(sorted(endings - {seat["ending"]}))
    return "end"


@kind("a seat of an arena that leaves with the year's end", ("arena",))
def leave_with_year_end(forger: Forger) -> str:
    with forger.edited(0) as lines:
        departure = next(line for line in lines if line["event"] == "leave")
        departure["ending"] = forger.draws.choice(["year_end", "bankruptcy"])
        lines[-1]["seats"][departure["seat"]]["ending"] = departure["ending"]
    return str(departure["ending"])


# Limits and terms


@kind("more turns than the limit allows", TRADING)
def lower_limit(forger: Forger) -> str:
    turns = min(sum("state" in line for line in forger.lines(each)) for each in range(forger.run.episodes))
    forger.state(max_turns=forger.draws.randint(1, turns - 1))
    return "limit"


@kind("a higher limit than the one that ended the year", ("limited",))
def higher_limit(forger: Forger) -> str:
    forger.state(max_turns=forger.manifest["max_turns"] + forger.draws.randint(1, 99))
    return "turn_limit"


@kind("other terms: stake, days, rules, voice", ("program", "merchant", "fork"))
def other_terms(forger: Forger) -> str:
    terms = [
        {"stake": forger.manifest["stake"] * forger.draws.choice([0.5, 2.0])},
        {"days": forger.manifest["days"] + forger.draws.randint(1, 300)},
        {"rules": {"opening_hour": forger.draws.choice([6, 7, 9])}},
        {"voice": "terse"},
    ]
    forger.state(**forger.draws.choice(terms))
    return "episode"


@kind("a term of run.json that the record does not have", ANY)
def term_of_the_manifest(forger: Forger) -> str:
    name, value = forger.draws.choice([("days", 365), ("stake", 5e5), ("max_turns", 9_999), ("rule_set", "no-salvage")])
    forger.rewrite(**{name: value})
    return name


@kind("a field of run.json that no version writes", ANY)
def unknown_field(forger: Forger) -> str:
    manifest = forger.manifest
    within = forger.draws.choice([manifest, manifest["seats"][0], manifest["worlds"][0]])
    within["verified_by"] = "the organiser"
    forger.rewrite(**manifest)
    return "verified_by" if within is manifest else "run.json"


@kind("another world, by id, name or seed", ANY)
def other_world(forger: Forger) -> str:
    worlds = forger.manifest["worlds"]
    number = forger.draws.randrange(len(worlds))
    name, value = forger.draws.choice([("id", "0" * 64), ("name", "default"), ("seed", 77)])
    worlds[number][name] = value
    forger.rewrite(worlds=worlds)
    for episode in range(number, forger.run.episodes, len(worlds)):
        with forger.edited(episode) as lines:
            lines[0]["world"][name] = value
    return "world"


@kind("fewer years than were played", ("program", "model", "arena"))
def fewer_years(forger: Forger) -> str:
    forger.rewrite(episodes=1)
    return "episodes/1"


@kind("a fork that claims more or fewer turns as taken over", ("fork",))
def other_fork(forger: Forger) -> str:
    fork = forger.manifest["fork"]
    forger.state(fork=fork | {"turns": fork["turns"] + forger.draws.choice([-2, -1, 1, 2])})
    return "fork"


# The record


@kind("money in a state or at the end", ANY)
def more_money(forger: Forger) -> str:
    more = round(forger.draws.uniform(0.01, 1e6), 2)
    with forger.edited() as lines:
        if forger.draws.random() < 0.5:
            forger.draws.choice(lines[-1]["seats"])["final_assets"] += more
            return "end"
        name = forger.draws.choice(["bank", "wallet", "escrow"])
        forger.pick(lines, "turn", "morning")["state"][name] += more
    return name


@kind("a reply that the market never gave", ANY)
def other_reply(forger: Forger) -> str:
    with forger.edited() as lines:
        outcome = forger.pick_within(lines, "outcomes")
        changes = [
            {"reply": outcome["reply"] | {"bonus": 1_000}},
            {"minutes": outcome["minutes"] + 1},
            {"day": outcome["day"] + 1},
        ]
        outcome |= forger.draws.choice(changes)
    return "episode"


@kind("a call that was never made", ("program", "merchant", "host", "limited", "bankrupt"))
def other_call(forger: Forger) -> str:
    """Another tool with the old reply: the market answers it with other words."""
    with forger.edited() as lines:
        call = forger.pick_within(lines, "calls")
        call["name"] = "view_storage" if call["name"] != "view_storage" else "check_balance"
        call["arguments"] = {}
    return "episode"


@kind("a turn left out or told twice", ("program", "merchant", "host"))
def other_turns(forger: Forger) -> str:
    with forger.edited() as lines:
        turn = forger.draws.randrange(2, len(lines) - 2)
        lines[turn : turn + 1] = [deepcopy(lines[turn]) for _ in range(forger.draws.choice([0, 2]))]
        for number, line in enumerate(lines[1:-1], start=1):
            line["state"]["turn"] = number
    return "episode"


@kind("a field that no version writes, in any line of a record", ANY)
def field_in_a_line(forger: Forger) -> str:
    with forger.edited() as lines:
        within = [lines[0], lines[-1], lines[-1]["seats"][0], forger.pick(lines, "turn", "morning")]
        within += [forger.pick(lines, "turn", "morning")["state"], forger.pick_within(lines, "outcomes")]
        forger.draws.choice([*within, forger.pick_within(lines, "calls")])["bonus"] = 1_000
    return "bonus"


@kind("another day of a turn", ANY)
def other_day(forger: Forger) -> str:
    with forger.edited() as lines:
        forger.pick(lines, "turn", "handed")["day"] += forger.draws.randint(1, 9)
    return "day"


@kind("words, tokens or letters that its agent cannot have", ("program", "merchant", "limited", "bankrupt"))
def words_of_a_model(forger: Forger) -> str:
    said = [("text", "I wait."), ("usage", {"input_tokens": 9}), ("seconds", 1.5), ("voices", "")]
    name, value = forger.draws.choice(said)
    with forger.edited() as lines:
        turn = forger.pick(lines, "turn")
        if name == "voices":
            turn["voices"] = [{"kind": "letter", "said": "Dear customer"}]
        else:
            turn["message"] = {name: value}
    return name


@kind("another context or eviction of a model", ("model",))
def other_context(forger: Forger) -> str:
    with forger.edited() as lines:
        if forger.draws.random() < 0.5:
            forger.pick(lines, "turn")["message"]["context"] += forger.draws.choice([-50, 1, 900])
            return "context"
        forger.pick_within(lines, "evictions")["freed"] += 1
    return "evictions"


@kind("other contexts of a model from its first turn on", ("model",))
def other_first_context(forger: Forger) -> str:
    with forger.edited() as lines:
        for line in lines:
            if line["event"] == "turn":
                line["message"]["context"] += 7
    return "turn 1: context is recorded as"


@kind("a program's year under a model's name", ("program", "merchant", "limited"))
def named_as_a_model(forger: Forger) -> str:
    forger.state(seats=[{"agent": "openai/gpt-9", "model": {}, "transport": ""}])
    return "context"


@kind("a program's year under a merchant's name", ("program", "limited"))
def named_as_a_merchant(forger: Forger) -> str:
    forger.state(seats=[{"agent": forger.draws.choice(["steady", "haggler", "idle"]), "model": {}, "transport": ""}])
    return "the agent now makes"


# The order of years


@kind("years in another order", ("program",))
def other_order(forger: Forger) -> str:
    """With or without another number in their first lines; their worlds differ."""
    records, numbered = [forger.lines(0), forger.lines(1)], forger.draws.random() < 0.5
    for episode in (0, 1):
        first, *rest = records[1 - episode]
        forger.write([first | ({"episode": episode} if numbered else {}), *rest], episode)
    return "run.json says" if numbered else "was recorded with world"


@kind("the seats of an arena in another order", ("arena",))
def other_seats(forger: Forger) -> str:
    first, *others = forger.manifest["seats"]
    forger.rewrite(seats=[*others, first])
    return "seats"


# What commands changed or limited


@kind("a budget that no command takes", ("program", "merchant", "model"))
def other_budget(forger: Forger) -> str:
    forger.rewrite(budget=forger.draws.choice([{"dollars": 0.0}, {"tokens": -1}, {"euros": 5.0}]))
    return "budget"


@kind("what only models have, in run.json of a run without one", ("program", "merchant"), HARMLESS)
def terms_of_a_model(forger: Forger) -> str:
    match forger.draws.choice(["budget", "window", "options"]):
        case "budget":
            restate(forger.run, budget=BudgetLimits(5.0))
        case "window":
            restate(forger.run, resumed_window={"window": 8_000, "trigger": 7_500, "release": 3_750, "keep": 2})
        case "options":
            option = forger.draws.choice([{"effort": "max"}, {"brief": "Sell."}, {"price": "1,2"}])
            forger.state(seats=[seat | {"model": option} for seat in forger.manifest["seats"]])
    return "run.json"


@kind("a window after a resume that run.json hides", ("resumed",))
def other_resumed_window(forger: Forger) -> str:
    forger.rewrite(resumed_window=None)
    if forger.draws.random() < 0.5:
        return "resumed_window"
    with forger.edited(0) as lines:
        for line in lines:
            line.get("message", {}).pop("window", None)
    return "recorded as"  # of the context or of its evictions, whichever differs first


# Planned looks


@kind("scores of the rival by which the study would have gone on", ("stopped",))
def other_plan(forger: Forger) -> str:
    plan, sites = forger.manifest["stopping"], forger.run.worlds
    raised = sites[forger.draws.choice(order_of(sites)[:6])].id
    score = plan["scores"][raised]
    forger.rewrite(stopping=plan | {"scores": plan["scores"] | {raised: score | {"score": score["score"] + 9.0}}})
    return "NOT OVER"


@kind("years that were played after an interim analysis that was clear", ("stopped",))
def played_on(forger: Forger) -> str:
    run = forger.run
    episode = forger.draws.choice(order_of(run.worlds)[6:])
    play_here(run, episode)
    return "it was clear after 6 worlds, where the plan ends"


@kind("a study that ended before any interim analysis, or that has no plan", ("stopped",))
def no_analysis(forger: Forger) -> str:
    if forger.draws.random() < 0.5:
        forger.rewrite(stopping=None)
    else:
        shutil.rmtree(forger.run.episode_folder(order_of(forger.run.worlds)[3]))
    return "NOT OVER"


# Files beside the record


FORGED = 99_999_999.0
"""The figure that files beside the record are made to state; no honest folder has it."""


@kind("the figures of metrics.json", (*ANY, "stopped"), HARMLESS)
def other_metrics(forger: Forger) -> str:
    for path in forger.folder.rglob(METRICS):
        told = json.loads(path.read_bytes())
        for report in told["seats"]:
            for section in ("profitability", "score", "fraud_identification"):
                report[section] |= {name: FORGED for name, each in report[section].items() if type(each) is float}
        path.write_text(json.dumps(told, indent=2) + "\n")
    return METRICS


@kind("the bounds of anchors.json", ("program", "merchant", "bankrupt", "stopped"), HARMLESS)
def other_bounds(forger: Forger) -> str:
    path = forger.folder / ANCHORS
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps(told | {"bounds": dict.fromkeys(told["bounds"], FORGED)}))
    return ANCHORS


@kind("a file or folder that is no part of a run", ANY, HARMLESS)
def unknown_file(forger: Forger) -> str:
    names = ["proof.txt", "episodes/0/metrics.json.bak", "episodes/0/notes", "episodes/999", "seats", "summary.json"]
    path = forger.folder / forger.draws.choice(names)
    path.mkdir() if "." not in path.name else path.write_text("verified by the organiser")
    return str(path)


@kind("a link in the place of a file", ANY)
def link(forger: Forger) -> str:
    path = forger.draws.choice([forger.run.events_path(0), forger.file(METRICS)])
    shutil.move(path, forger.folder.parent / "elsewhere")
    path.symlink_to(forger.folder.parent / "elsewhere")
    return str(path)


@kind("a record that is cut, garbled or empty", ANY)
def garbled(forger: Forger) -> str:
    path = forger.file(EVENTS)
    content = path.read_bytes()
    place = forger.draws.randrange(len(content) // 4, len(content) - 20)
    with_zero = content[:place] + b"\0" + content[place + 1 :]
    kept = forger.draws.choice([with_zero, content[:place], b""])
    path.write_bytes(kept)
    return "events" if kept == with_zero else "the year is not over"
