"""Recordings of our own on the default world."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that the test and the recorder share `tests.recordings`
