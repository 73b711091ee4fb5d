"""python -m ecbench: the command line."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose files must not be taken for modules; `python -P` leaves it out

from ecbench.cli import main

main()
