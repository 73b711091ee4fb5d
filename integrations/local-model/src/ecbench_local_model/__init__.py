"""SmolLM2-135M behind llama.cpp's server on loopback: a real model, small enough for a test."""
