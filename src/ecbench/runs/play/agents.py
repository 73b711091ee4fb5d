"""Who plays: a built-in merchant by its name, a merchant of the user's own, or a model."""

import re
import sys
from contextlib import redirect_stdout
from pathlib import Path

from ecbench.episode import Episode
from ecbench.errors import MerchantFailure, RunError
from ecbench.extras import require_extra
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.protocol import Insider, Merchant, Play
from ecbench.players.merchants.registry import LISTINGS, NoMerchant, get_merchant
from ecbench.players.user_errors import failing_as
from ecbench.ranges import quoted
from ecbench.rules import DEFAULT_RULES, Rules

_REVIEW_ENGINE = "ecbench.analysis.review."  # the engine can be named as an agent, by its module
_OWN_MERCHANT = re.compile(r"[\w.]+:\w+|.+\.py:\w+")


EXTERNAL = {"http": "http", "mcp": "mcp", "person": "board"}
"""Seats whose turns come from outside, and the adapter that their records name."""

_EXTERNAL_NAME = re.compile(rf"({'|'.join(EXTERNAL)})(:[\w.-]{{1,40}})?")
_OWN_NAME = "up to 40 letters, digits, _, . and -"


def is_model(agent: str) -> bool:
    """Whether a name is that of a model: provider/model. A merchant's file ends in .py:Class."""
    return "/" in agent and not _OWN_MERCHANT.fullmatch(agent)


def is_insider(agent: str) -> bool:
    """Whether a merchant of this package reads hidden state; a user's own is not imported to find out."""
    insiders = [listing for listing in LISTINGS if listing.reads_hidden_state]
    return agent in {listing.name for listing in insiders} or agent.startswith(
        (_REVIEW_ENGINE, *(f"ecbench.players.merchants.{listing.module}:" for listing in insiders))
    )


def canonical_name(agent: str, *, at_seat: bool = False) -> str:
    """The agent's lasting name, of a file its full path; raises RunError if it cannot play. `at_seat`: from outside."""
    if at_seat and transport_of(agent):
        return agent
    kind, colon, _ = agent.partition(":")
    if at_seat and colon and kind in EXTERNAL:
        raise RunError(f"{quoted(agent)}: behind {kind}: comes a name of {_OWN_NAME}, as in {kind}:my-agent")
    if agent.endswith(".py"):
        raise RunError(f"{agent} names a file without a class; write {agent}:ClassName")
    module, _, class_name = agent.rpartition(":")
    if module.endswith(".py"):
        agent = f"{Path(module).absolute()}:{class_name}"
    if is_model(agent):
        require_extra("models", f"models such as {agent}")
    else:
        _merchant(agent, 1)
    return agent


def refuse_external(transport: str) -> None:
    """Raises RunError for a year of an external agent: only its own program can ask it for a turn."""
    if transport:
        how = f"continue it where it was begun ({transport}), or fork it"
        raise RunError(f"an agent of another program plays this episode; {how}")


def short_name(agent: str) -> str:
    """As a table shows it: a merchant's file without its folders."""
    return agent if is_model(agent) else Path(agent).name


def open_play(agent: str | Merchant | Insider, year: Episode, days: int) -> Play:
    """The play of a merchant, or of the one with that name.

    Raises RunError if it cannot be loaded, MerchantFailure if it fails before its first turn.
    """
    merchant = _merchant(agent, days, year.account.rules) if isinstance(agent, str) else agent
    with failing_as(MerchantFailure, "the merchant failed"):
        return begin_play(merchant, year)


def _merchant(agent: str, days: int, rules: Rules = DEFAULT_RULES) -> Merchant | Insider:
    """What its module prints goes to stderr: stdout has the result of a command."""
    with redirect_stdout(sys.stderr), failing_as(RunError, f"merchant {agent} cannot be loaded"):
        try:
            return get_merchant(agent, days=days, rules=rules)
        except NoMerchant as problem:
            raise RunError(str(problem)) from problem


def transport_of(agent: str) -> str:
    """The adapter of a seat that is played from outside, such as `http` or `http:my-agent`; none for any other."""
    found = _EXTERNAL_NAME.fullmatch(agent)
    return EXTERNAL[found[1]] if found else ""
