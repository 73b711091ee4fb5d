"""The board as pages in a browser, served to this machine alone unless a token was chosen."""
