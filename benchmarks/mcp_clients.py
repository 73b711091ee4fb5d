"""Whether clients of older versions of the MCP SDK can play: each is installed into an environment of its own.

    python benchmarks/mcp_clients.py                    the last 1.x
    python benchmarks/mcp_clients.py 1.30.0             this version, or several

Needs a package index. Each client plays three days over standard input and output, and three over streamable HTTP.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ECBENCH = (sys.executable, "-m", "ecbench")
DAYS = 3
PATIENCE_SECONDS = 300

CLIENT = """
import asyncio, json, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

async def play(read, write):
    async with ClientSession(read, write) as session:
        spoken = (await session.initialize()).protocolVersion
        tools = (await session.list_tools()).tools
        prompt = await session.get_prompt("brief")
        books = await session.read_resource("ecbench://books")
        days = [json.loads((await session.call_tool("wait_for_next_day", {})).content[0].text)["day"] for _ in range(3)]
        result = json.loads((await session.call_tool("finish", {})).content[0].text)
        assert prompt.messages and books.contents and result["termination_reason"] == "year_end", result
        print(json.dumps({"protocol": spoken, "tools": len(tools), "days": days}))

async def main():
    if sys.argv[1].startswith("http"):
        shown = {"Authorization": "Bearer " + os.environ["ECBENCH_TOKEN"]}
        async with streamablehttp_client(sys.argv[1], headers=shown) as (read, write, _):
            await play(read, write)
    else:
        command = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
        async with stdio_client(command) as (read, write):
            await play(read, write)

asyncio.run(main())
"""


def installed(place: Path, version: str) -> Path:
    """The Python of a new environment with that version of the SDK."""
    venv.create(place, with_pip=True)
    python = place / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"mcp{version}"]
    subprocess.run(install, check=True, timeout=PATIENCE_SECONDS)
    return python


def played(python: Path, *where: str, token: str = "") -> str:
    environment = os.environ | {"ECBENCH_TOKEN": token}
    done = subprocess.run(
        [str(python), "-c", CLIENT, *where],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
        env=environment,
    )
    return done.stdout.strip() if done.returncode == 0 else f"FAILED: {done.stderr.strip().splitlines()[-1:]}"


def over_http(python: Path, out: Path) -> str:
    command = [*ECBENCH, "mcp", "--http", "0", "--out", str(out), "--days", str(DAYS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            ready = json.loads(server.stdout.readline())
            return played(python, ready["base_url"], token=ready["token"])
        finally:
            server.kill()


def main() -> None:
    for version in [f"=={each}" for each in sys.argv[1:]] or ["<2"]:
        with TemporaryDirectory() as folder:
            python = installed(Path(folder, "client"), version)
            stdio = played(python, *ECBENCH, "mcp", "--out", str(Path(folder, "stdio")), "--days", str(DAYS))
            print(f"mcp{version} over stdio: {stdio}")
            print(f"mcp{version} over HTTP: {over_http(python, Path(folder, 'http'))}")


if __name__ == "__main__":
    main()
