"""What a browser shows: reports, the board and the parts they share."""
