"""Runs: what an evaluation leaves behind, and how it goes on after a crash.

`events` is the recorded form of a year, `reader` and `recorder` read and write it (`records` says what its JSON must
be, `tail` what a killed writer leaves), `play` takes a year to its end from wherever the record stands (`models` does
so for a model), `derive` makes every other file out of it, and `seal` vouches for them. `folder` holds the years of a
run, `session` opens one of them, `salvage` puts a damaged one aside, `fork` gives one to another agent, and `executors`
decide where they are played. `disk` and `file` are all that touches a disk.
"""
