"""The board of a year: what stood where on any day and turn, as values that a page can show.

A page knows nothing of the simulator: `film` finds positions, `views` says what is to be seen of one, and what no
agent can know is in `truth` alone.
"""
