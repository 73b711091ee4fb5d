"""The server: one year per connection."""

import argparse
from functools import partial
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from openenv.core.env_server.http_server import create_app

from ecbench_env.environment import OpenEnvYear
from ecbench_env.models import YearAction, YearObservation, YearState

SESSIONS = 64


def year_app(record: Path | None = None, sessions: int = SESSIONS) -> FastAPI:
    begin = partial(OpenEnvYear, record)
    return create_app(
        begin, YearAction, YearObservation, env_name="ecbench", max_concurrent_envs=sessions, state_cls=YearState
    )


app = year_app()


def main() -> None:
    asked = argparse.ArgumentParser(description="Years of E-Commerce Bench for clients of OpenEnv.")
    asked.add_argument("--host", default="127.0.0.1", help="where to listen [default: 127.0.0.1]")
    asked.add_argument("--port", type=int, default=8000, help="[default: 8000]")
    asked.add_argument("--record", type=Path, metavar="DIR", help="keep every year as a run folder in there")
    asked.add_argument("--sessions", type=int, default=SESSIONS, help=f"years at the same time [default: {SESSIONS}]")
    given = asked.parse_args()
    uvicorn.run(year_app(given.record, given.sessions), host=given.host, port=given.port)
