"""Forged run folders: what a forger with the program (`forger.py`) can do to an honest one.

Each forgery changes a folder and returns the words that a refusal must name.
"""

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from sqlite3 import connect
from typing import NamedTuple

from tests.season.forger import Forger

from ecbench.analysis.compare.stopping import order_of
from ecbench.cancellation import StopFlag
from ecbench.runs.play.episodes import Listener
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.anchors_file import ANCHORS
from ecbench.runs.results.database import RESULTS
from ecbench.runs.results.derived_files import METRICS


class Kind(NamedTuple):
    """One kind of forgery, and the honest folders that it can be made of."""

    name: str
    of: tuple[str, ...]
    forge: Callable[[Forger], str]
    asks_agents: bool = False  # found only by what `verify` does beyond replaying, such as asking merchants


KINDS: list[Kind] = []
TRADING = ("program", "merchant", "limited", "bankrupt", "host", "fork")
ANY = (*TRADING, "arena", "model")

Forge = Callable[[Forger], str]


def kind(name: str, of: tuple[str, ...], *, asks_agents: bool = False) -> Callable[[Forge], Forge]:
    def add(forge: Forge) -> Forge:
        KINDS.append(Kind(name, of, forge, asks_agents))
        return forge

    return add


HARMLESS: list[Kind] = []
"""Changes of files that are no part of the proof: nothing that `verify` says may come from them."""


def harmless(name: str, of: tuple[str, ...]) -> Callable[[Forge], Forge]:
    def add(forge: Forge) -> Forge:
        HARMLESS.append(Kind(name, of, forge))
        return forge

    return add


# Cuts and labels


def cut(forger: Forger, ending: str) -> str:
    """End a year after any of its turns, with what it had then."""
    episode = forger.any_episode()
    lines = forger.lines(episode)
    places = [number for number, line in enumerate(lines[:-2]) if "state" in line]
    place = forger.draws.choice(places[1:-1])
    state = lines[place]["state"]
    total = state["bank"] + state["wallet"] + state["escrow"]
    end = {
        "ending": ending,
        "final_assets": total,
        "day": state["day"],
        "turns": state["turn"],
        "calls": state["calls"],
    }
    forger.write([*lines[: place + 1], {"event": "end", "seats": [end]}], episode)
    forger.cover()
    return ending


@kind("a year cut and marked as played to its end", ("program", "merchant", "host", "model"))
def cut_to_year_end(forger: Forger) -> str:
    return cut(forger, "year_end")


@kind("a year cut and marked bankrupt, at its turn limit or with a word of its own", ("program", "host", "limited"))
def cut_with_a_label(forger: Forger) -> str:
    return cut(forger, forger.draws.choice(["bankruptcy", "turn_limit", "sold", "failed"]))


@kind("a merchant's year cut where it is said to have left", ("merchant",), asks_agents=True)
def cut_and_left(forger: Forger) -> str:
    cut(forger, "idle")
    return "the record has no such turn"


@kind("another ending in the last line", ("program", "limited", "bankrupt", "fork"))
def another_ending(forger: Forger) -> str:
    *lines, end = forger.lines()
    seat = end["seats"][0]
    seat["ending"] = forger.draws.choice(
        [each for each in ("year_end", "bankruptcy", "turn_limit", "sold") if each != seat["ending"]]
    )
    forger.write([*lines, end])
    forger.cover()
    return "end"


@kind("a seat of an arena that leaves with the year's end", ("arena",))
def leave_with_year_end(forger: Forger) -> str:
    lines = forger.lines()
    departure = next(line for line in lines if line["event"] == "leave")
    departure["ending"] = forger.draws.choice(["year_end", "bankruptcy"])
    lines[-1]["seats"][departure["seat"]]["ending"] = departure["ending"]
    forger.write(lines)
    forger.cover()
    return str(departure["ending"])


# Limits and terms


@kind("more turns than the limit allows", TRADING)
def lower_limit(forger: Forger) -> str:
    turns = min(sum("state" in line for line in forger.lines(each)) for each in range(forger.run.episodes))
    forger.state(max_turns=forger.draws.randint(1, turns - 1))
    forger.cover()
    return "limit"


@kind("a higher limit than the one that ended the year", ("limited",))
def higher_limit(forger: Forger) -> str:
    forger.state(max_turns=forger.manifest["max_turns"] + forger.draws.randint(1, 99))
    forger.cover()
    return "turn_limit"


@kind("other terms: stake, days, rules, voice", ("program", "merchant", "fork"))
def other_terms(forger: Forger) -> str:
    terms = forger.draws.choice(
        [
            {"stake": forger.manifest["stake"] * forger.draws.choice([0.5, 2.0])},
            {"days": forger.manifest["days"] + forger.draws.randint(1, 300)},
            {"rules": {"opening_hour": forger.draws.choice([6, 7, 9])}},
            {"voice": "terse"},
        ]
    )
    forger.state(**terms)
    forger.cover()
    return "episode"


@kind("options of a model at a merchant's seat", ("program", "merchant"))
def options_of_a_model(forger: Forger) -> str:
    option = forger.draws.choice([{"effort": "max"}, {"brief": "Sell."}, {"price": "1,2"}])
    forger.state(seats=[seat | {"model": option} for seat in forger.manifest["seats"]])
    forger.cover()
    return "options of a model"


@kind("a term of run.json that the record does not have", ANY)
def term_of_the_manifest(forger: Forger) -> str:
    name, value = forger.draws.choice([("days", 365), ("stake", 5e5), ("max_turns", 9_999), ("rule_set", "no-salvage")])
    forger.rewrite(**{name: value})
    return name


@kind("a field of run.json that no version writes", ANY)
def unknown_field(forger: Forger) -> str:
    place = forger.manifest
    within = forger.draws.choice([place, place["seats"][0], place["worlds"][0]])
    within["verified_by"] = "the organiser"
    forger.rewrite(**place)
    return "verified_by" if within is place else "run.json"


@kind("another world, by id, name or seed", ANY)
def other_world(forger: Forger) -> str:
    worlds = forger.manifest["worlds"]
    number = forger.draws.randrange(len(worlds))
    name, value = forger.draws.choice([("id", "0" * 64), ("name", "default"), ("seed", 77)])
    worlds[number][name] = value
    forger.rewrite(worlds=worlds)
    for episode in range(number, forger.run.episodes, len(worlds)):
        first, *rest = forger.lines(episode)
        forger.write([first | {"world": first["world"] | {name: value}}, *rest], episode)
    forger.cover()
    return "world"


@kind("fewer years than were played", ("program", "model", "arena"))
def fewer_years(forger: Forger) -> str:
    forger.rewrite(episodes=1)
    forger.cover()
    return "episodes/1"


@kind("a fork that claims more or fewer turns as taken over", ("fork",))
def other_fork(forger: Forger) -> str:
    fork = forger.manifest["fork"]
    more = forger.draws.choice([-2, -1, 1, 2])
    forger.state(fork=fork | {"turns": fork["turns"] + more})
    forger.cover()
    return "fork"


# The record


@kind("money in a state or at the end", ANY)
def more_money(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    more = round(forger.draws.uniform(0.01, 1e6), 2)
    if forger.draws.random() < 0.5:
        seat = forger.draws.choice(lines[-1]["seats"])
        seat["final_assets"] += more
        name = "end"
    else:
        name = forger.draws.choice(["bank", "wallet", "escrow"])
        forger.pick(lines, "turn", "morning")["state"][name] += more
    forger.write(lines, episode)
    forger.cover()
    return name


@kind("a reply that the market never gave", ANY)
def other_reply(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    outcome = forger.pick_within(lines, "outcomes")
    name, value = forger.draws.choice(
        [
            ("reply", {**outcome["reply"], "bonus": 1_000}),
            ("minutes", outcome["minutes"] + 1),
            ("day", outcome["day"] + 1),
        ]
    )
    outcome[name] = value
    forger.write(lines, episode)
    forger.cover()
    return f"episode {episode}"


@kind("a call that was never made", ("program", "merchant", "host", "limited", "bankrupt"))
def other_call(forger: Forger) -> str:
    """Another tool with the old reply: the market answers it with other words."""
    episode = forger.any_episode()
    lines = forger.lines(episode)
    call = forger.pick_within(lines, "calls")
    call["name"] = "view_storage" if call["name"] != "view_storage" else "check_balance"
    call["arguments"] = {}
    forger.write(lines, episode)
    forger.cover()
    return f"episode {episode}"


@kind("a turn left out or told twice", ("program", "merchant", "host"))
def other_turns(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    turn = forger.draws.randrange(2, len(lines) - 2)
    repeated = [{**lines[turn], "state": dict(lines[turn]["state"])} for _ in range(forger.draws.choice([0, 2]))]
    changed = lines[:turn] + repeated + lines[turn + 1 :]
    for number, line in enumerate(changed[1:-1], start=1):
        line["state"]["turn"] = number
    forger.write(changed, episode)
    forger.cover()
    return f"{episode}"


@kind("a field that no version writes, in any line of a record", ANY)
def field_in_a_line(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    places = [lines[0], lines[-1], lines[-1]["seats"][0], forger.pick(lines, "turn", "morning")]
    places += [forger.pick(lines, "turn", "morning")["state"], forger.pick_within(lines, "outcomes")]
    places += [forger.pick_within(lines, "calls")]
    forger.draws.choice(places)["bonus"] = 1_000
    forger.write(lines, episode)
    forger.cover()
    return "bonus"


@kind("another day of a turn", ANY)
def other_day(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    forger.pick(lines, "turn", "handed")["day"] += forger.draws.randint(1, 9)
    forger.write(lines, episode)
    forger.cover()
    return "day"


@kind("words, tokens or letters that its agent cannot have", ("program", "merchant", "limited", "bankrupt"))
def words_of_a_model(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    name, value = forger.draws.choice(
        [("text", "I wait."), ("usage", {"input_tokens": 9}), ("seconds", 1.5), ("voices", "")]
    )
    turn = forger.pick(lines, "turn")
    if name == "voices":
        turn["voices"] = [{"kind": "letter", "said": "Dear customer"}]
    else:
        turn["message"] = {name: value}
    forger.write(lines, episode)
    forger.cover()
    return name


@kind("another context or eviction of a model", ("model",))
def other_context(forger: Forger) -> str:
    episode = forger.any_episode()
    lines = forger.lines(episode)
    if forger.draws.random() < 0.5:
        turns = [line for line in lines if line["event"] == "turn"]
        forger.draws.choice(turns)["message"]["context"] += forger.draws.choice([-50, 1, 900])
        name = "context"
    else:
        eviction = forger.pick_within(lines, "evictions")
        eviction["freed"] += 1
        name = "evictions"
    forger.write(lines, episode)
    forger.cover()
    return name


@kind("a program's year under a model's name", ("program", "merchant", "limited"))
def named_as_a_model(forger: Forger) -> str:
    forger.state(seats=[{"agent": "openai/gpt-9", "model": {}, "transport": ""}])
    forger.cover()
    return "context"


@kind("a program's year under a merchant's name", ("program", "limited"), asks_agents=True)
def named_as_a_merchant(forger: Forger) -> str:
    forger.state(seats=[{"agent": forger.draws.choice(["steady", "haggler", "idle"]), "model": {}, "transport": ""}])
    forger.cover()
    return "the agent now makes"


# The order of years


@kind("years in another order", ("program",))
def other_order(forger: Forger) -> str:
    """With or without another number in their first lines; their worlds differ."""
    first, second = forger.run.episode_folder(0), forger.run.episode_folder(1)
    aside = forger.folder / "aside"
    first.rename(aside)
    second.rename(first)
    aside.rename(second)
    if forger.draws.random() < 0.5:
        for episode in (0, 1):
            start, *rest = forger.lines(episode)
            forger.write([start | {"episode": episode}, *rest], episode)
    return "was recorded with world" if forger.lines(0)[0]["episode"] == 0 else "run.json says"


@kind("the seats of an arena in another order", ("arena",))
def other_seats(forger: Forger) -> str:
    seats = forger.manifest["seats"]
    (forger.folder / "run.json").write_text(
        json.dumps(forger.manifest | {"seats": seats[1:] + seats[:1]}, indent=2) + "\n"
    )
    return "seats"


# What commands changed or limited


@kind("a budget without a model, of hours, or that no command takes", ("program", "merchant", "model"))
def other_budget(forger: Forger) -> str:
    unknown = [{"dollars": 0.0}, {"tokens": -1}, {"hours": 2.0}, {"euros": 5.0}]
    forger.rewrite(budget=forger.draws.choice(unknown) if forger.manifest["seats"][0]["model"] else {"dollars": 5.0})
    return "budget"


@kind("a window after a resume that run.json hides, or that no model had", ("program", "merchant", "resumed"))
def other_resumed_window(forger: Forger) -> str:
    manifest = forger.manifest
    if "resumed_window" not in manifest:
        forger.rewrite(resumed_window={"window": 8_000, "trigger": 7_500, "release": 3_750, "keep": 2})
        return "resumed_window"
    del manifest["resumed_window"]
    (forger.folder / "run.json").write_text(json.dumps(manifest, indent=2) + "\n")
    if forger.draws.random() < 0.5:
        return "resumed_window"
    lines = forger.lines()
    for line in lines:
        line.get("message", {}).pop("window", None)
    forger.write(lines)
    forger.cover()
    return "recorded as"  # of the context or of its evictions, whichever differs first


# Planned looks


@kind("scores of the rival by which the study would have gone on", ("stopped",), asks_agents=True)
def other_plan(forger: Forger) -> str:
    plan, sites = forger.manifest["stopping"], forger.run.worlds
    raised = sites[forger.draws.choice(order_of(sites)[:6])].id
    score = plan["scores"][raised]
    forged = score | {"score": score["score"] + 9.0}
    forger.rewrite(stopping=plan | {"scores": {**plan["scores"], raised: forged}})
    return "NOT OVER"


@kind("years that were played after an interim analysis that was clear", ("stopped",), asks_agents=True)
def played_on(forger: Forger) -> str:
    run = forger.run
    episode = forger.draws.choice(order_of(run.worlds)[6:])
    play_here(run, episode, run.load_world(episode), Listener(), StopFlag())
    return "it was clear after 6 worlds, where the plan ends"


@kind("a study that ended before any interim analysis, or that has no plan", ("stopped",), asks_agents=True)
def no_analysis(forger: Forger) -> str:
    if forger.draws.random() < 0.5:
        manifest = forger.manifest
        del manifest["stopping"]
        (forger.folder / "run.json").write_text(json.dumps(manifest, indent=2) + "\n")
    else:
        shutil.rmtree(forger.run.episode_folder(order_of(forger.run.worlds)[3]))
    return "NOT OVER"


# Files beside the record


FORGED = 99_999_999.0
"""The figure that files beside the record are made to state; no honest folder has it."""


@harmless("the figures of metrics.json", (*ANY, "stopped"))
def other_metrics(forger: Forger) -> str:
    for path in forger.folder.rglob(METRICS):
        told = json.loads(path.read_bytes())
        for report in told["seats"]:
            for section in ("profitability", "score", "fraud_identification"):
                report[section] |= {name: FORGED for name, each in report[section].items() if type(each) is float}
        path.write_text(json.dumps(told, indent=2) + "\n")
    return METRICS


@harmless("the rows of results.db", ANY)
def other_tables(forger: Forger) -> str:
    for path in forger.folder.rglob(RESULTS):
        with closing(connect(path, isolation_level=None)) as database:
            database.execute("update days set bank = ?, total = ?", (FORGED, FORGED))
            database.execute("update orders set charged = ?", (FORGED,))
    return RESULTS


@harmless("a results.db of a stranger", ANY)
def foreign_tables(forger: Forger) -> str:
    path = forger.results(RESULTS)
    path.unlink()
    with closing(connect(path, isolation_level=None)) as database:
        database.execute("create table days (day)")
        database.execute("create view by_store as select load_extension('nowhere')")
    return RESULTS


@harmless("the bounds of anchors.json", ("program", "merchant", "bankrupt", "stopped"))
def other_bounds(forger: Forger) -> str:
    path = forger.folder / ANCHORS
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps(told | {"bounds": dict.fromkeys(told["bounds"], FORGED)}))
    return ANCHORS


@harmless("a file or folder that is no part of a run", ANY)
def unknown_file(forger: Forger) -> str:
    names = ["proof.txt", "episodes/0/metrics.json.bak", "episodes/0/notes", "episodes/999", "seats", "summary.json"]
    path = forger.folder / forger.draws.choice(names)
    path.mkdir() if "." not in path.name else path.write_text("verified by the organiser")
    return str(path)


@kind("a link in the place of a file", ANY)
def link(forger: Forger) -> str:
    choices = [forger.run.events_path(0), forger.results(METRICS)]
    path = forger.draws.choice(choices)
    shutil.move(path, forger.folder.parent / "elsewhere")
    path.symlink_to(forger.folder.parent / "elsewhere")
    return str(path)


@kind("a record that is cut, garbled or empty", ANY)
def garbled(forger: Forger) -> str:
    path = forger.run.events_path(forger.any_episode())
    content = path.read_bytes()
    place = forger.draws.randrange(len(content) // 4, len(content) - 20)
    damaged = [content[:place], content[:place] + b"\0" + content[place + 1 :], b""]
    path.write_bytes(forger.draws.choice(damaged))
    return "events"
