"""Merchants that need no model, behind one small protocol."""
