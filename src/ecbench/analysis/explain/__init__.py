"""The model behind the numbers: how a price becomes units, a unit profit, a bid a quote, an order money.

Every explanation calls the functions that a year runs, on figures of a world that no agent is shown.
"""
