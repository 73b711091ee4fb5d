"""The record of an episode: its lines and their chain, the log that contains them, and its reader."""
