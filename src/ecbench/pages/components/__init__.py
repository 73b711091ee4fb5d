"""Parts of pages that the board and the report share: chart of a year, table, ladder of offers, cards of calls."""
