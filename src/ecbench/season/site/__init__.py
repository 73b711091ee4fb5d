"""A season's leaderboard as a folder of static pages.

`submissions` finds and checks what was submitted, `leaderboard` ranks it, `site_pages` writes the pages, `build` does
all of it.
"""
