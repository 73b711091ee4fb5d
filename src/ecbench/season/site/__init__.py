"""A season's leaderboard as a folder of static pages."""
