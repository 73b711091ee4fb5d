"""The most that the models of a run may take: limits that the user gives, apart from the slow import of a manifest."""

from typing import Annotated

from msgspec import Meta, Struct

from ecbench.ranges import BUDGET_DOLLARS, BUDGET_HOURS, BUDGET_TOKENS


class BudgetLimits(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """None: no limit. Dollars and tokens are those of the whole run, hours those of one command."""

    dollars: Annotated[float, Meta(gt=BUDGET_DOLLARS.least, le=BUDGET_DOLLARS.most)] | None = None
    tokens: Annotated[int, Meta(ge=int(BUDGET_TOKENS.least), le=int(BUDGET_TOKENS.most))] | None = None
    hours: Annotated[float, Meta(gt=BUDGET_HOURS.least, le=BUDGET_HOURS.most)] | None = None

    @property
    def flags(self) -> list[str]:
        """The options that set these limits."""
        given = (("dollars", self.dollars), ("tokens", self.tokens), ("hours", self.hours))
        return [f"--budget {name}={limit:.12g}" for name, limit in given if limit is not None]

    @property
    def lasting(self) -> "BudgetLimits | None":
        """The limits that also apply to later commands on the same run; None if there are none."""
        kept = BudgetLimits(self.dollars, self.tokens)
        return kept if kept.flags else None

    def over(self, other: "BudgetLimits | None") -> "BudgetLimits":
        """These limits, and those of the other where these are open."""
        if other is None:
            return self
        return BudgetLimits(self.dollars or other.dollars, self.tokens or other.tokens, self.hours or other.hours)
