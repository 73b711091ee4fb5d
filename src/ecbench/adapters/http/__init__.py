"""Years over HTTP: one JSON body in, one out, many years at once, each with its own token."""
