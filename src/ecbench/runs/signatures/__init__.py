"""Signatures: who runs an episode signs its record when it ends or stops, with what was played and when."""
