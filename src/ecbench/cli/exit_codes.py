"""The exit codes of commands; 0 is success."""

FAILED = 1  # an agent or a model failed, or a replay differs from the record
BAD_INPUT = 2  # the same code that the option parser uses
BUDGET = 3  # a limit on dollars, hours or tokens is reached; a larger one goes on
INTERRUPTED = 130  # stopped by a signal; as shells report a program that Ctrl-C ended
