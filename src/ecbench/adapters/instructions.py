"""What an external agent receives beside the replies of its tools: the job, the terms, the result."""

from datetime import timedelta

from ecbench.harness.brief import FIRST_USER_MESSAGE, SEVERAL_CALLS_A_TURN, client_message
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.players.turn import LONGEST_RESULT, Record
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.lines import End
from ecbench.runs.terms import Terms, rules_of
from ecbench.tools import tool_schemas
from ecbench.world.model import World


def job(terms: Terms, world: World, turn: str, seat: int = 0) -> str:
    """The turns as this transport counts them, and the job. A client keeps its own conversation and its memory."""
    return client_message(brief_of(terms, seat, world), turn)


def describe(terms: Terms, world: World, episode: int, seat: int = 0) -> Record:
    """What a client over HTTP is told before its first turn: the job, the tools and the terms."""
    return {
        "messages": [
            {"role": "system", "content": job(terms, world, SEVERAL_CALLS_A_TURN, seat)},
            {"role": "user", "content": FIRST_USER_MESSAGE},
        ],
        "tools": tool_schemas(rules_of(terms)),
        "allow_parallel_tool_calls": True,
        "max_turns": terms.turn_limit(seat),
        "config": {
            "max_day": terms.days,
            "initial_balance": terms.stake,
            "daily_fee": min(rules_of(terms).operating_cost.values()),  # of the cheapest store
            "run_index": episode,
            "max_tool_response_chars": LONGEST_RESULT,
        },
    }


def result(terms: Terms, world: World, end: End) -> Record:
    """How a year ended: the fields of the published protocol, and beside them `reward_meta` and `books`."""
    return {
        "env_completed": end.ending == "year_end",
        "env_terminated": end.ending in ENDED_BY_MARKET,  # by the environment, not by agent or limit
        "final_state": round(end.final_assets, 2),
        "termination_reason": end.ending,
        "termination_detail": detail(end),
        "reward_meta": {
            "final_assets": round(end.final_assets, 2),
            "initial_balance": terms.stake,
            "multiplier": round(end.final_assets / terms.stake, 6),
            "tool_calls": end.calls,
        },
        "books": {
            "date": f"{world.start + timedelta(days=end.day)}",
            "day": end.day,
            "total_assets": round(end.final_assets, 2),  # all of it in the bank and the wallet now
            "bankrupt": end.ending == "bankruptcy",
        },
        "turns": end.turns,
    }


def detail(end: End) -> str:
    """The ending in a sentence."""
    return f"{end.reason or end.ending.replace('_', ' ')}, on day {end.day}, with ¥{end.final_assets:,.2f}"
