"""What an external agent receives beside the replies of its tools: the job, the terms, the books, the result.

Nothing here reveals more than the brief, the tools' descriptions and the replies do. The measures of a year are in the
run folder, which the agent should not read: it names the floors and the cheats of the world.
"""

from datetime import timedelta

from ecbench.harness.brief import FIRST_USER_MESSAGE, SEVERAL_CALLS_A_TURN, client_message
from ecbench.market.settlement import ENDED_BY_MARKET
from ecbench.players.turn import LONGEST_RESULT, Record
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.play.external_sessions import OpenSeat
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.record.lines import End
from ecbench.runs.terms import Terms, rules_of
from ecbench.tools import tool_schemas
from ecbench.world.model import World

STATED = (
    *("listing_fee", "most_listings", "price_ceiling", "lowest_price_ratio", "price_return_slope"),
    *("promotion_memory_days", "salvage_cap", "closing_stock_share"),
)


def job(terms: Terms, world: World, turn: str, seat: int = 0) -> str:
    """The turns as this transport counts them, and the job. A client keeps its own conversation and its memory."""
    return client_message(brief_of(terms, seat, world), turn)


def tools(terms: Terms) -> list[Record]:
    return tool_schemas(rules_of(terms))


def describe(terms: Terms, world: World, episode: int, seat: int = 0) -> Record:
    """What a client over HTTP is told before its first turn: the job, the tools and the terms."""
    return {
        "messages": [
            {"role": "system", "content": job(terms, world, SEVERAL_CALLS_A_TURN, seat)},
            {"role": "user", "content": FIRST_USER_MESSAGE},
        ],
        "tools": tools(terms),
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


def public_rules(terms: Terms, seat: int = 0) -> Record:
    """The figures that the brief and the tools' descriptions state; some only where they differ from the paper's."""
    rules = rules_of(terms)
    return {
        "days": terms.days,
        "stake": terms.stake,
        "max_turns": terms.turn_limit(seat),
        "max_stores": rules.max_stores,
        "setup_fee": rules.setup_fee,
        "commission": rules.commission,
        "mornings_below_zero_that_end_it": rules.unpaid_limit,
        "opening_hour": rules.opening_hour,
        "closing_hour": rules.closing_hour,
        "return_days": list(rules.return_days),
        "discounts": [rules.min_discount, rules.max_discount],
        "enrol_days": rules.enrol_days,
        "notes": rules.memory_entries,
        "max_tool_response_chars": LONGEST_RESULT,
        **{name: getattr(rules, name) for name in STATED if getattr(rules, name) != getattr(DEFAULT_RULES, name)},
    }


def books(session: OpenSeat) -> Record:
    """Where the merchant stands: what `check_balance` and a list of its stores would show."""
    year = session.year
    if year is None:
        assert session.end is not None, "a session without a year is over"
        return {"over": True, **_final_books(session.end)}
    return {
        "over": False,
        "time": f"{year.now:%Y-%m-%d %H:%M}",
        "day": year.day,
        "bank_balance": round(year.bank, 2),
        "platform_wallet": round(year.wallet, 2),
        "pending_settlement": round(year.escrow, 2),
        "open_stores": [
            {"store_id": store.id, "store_type": store.type.id, "store_name": store.name}
            for store in year.account.books.trading
        ],
        "turns": session.turns,
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
        "books": {"date": f"{world.start + timedelta(days=end.day)}", **_final_books(end)},
        "turns": end.turns,
    }


def detail(end: End) -> str:
    """The ending in a sentence."""
    return f"{end.reason or end.ending.replace('_', ' ')}, on day {end.day}, with ¥{end.final_assets:,.2f}"


def _final_books(end: End) -> Record:
    return {
        "day": end.day,
        "total_assets": round(end.final_assets, 2),  # all of it in the bank and the wallet now
        "bankrupt": end.ending == "bankruptcy",
    }
