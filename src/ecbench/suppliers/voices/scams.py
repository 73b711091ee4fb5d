"""The stories that three of the five scams tell (tab:fraud_catalog). The other two write like anybody else."""

from types import MappingProxyType

from ecbench.suppliers.voices.customs import Topic
from ecbench.suppliers.voices.wording import Phrases
from ecbench.world.model import Scam

# What a scam that lies before the deal speaks of, from its first letter on.
STORIES: MappingProxyType[Scam, Topic] = MappingProxyType(
    {"vip_fee": "membership", "future_discount": "next order", "fake_urgency": "stock"}
)
MEMBER_PERCENT = 30  # of the reference price
NEXT_ORDER_PERCENTS = (20, 25, 30, 35, 40)

MEMBERSHIP_THANKS = Phrases(
    "Your Premium Membership is active[|, thank you]. Member prices apply from your next order on.",
    "[Welcome to|Thank you for joining] the Premium Membership. You will see the member prices on your next order.",
    "As a Premium Member you are [first in line|served first]; the member prices come with your next order.",
)
