"""Replay and verification of recorded episodes."""
