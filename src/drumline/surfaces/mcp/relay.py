"""MCP inside a member's processes: what a client says on stdio is passed on to the member's runner.

Standard library only, and little of it: every agent of a team pays for one of these. The runner knows the
tools and carries them out; what is known here is the protocol, as far as tools need it.
"""

from __future__ import annotations

import os
import sys
from _queue import SimpleQueue
from _thread import allocate_lock, start_new_thread

from drumline.hooks import asking
from drumline.hooks.values import read_value

VERSIONS = (
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
)  # those that begin by initialize
STATELESS = "io.modelcontextprotocol/protocolVersion"  # how a request of a later version is known
LONGEST_LINE = 8 * 1024 * 1024  # bytes
AT_ONCE = 4  # calls: as many as a runner carries out at once
PARTING = 5.0  # seconds for what still runs when the client has said its last word

NO_JSON, NO_REQUEST, NO_METHOD, BAD_PARAMS, FAILED = -32700, -32600, -32601, -32602, -32603
OTHER_VERSION = -32022

Message = dict[str, object]


class Fault(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, what: str, more: object = None) -> None:
        super().__init__(what)
        self.error: Message = {"code": code, "message": what}
        if more is not None:
            self.error["data"] = more


class Call:
    """A tool's call that waits, runs, or is no longer wanted."""

    def __init__(self, id: object, name: str, arguments: object) -> None:  # noqa: A002 - the protocol's word
        self.id, self.name, self.arguments = id, name, arguments
        self.wanted = True


def serve(address: str) -> int:
    """Pass on what stdin says until it ends; the exit code."""
    relay = Relay(address)
    try:
        while line := sys.stdin.buffer.readline(LONGEST_LINE):
            if line.endswith(b"\n") or len(line) < LONGEST_LINE:
                relay.hear(line)
            else:
                _skip_line()
                relay.refuse(None, Fault(NO_REQUEST, f"a line has more than {LONGEST_LINE} bytes"))
        relay.finish()
    except KeyboardInterrupt:
        return 130
    return 0


class Relay:
    """One client's conversation; calls run beside each other, everything else is answered at once."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._calls: SimpleQueue[Call] = SimpleQueue()
        self._open: dict[object, Call] = {}  # those whose answer is waited for
        self._lanes = self._unfinished = 0
        self._turn, self._saying = allocate_lock(), allocate_lock()
        self._leaving, self._quiet = False, allocate_lock()
        self._quiet.acquire()

    def hear(self, line: bytes) -> None:
        """Answer one line, or see to it that it is answered."""
        if not line.strip():
            return
        try:
            said = read_value(line)
        except (ValueError, RecursionError):
            self.refuse(None, Fault(NO_JSON, "a line is no JSON"))
            return
        if not isinstance(said, dict) or said.get("jsonrpc") != "2.0":
            self.refuse(None, Fault(NO_REQUEST, "a line is one JSON-RPC 2.0 message"))
        elif isinstance(said.get("method"), str):
            self._take(said)

    def refuse(self, id: object, fault: Fault) -> None:  # noqa: A002 - the protocol's word
        self._say({"id": id, "error": fault.error})

    def finish(self) -> None:
        """Let what runs be answered, if that does not take long."""
        with self._turn:
            self._leaving = True
            if not self._open:
                return
        self._quiet.acquire(timeout=PARTING)

    def _take(self, said: Message) -> None:
        params = said.get("params")
        params = params if isinstance(params, dict) else {}
        if "id" not in said:
            if said["method"] == "notifications/cancelled":
                self._forget(params.get("requestId"))
            return
        number = said["id"]
        try:
            if isinstance(number, bool) or not isinstance(number, int | str):
                number = None
                raise Fault(NO_REQUEST, "an id is a number or a text")  # noqa: TRY301 - one way out
            if said["method"] == "tools/call":
                self._begin(_call(number, params))
            else:
                self._say({"id": number, "result": self._answer(str(said["method"]), params)})
        except Fault as fault:
            self.refuse(number, fault)

    def _answer(self, method: str, params: Message) -> Message:
        _refuse_stateless(params)
        if method == "initialize":
            return self._initialize(params)
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": self._offer()["tools"]}
        raise Fault(NO_METHOD, f"no method {method[:80]}")

    def _initialize(self, params: Message) -> Message:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise Fault(BAD_PARAMS, "protocolVersion is a text")
        offered = self._offer()
        return {
            "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[-1],
            "capabilities": {"tools": {"listChanged": False}},
            "serverInfo": offered["server"],
            "instructions": offered["instructions"],
        }

    def _offer(self) -> Message:
        try:
            return asking.tools(self._address)
        except asking.Unanswered as no:
            raise Fault(FAILED, f"{no.what}: {no.why}", {"next": no.next}) from no

    def _begin(self, call: Call) -> None:
        with self._turn:
            self._open[call.id] = call
            self._unfinished += 1
            fresh = self._lanes < min(AT_ONCE, self._unfinished)
            self._lanes += fresh
        self._calls.put(call)
        if fresh:
            start_new_thread(self._lane, ())

    def _forget(self, number: object) -> None:
        """A call nobody waits for is not begun; one that runs is not answered."""
        with self._turn:
            if isinstance(number, int | str) and (call := self._open.pop(number, None)):
                call.wanted = False

    def _lane(self) -> None:
        while True:
            call = self._calls.get()
            result = _result(*self._called(call)) if call.wanted else {}
            if call.wanted:
                self._say({"id": call.id, "result": result})
            with self._turn:
                self._unfinished -= 1
                if self._open.get(call.id) is call:
                    del self._open[call.id]
                if self._leaving and not self._open and self._quiet.locked():
                    self._quiet.release()

    def _called(self, call: Call) -> tuple[object, bool]:
        try:
            return asking.call(self._address, call.name, call.arguments)
        except asking.Unanswered as no:
            said = {"refused": no.what, "why": no.why, "next": no.next, "error": "Refused"}
            return said, True

    def _say(self, answer: Message) -> None:
        text = asking.written({"jsonrpc": "2.0", **answer}).decode("utf-8", "surrogatepass")
        line = text.encode("utf-8", "backslashreplace")  # JSON's own way to spell half a pair
        with self._saying:
            try:
                while line:
                    line = line[os.write(1, line) :]
            except OSError:
                os._exit(0)  # the client is gone, and nobody else listens


def _call(number: object, params: Message) -> Call:
    _refuse_stateless(params)
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str):
        raise Fault(BAD_PARAMS, "name is a text")
    return Call(number, name, {} if arguments is None else arguments)


def _refuse_stateless(params: Message) -> None:
    meta = params.get("_meta")
    if isinstance(meta, dict) and STATELESS in meta:
        more = {"supported": list(VERSIONS), "requested": str(meta[STATELESS])}
        raise Fault(OTHER_VERSION, "begin by initialize", more)


def _result(facts: object, is_error: bool) -> Message:  # noqa: FBT001 - what the runner says, as it says it
    text = asking.written(facts).decode("utf-8", "surrogatepass")[:-1]
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": facts if isinstance(facts, dict) else {"result": facts},
        "isError": is_error,
    }


def _skip_line() -> None:
    while (piece := sys.stdin.buffer.readline(LONGEST_LINE)) and not piece.endswith(b"\n"):
        pass
