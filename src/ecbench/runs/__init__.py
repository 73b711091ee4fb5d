"""Runs: what an evaluation leaves behind, and how it goes on after a crash.

`events` is the recorded form of a year, `reader` and `recorder` read and write it, `play` takes a year to its end
from wherever the record stands (`models` does so for a model), and `derive` makes every other file out of it. `folder`
holds the years of a run, `session` opens one of them, `fork` gives one to another agent, and `executors` decide where
they are played.
"""
