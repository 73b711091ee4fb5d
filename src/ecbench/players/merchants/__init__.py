"""Scripted merchants: players that need no model."""
