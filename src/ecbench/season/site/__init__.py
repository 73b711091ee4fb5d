"""A season's leaderboard as a folder of static pages.

`submissions` finds what was submitted, `submission_check` re-executes one of them, `leaderboard` ranks those that hold,
`site_pages` writes the pages, and `build` does all of it.
"""
