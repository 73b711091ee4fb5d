"""What leaderboards use: seasons of fresh worlds under fixed terms, and what a submitted run proves."""
