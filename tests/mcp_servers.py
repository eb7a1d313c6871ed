"""MCP servers for tests: programs of their own, of which some answer and some do not."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ANSWERS = """\
import glob, json, os, sys
tools = [{"name": "add", "description": "Adds two numbers.", "inputSchema": {"type": "object"}}]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    said = {"tools": tools}
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        said = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "lab", "version": "1"}}
    if asked["method"] == "tools/call":
        given = asked["params"]["arguments"]
        lines = [open(path).read() for path in glob.glob("/proc/[0-9]*/cmdline")]
        seen = {"key": os.environ.get("LAB_KEY"), "names": sorted(os.environ), "lines": " ".join(lines)}
        with open(os.path.join(os.environ["HOME"], "called.json"), "w") as file:
            json.dump(seen, file)
        said = {"content": [{"type": "text", "text": str(given["a"] + given["b"])}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)
"""
HANGS = "import sys\nsys.stdin.read()\n"
DIES = "import sys\nsys.exit('no licence')\n"
BABBLES = "print('welcome', flush=True)\nprint('[1, 2', flush=True)\n" + HANGS
REFUSES = """\
import json, sys
asked = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": 1, "message": "not today"}}), flush=True)
sys.stdin.read()
"""
OFFICIAL = """\
import sys
from mcp.server import MCPServer
server = MCPServer("lab")
@server.tool()
def add(a: int, b: int) -> int:
    "Adds two numbers."
    return a + b
server.run(*sys.argv[1:2], **({"port": int(sys.argv[2])} if sys.argv[2:] else {}))
"""


class OnTheWeb(BaseHTTPRequestHandler):
    """A server at an address, for those who bring the right header."""

    def do_POST(self) -> None:
        """Answer one request, as short as the protocol lets it be."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = self.headers.get("Authorization") == "Bearer hunter2"
        said = json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "result": _result(asked)})
        body = said.encode() if known and "id" in asked else b""
        self.send_response((200 if body else 202) if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        """It has nothing to say by itself."""
        self.send_response(405)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nobody listens."""


def _result(asked: dict[str, Any]) -> dict[str, Any]:
    if asked["method"] == "initialize":
        version = asked["params"]["protocolVersion"]
        about = {"name": "lab", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    if asked["method"] == "tools/call":
        given = asked["params"]["arguments"]
        return {"content": [{"type": "text", "text": str(given["a"] + given["b"])}]}
    return {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}


@contextmanager
def on_the_web() -> Iterator[str]:
    """The address of a server, while it is there."""
    with ThreadingHTTPServer(("127.0.0.1", 0), OnTheWeb) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
        server.shutdown()


def program(folder: Path, name: str, text: str) -> dict[str, Any]:
    """A server's program in a folder, and the registration that starts it."""
    place = folder / f"{name}.py"
    place.write_text(text)
    return {"command": sys.executable, "args": [str(place)]}


def register(root: Path, **servers: dict[str, Any]) -> None:
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
