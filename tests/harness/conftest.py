"""Models to play with: scripted in the process, or behind a server on loopback."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that tests can share `tests.harness` modules
