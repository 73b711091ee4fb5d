"""Imported once where lives are forked: whatever a run with a model loads at its first use is loaded there for all."""

import os
from contextlib import redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.harness.provider import KEY, Turn, serve
from tests.runs.test_models import NAME

from ecbench.adapters.http import app  # noqa: F401
from ecbench.adapters.serving import server  # noqa: F401
from ecbench.cli import main
from ecbench.runs.play.play_here import Concurrent  # noqa: F401

with (
    TemporaryDirectory() as place,
    Path(os.devnull).open("w", encoding="utf-8") as nowhere,
    redirect_stdout(nowhere),
    serve(lambda _request: Turn("On with it.", (("wait_for_next_day", {}),))) as provider,
    suppress(SystemExit),
):
    os.environ["LOOPBACK_API_KEY"] = KEY
    main(["run", "--agent", NAME, "-M", f"base_url={provider.url}", "--days", "1", "--out", f"{place}/out", "--quiet"])
