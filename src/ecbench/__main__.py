"""python -m ecbench: the command line."""

from ecbench.cli import main

main()
