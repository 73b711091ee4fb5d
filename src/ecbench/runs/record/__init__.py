"""The record of an episode: its lines and their chain, the log that holds them, reader, recorder and salvage."""
