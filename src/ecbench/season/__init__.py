"""What leaderboards use: seasons of fresh worlds under fixed terms, and what a submitted run proves.

`commitment` derives seeds that nobody can know before a season opens, `season_file` is a season as it is published,
`seasons` fixes the worlds and the terms, `verify` replays a folder and reports what it proves.
"""
