"""MCP servers for tests: programs of their own, of which some answer and some do not."""

import json
import sys
from pathlib import Path
from typing import Any

ANSWERS = """\
import json, os, sys
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
        with open("called.txt", "a") as file:
            file.write(f"{given['a'] + given['b']} {os.environ.get('LAB_KEY')}\\n")
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


def program(folder: Path, name: str, text: str) -> dict[str, Any]:
    """A server's program in a folder, and the registration that starts it."""
    place = folder / f"{name}.py"
    place.write_text(text)
    return {"command": sys.executable, "args": [str(place)]}


def register(root: Path, **servers: dict[str, Any]) -> None:
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
