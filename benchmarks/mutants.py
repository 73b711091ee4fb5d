"""Whether every formula of the paper is held by a test: mutate it, and see a named test fail.

    python benchmarks/mutants.py               all formulas
    python benchmarks/mutants.py eq:k_accept   those of one label

A mutant changes one thing in one function: an operator, a comparison, a number, `min` for `max`. The tests
of the formulas run against it in a fork of this process. Each row of the table counts the mutants of a
label; survivors follow with their line. Some are equal to the formula: a bound that no case reaches, a cache.
"""

import ast
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest

from ecbench.suppliers import scams

ROOT = Path(__file__).parents[1]
MARKET = "tests/market/test_paper_formulas.py tests/market/test_optional_rules.py"
STORAGE = f"{MARKET} tests/market/test_stock_and_ledger.py"
RIVALS = "tests/market/test_rivals.py"
KERNEL = "tests/suppliers/test_bargains.py tests/suppliers/test_supplier_traits.py"
# By label: the module, what in it the label names, and the tests that hold it.
FORMULAS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    ("eq:app_base", "market/demand.py", ("base_demand",), MARKET),
    (
        "eq:app_elasticity",
        "market/demand.py",
        ("linear", "exponential", "constant_elasticity", "quadratic"),
        MARKET,
    ),
    ("eq:demand", "market/demand.py", ("weekend", "offer_on", "season", "traffic", "price_response"), MARKET),
    ("eq:demand", "market/day_demand.py", ("raw_demand", "shelf_demand", "full_price"), MARKET),
    ("eq:app_saturation", "market/demand.py", ("category_share", "category_capacity", "saturation"), MARKET),
    ("eq:app_round", "market/demand.py", ("whole_units",), MARKET),
    ("eq:app_reputation", "market/storefronts.py", ("rebuild_reputation", "standing"), MARKET),
    ("eq:app_returns", "market/returns.py", ("price_curve", "return_layers", "rate_at", "units_back"), MARKET),
    ("eq:app_returns", "market/sales.py", ("_pack",), MARKET),
    ("app:econ_costs", "market/stock.py", ("put_away", "take_oldest", "_age_lots"), STORAGE),
    ("app:econ_costs", "market/storefronts.py", ("liquidate_store",), MARKET),
    ("app:econ_costs", "market/sales.py", ("_sold",), MARKET),
    (
        "several merchants",
        "market/sharing.py",
        ("share_demand", "offers_by_sku", "served_alone", "_lost", "diverted", "_crowd", "most_weight", "_saturate"),
        RIVALS,
    ),
    ("eq:floor, eq:d0, eq:k_frame", "suppliers/kernel.py", ("terms_at", "FRAME_TOP"), KERNEL),
    ("eq:scamfloor", "suppliers/scams.py", ("scam_floor",), KERNEL),
    ("eq:k_open", "suppliers/kernel.py", ("_open", "OPEN_URGENCY"), KERNEL),
    ("eq:k_hist", "suppliers/kernel.py", ("features", "RIGID_STEP"), KERNEL),
    ("eq:k_accept", "suppliers/kernel.py", ("acceptance", "ACCEPT_MARGIN", "DEADLINE"), KERNEL),
    ("eq:k_walk", "suppliers/kernel.py", ("walk_away", "WALK_BASE", "FIRST_WALK"), KERNEL),
    ("eq:k_conc", "suppliers/kernel.py", ("concession_share", "CONCEDE_BASE"), KERNEL),
    ("eq:k_quote", "suppliers/kernel.py", ("_counter", "OVERBID_STEP"), KERNEL),
    ("eq:k_cue", "suppliers/kernel.py", ("_posture", "_last_step", "POSTURE_BIAS"), KERNEL),
    ("eq:k_sent", "suppliers/kernel.py", ("mood", "SENTIMENT_THRESHOLD"), KERNEL),
    ("tab:presets", "suppliers/templates.py", ("PRESETS", "manner", "HONEST_MANNERS"), KERNEL),
)
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
}
NAMES = {"min": "max", "max": "min"}
LONGEST = 90  # seconds that the tests of a mutant may take


Change = tuple[str, Callable[[], None]]
"""What was changed, and the function that undoes it."""


class Mutant(NamedTuple):
    label: str
    module: str
    tests: str
    line: int
    change: str
    source: str


def mutants(label: str, module: str, names: tuple[str, ...], tests: str) -> Iterator[Mutant]:
    """Every mutant of the named functions and constants; LookupError if the module does not define one of them."""
    tree = ast.parse((ROOT / "src" / "ecbench" / module).read_text())
    targets = [node for node in ast.walk(tree) if _name(node) in names]
    if absent := set(names) - {_name(target) for target in targets}:
        raise LookupError(f"{label}: {module} does not define {', '.join(sorted(absent))}")
    for node in [inner for target in targets for inner in ast.walk(target)]:
        for change, undo in _changes(node):
            yield Mutant(label, module, tests, getattr(node, "lineno", 0), change, ast.unparse(tree))
            undo()


def _name(node: ast.AST) -> str | None:
    """What a function or the first target of an assignment is called."""
    if isinstance(node, ast.FunctionDef):
        return node.name
    if isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        target = target.elts[0] if isinstance(target, ast.Tuple) else target
        return target.id if isinstance(target, ast.Name) else None
    return None


def _changes(node: ast.AST) -> Iterator[Change]:
    """Apply each change to the node in turn; the caller undoes it before the next."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        yield from _swapped(node, "op", node.op, SWAPS[type(node.op)]())
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield from _swapped(node, "ops", node.ops, [SWAPS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMES:
        yield from _swapped(node.func, "id", node.func.id, NAMES[node.func.id])
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value is not True:
        yield from _swapped(node, "value", node.value, node.value / 2 if node.value else 1.0)
    elif isinstance(node, ast.AugAssign) and type(node.op) in SWAPS:
        yield from _swapped(node, "op", node.op, SWAPS[type(node.op)]())


def _swapped(node: ast.AST, field: str, old: object, new: object) -> Iterator[Change]:
    before = ast.unparse(node)
    setattr(node, field, new)
    yield f"{before} -> {ast.unparse(node)}", lambda: setattr(node, field, old)


def killed(mutant: Mutant) -> bool:
    """Whether a test fails or hangs. The tests run in a fork, whose functions get the code of the mutant."""
    pid = os.fork()
    if not pid:
        os._exit(_run_tests(mutant))
    _, status = os.waitpid(pid, 0)
    return status != 0


def _run_tests(mutant: Mutant) -> int:
    signal.alarm(LONGEST)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    _install(_module(mutant.module), mutant.source)
    if mutant.module == "suppliers/templates.py":  # from which the scams took their manners
        _install(scams, Path(str(scams.__file__)).read_text())
    for module in [module for key, module in sys.modules.items() if key.startswith("ecbench")]:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    return _tests(mutant.tests)


def _tests(files: str) -> int:
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *(str(ROOT / file) for file in files.split())]))


def _module(path: str) -> ModuleType:
    return import_module("ecbench." + path.removesuffix(".py").replace("/", "."))


def _install(module: ModuleType, source: str) -> None:
    """Run the source in the module; functions that others imported get the new code, other values replace the old."""
    before = dict(vars(module))
    exec(compile(source, str(module.__file__), "exec"), vars(module))
    for name, old in before.items():
        new = vars(module)[name]
        if isinstance(old, type):
            _take_code(vars(old), vars(new))
            setattr(module, name, old)
        elif callable(old) and _take_code({name: old}, {name: new}):
            setattr(module, name, old)
        elif not name.startswith("__"):
            for user in [user for key, user in sys.modules.items() if key.startswith("ecbench")]:
                if vars(user).get(name) is old:
                    setattr(user, name, new)


def _take_code(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    taken = False
    for name, function in old.items():
        plain, mutated = (
            getattr(function, "__wrapped__", function),
            getattr(new.get(name), "__wrapped__", new.get(name)),
        )
        if isinstance(plain, FunctionType) and isinstance(mutated, FunctionType):
            plain.__code__, taken = mutated.__code__, True
    return taken


def main() -> None:
    wanted = [row for row in FORMULAS if not sys.argv[1:] or any(label in row[0] for label in sys.argv[1:])]
    for tests in {row[3] for row in wanted}:  # loaded once, for every fork
        if _tests(tests):
            sys.exit(f"{tests} fails without a mutant")
    for label in dict.fromkeys(row[0] for row in wanted):
        made = [mutant for row in wanted if row[0] == label for mutant in mutants(*row)]
        alive = [mutant for mutant in made if not killed(mutant)]
        print(f"{label}: {len(made) - len(alive)} of {len(made)} killed", flush=True)
        for mutant in alive:
            print(f"  survives: {mutant.module}:{mutant.line}, {mutant.change}", flush=True)


if __name__ == "__main__":
    main()
