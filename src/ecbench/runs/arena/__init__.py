"""Arenas: rounds in which several agents trade in one market, recorded seat by seat."""
