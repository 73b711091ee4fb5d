"""The board: recorded years to watch, scrub through, continue and play.

Pages know nothing of the simulator: `snapshots` finds positions, `state_view` and its neighbours say what is to be seen
of one, and what no agent can know is in `hidden_values` and `server/reviewing` alone.
"""
