"""What the board and the report share in a browser: the kit of interactive pages and the chart of a year."""
