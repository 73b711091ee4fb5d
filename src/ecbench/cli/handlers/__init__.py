"""The code behind the commands, one module each: `handlers.run.play(...)` imports `handlers/run.py` on first use.

`--help` needs none of them, and loading the simulator takes longer than printing it.
"""

from typing import TYPE_CHECKING

from ecbench.cli.lazy import import_on_use

if TYPE_CHECKING:
    from ecbench.cli.handlers import arena as arena
    from ecbench.cli.handlers import bound as bound
    from ecbench.cli.handlers import compare as compare
    from ecbench.cli.handlers import doctor as doctor
    from ecbench.cli.handlers import explain as explain
    from ecbench.cli.handlers import export as export
    from ecbench.cli.handlers import fork as fork
    from ecbench.cli.handlers import keys as keys
    from ecbench.cli.handlers import report as report
    from ecbench.cli.handlers import resume as resume
    from ecbench.cli.handlers import review as review
    from ecbench.cli.handlers import rules as rules
    from ecbench.cli.handlers import run as run
    from ecbench.cli.handlers import show as show
    from ecbench.cli.handlers import site as site
    from ecbench.cli.handlers import suite as suite
    from ecbench.cli.handlers import tables as tables
    from ecbench.cli.handlers import verify as verify
    from ecbench.cli.handlers import world as world
else:
    EXTRAS = {"doctor": "models"} | dict.fromkeys(("report", "site"), "charts")
    __getattr__ = import_on_use(__name__, EXTRAS)
