"""Runs: what an evaluation leaves behind, and how it continues after a crash.

`folder` and `terms` say what a run folder has, and under which terms its episodes are played. `record/` has the event
format with its reader, and the files. `play/` plays episodes from wherever their record stands, `workers/` runs
them in parallel, `results/` derives tables and summaries, and `verify/` compares records with their replay. `evaluate`
is the way in from Python.
"""
