"""Years over HTTP: one JSON body in, one out, many years at once, each with a token of its own."""
