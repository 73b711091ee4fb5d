"""The versions of the packages through which models are reached."""

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

PACKAGES = ("pydantic-ai-slim", "openai", "anthropic", "google-genai")


def package_versions() -> dict[str, str]:
    """Of those that are installed."""
    found = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found
