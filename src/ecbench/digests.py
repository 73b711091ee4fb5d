"""The hash functions that names of draws go through, from Python's own modules where it has them.

Those of `hashlib` give the same digests, but load OpenSSL and set it up anew for every name, at five times the price.
"""

try:
    from _blake2 import blake2b
    from _md5 import md5  # type: ignore[import-not-found]  # typeshed leaves it out
except ImportError:  # a Python that was built without them
    from hashlib import blake2b, md5

__all__ = ["blake2b", "md5"]
