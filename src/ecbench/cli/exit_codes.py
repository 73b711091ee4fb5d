"""The exit codes of commands; 0 is success."""

FAILED = 1  # an agent or a model failed, or a replay differs from the record
BAD_INPUT = 2  # the same code that the option parser uses
INTERRUPTED = 130  # stopped by a signal; as shells report a program that Ctrl-C ended
