"""The packages through which a model is reached, by the provider that its name begins with."""

from importlib.metadata import PackageNotFoundError, version

MODEL_LAYER = "inspect_ai"

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


def package_versions(*models: str) -> dict[str, str]:
    """What these models are reached through: the model layer, and each provider's client as far as it is known."""
    packages = [MODEL_LAYER, *(CLIENTS[name.split("/")[0]] for name in models if name.split("/")[0] in CLIENTS)]
    found = {}
    for package in dict.fromkeys(packages):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
