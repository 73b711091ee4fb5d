"""The numeric environment: many years as arrays of NumPy.

years = ArrayYears(64, setting=Setting(days=90, reward="growth"))
seen, masks = years.reset(range(1_000_000, 1_000_064))
step = years.step(action)
step.observation, step.masks, step.reward, step.over
"""

from ecbench.rl.array_layout import ACTIONS, BLOCKS, ArraySizes
from ecbench.rl.array_seat import AT_GOODS, AT_SHOP, AT_STORE, AT_SUPPLIER, AT_TRADE
from ecbench.rl.array_years import ArrayStep, ArrayYears

__all__ = [
    "ACTIONS",
    "AT_GOODS",
    "AT_SHOP",
    "AT_STORE",
    "AT_SUPPLIER",
    "AT_TRADE",
    "BLOCKS",
    "ArraySizes",
    "ArrayStep",
    "ArrayYears",
]
