"""What leaderboards use: seasons of fresh worlds under fixed terms, and what a submitted run proves.

`seasons` fixes the worlds and the terms, `verify` replays a folder and reports what it proves.
`python -m ecbench.suite NAME DATE` issues a season.
"""
