"""Runs: what an evaluation leaves behind, and how it goes on after a crash.

`events` is the recorded form of a year, `reader` and `recorder` read and write it, `play` takes a year to its end
from wherever the record stands, `derive` makes every other file out of it, and `executors` decide where the episodes
are played.
"""
