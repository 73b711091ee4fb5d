"""Former names of commands and options, and what to write now."""

MODEL_OPTIONS = ("base-url", "effort", "extra-body", "max-tokens", "price", "attempt-seconds", "give-up-seconds")

FORMER_NAMES = {
    "serve": "ecbench board",
    "tables": "ecbench report --tables",
    "host": "ecbench http",
    "agents": "ecbench list agents",
    "models": "ecbench list models",
    "rules": "ecbench list rules",
    "bound": "ecbench world bound",
    "explain": "ecbench world explain",
    "suite": "ecbench season",
    "site": "ecbench season site",
    "keys": "ecbench season keys",
    "humans": "ecbench compare",
    "replay": "ecbench verify",
    "--suite": "--season SEASON",
    "--report": "ecbench report RUN",
    "--protocol": "ecbench run paper",
    "--preset": "ecbench run NAME",
    "--presets": "ecbench run FILE.toml",
    "--model-arg": "-M KEY=VALUE",
    "--supplier-model-arg": "--supplier-M KEY=VALUE",
    "--prices": "-M price=IN,OUT",
    "--brief": "-M brief=@FILE",
    "--max-turns": "max_turns in a run file",
    "--max-dollars": "--budget dollars=N",
    "--max-hours": "--budget hours=N",
    "--max-tokens-total": "--budget tokens=N",
    **{f"--{name}": f"-M {name.replace('-', '_')}=VALUE" for name in MODEL_OPTIONS},
    **{f"--supplier-{name}": f"--supplier-M {name.replace('-', '_')}=VALUE" for name in MODEL_OPTIONS},
}
