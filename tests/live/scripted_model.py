"""A model on loopback that runs the given commands one by one, then says done.

It speaks the two shapes the real CLIs ask for: Anthropic Messages and OpenAI Responses.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class ScriptedModel(ThreadingHTTPServer):
    """One conversation: a shell command per round, and every request it was sent."""

    daemon_threads = True

    def __init__(self, commands: Sequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), Speaker)
        self.commands = tuple(commands)
        self.requests: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def heard(self) -> str:
        """All the last request carried: the whole conversation as the model saw it."""
        return json.dumps(self.requests[-1]) if self.requests else ""


@contextmanager
def scripted_model(*commands: str) -> Iterator[ScriptedModel]:
    model = ScriptedModel(commands)
    thread = Thread(target=model.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.shutdown()
        model.server_close()
        thread.join()


class Speaker(BaseHTTPRequestHandler):
    """Answers one request with the next step of the script."""

    server: ScriptedModel
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        speak = responses if "/responses" in self.path else messages
        events = "".join(
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            for event in speak(body, self.server.commands)
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(events)))
        self.end_headers()
        self.wfile.write(events)

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parent's word
        """Stay silent: the tests say what went wrong."""


def messages(body: dict[str, Any], commands: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The Anthropic stream of one step."""
    step = sum(1 for message in body["messages"] if message["role"] == "assistant")
    tool = step < len(commands)
    usage = {"input_tokens": 10, "output_tokens": 5}
    yield {
        "type": "message_start",
        "message": {
            "id": f"msg_{step}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [],
            "stop_reason": None,
            "usage": usage,
        },
    }
    block, delta = _tool_use(step, commands[step]) if tool else _text()
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    reason = "tool_use" if tool else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}
    yield {"type": "message_stop"}


def _tool_use(step: int, command: str) -> tuple[dict[str, Any], dict[str, Any]]:
    block = {"type": "tool_use", "id": f"toolu_{step}", "name": "Bash", "input": {}}
    said = json.dumps({"command": command, "description": "step"})
    return block, {"type": "input_json_delta", "partial_json": said}


def _text() -> tuple[dict[str, Any], dict[str, Any]]:
    return {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}


def responses(body: dict[str, Any], commands: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The OpenAI stream of one step."""
    step = sum(1 for item in body["input"] if item.get("type") == "function_call_output")
    item = _function_call(step, commands[step]) if step < len(commands) else _said()
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    yield {"type": "response.created", "response": {"id": f"resp_{step}"}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": {"id": f"resp_{step}", "usage": usage}}


def _function_call(step: int, command: str) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{step}",
        "call_id": f"call_{step}",
        "name": "exec_command",
        "arguments": json.dumps({"cmd": command}),
    }


def _said() -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_done",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "done"}],
    }
