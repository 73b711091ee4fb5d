"""How the speeds of freight compare under the rules in force, in words."""

from ecbench.rules import Rules


def speed_note(rules: Rules) -> str:
    """Fast and slow in one sentence."""
    fast, slow = (_returns(rules, speed) for speed in ("fast", "slow"))
    return f"Fast {_cost(rules, 'fast')} and brings {fast} returns; slow {_cost(rules, 'slow')} and brings {slow}."


def _returns(rules: Rules, speed: str) -> str:
    usual, found = rules.speed_return_factor["standard"], rules.speed_return_factor[speed]
    return "as many" if found == usual else "fewer" if found < usual else "more"


def _cost(rules: Rules, speed: str) -> str:
    standard, found = rules.freight_factor["standard"], rules.freight_factor[speed]
    return "costs the same" if found == standard else "is cheap" if found < standard else "costs more"
