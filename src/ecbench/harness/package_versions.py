"""The packages through which a model is reached: which versions are installed, and which Inspect AI is supported."""

import re
from importlib.metadata import PackageNotFoundError, version

from ecbench.errors import BadInput
from ecbench.extras import install_command

MODEL_LAYER = "inspect_ai"
OLDEST, NEWEST = "0.3.283", "0.3.285"  # of Inspect AI, as tested; pyproject.toml has the same bounds

_OWN = {
    "anthropic": "anthropic",
    "azureai": "azure-ai-inference",
    "bedrock": "aioboto3",
    "google": "google-genai",
    "grok": "xai-sdk",
    "groq": "groq",
    "mistral": "mistralai",
    "sagemaker": "aioboto3",
}
_LIKE_OPENAI = (
    "cloudflare deepseek fireworks hf-inference-providers litellm-proxy llama-cpp-python meta moonshot ollama openai "
    "openai-api openrouter perplexity sambanova sglang together vllm"
)
CLIENTS = _OWN | dict.fromkeys(_LIKE_OPENAI.split(), "openai")


class UnsupportedVersion(BadInput, ImportError):
    """The installed Inspect AI lies outside the tested range; the message is one line for the user."""


def require_supported_inspect() -> None:
    """Raise `UnsupportedVersion` outside the tested range: private parts of Inspect change between its releases."""
    installed = version(MODEL_LAYER)
    if not _release(OLDEST) <= _release(installed) <= _release(NEWEST):
        raise UnsupportedVersion(
            f"inspect-ai {installed} is installed, and models need {OLDEST} to {NEWEST}: {install_command('models')}"
        )


def package_versions(*models: str) -> dict[str, str]:
    """The installed versions of the model layer and of each model's client package, where that is known."""
    packages = [MODEL_LAYER, *(CLIENTS[name.split("/")[0]] for name in models if name.split("/")[0] in CLIENTS)]
    found = {}
    for package in dict.fromkeys(packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _release(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)[:3]]
