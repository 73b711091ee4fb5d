"""Commands for an environment without extras: those that work there, and those that name the extra they need.

They run in this order in one folder; `{sku}` stands for a product of the default world. One that is refused would write
to a path that begins with `new`.
"""

WITHOUT_EXTRAS = (
    *("run --agent haggler --days 3 --out run", "run --agent idle --days 3 --out idle"),
    *("show run", "verify run", "export run --out csv", "report run --tables"),
    *("resume run", "fork run --day 2 --agent idle --out fork", "arena --seats idle,idle --days 2 --out arena"),
    *("list agents", "list models", "list rules", "world list", "world show default", "world check default"),
    *("world explain unit default {sku}", "run --agent idle --rules fair --out year", "verify year"),
    *("run --agent idle --days 3 --world seed-3 --out fresh", "world new --seed 3 --out world", "world bound --days 2"),
    *("compare run idle", "review run --quick", "season list"),
)
WITH_EXTRA = {
    "charts": (
        *("report run", "season site folder --out new"),
        "world explain unit default {sku} --picture new.svg",
    ),
    "models": ("run --agent openai/gpt --out new", "doctor openai/gpt"),
    "harness": ("export run --format atif --out new",),
    "serve": ("board .", "http --out new", "arena --seats idle,http:mine --days 2 --out new"),
    "mcp": ("mcp --out new", "arena --seats idle,mcp:mine --days 2 --out new"),
    "frames": ("export run --format parquet --out new",),
    "ray": ("run --agent idle --days 2 --executor ray --out new",),
    "sign": ("season keys new",),
}
