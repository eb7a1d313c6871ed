"""The tools of a scripted member: each call is ruled on, really made, confined, and noted."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from drumline.runtimes import confine, hands
from drumline.runtimes.answering import Tools as OwnTools
from drumline.runtimes.runtime import Start
from drumline.runtimes.threads import in_a_thread
from drumline.team.returned import RETURN_CAP
from drumline.team.ruling_words import ALLOWED, refusal
from drumline.team.scenario import ToolCall, Verb
from drumline.team.scenario_rounds import Result, filled, filled_call
from drumline.team.tools import asked_about

BASH = ("/bin/bash", "--noprofile", "--norc", "-c")
OUR_TOOLS = "mcp__drumline__"
PIECE, MOST_KEPT = 64 * 1024, 8 * 1024 * 1024  # bytes
VERB = "verb"
LONGEST_CALL = 120.0  # seconds, as the agent CLIs have it


class Tools:
    """What a scripted member can do, under the same guard and kernel as any other member."""

    def __init__(self, start: Start, seconds: float = LONGEST_CALL) -> None:
        self._start, self._seconds = start, seconds

    async def use(self, call: ToolCall | Verb, values: Mapping[str, str]) -> Result:
        """Make a call, unless the guard refuses it; what came back."""
        made = filled_call(call, values)
        event = self._event("PreToolUse", made)
        ruling = await asyncio.to_thread(self._start.guard.before, event)
        if ruling.get("decision") == "allow":
            ruling = await self._approved(made, event)
        if ruling.get("decision") != "allow":
            return Result(refusal(ruling), ok=False, refused=True)
        if isinstance(call, Verb):
            result = await self._verb(call, values)
        else:
            result = await self._tool(made)
        name = "PostToolUse" if result.ok else "PostToolUseFailure"
        told = {**self._event(name, made), **_response(result)}
        await asyncio.to_thread(self._start.guard.after, told)
        return result

    async def _approved(self, call: ToolCall, event: Mapping[str, Any]) -> Mapping[str, str]:
        """What a person says of a call, where the member's mode leaves it to one."""
        start, own = self._start, call.name.startswith(OUR_TOOLS)
        if start.approve is None or own or not asked_about(start.permission_mode, call.name):
            return ALLOWED
        return await start.approve(event)

    def _event(self, name: str, call: ToolCall) -> dict[str, Any]:
        return {
            "hook_event_name": name,
            "session_id": self._start.session,
            "cwd": str(self._start.work),
            "tool_name": call.name,
            "tool_input": dict(call.input),
        }

    async def _verb(self, call: Verb, values: Mapping[str, str]) -> Result:
        """One of our own commands: asked of the runner itself, not by a process."""
        words = filled(call.words, values)
        deed = partial(self._start.verbs.run, words, "", str(self._start.work))
        answer = await in_a_thread(deed, VERB)  # it may wait for a subagent, who needs threads too
        text = (answer.out + answer.err).strip()
        return Result(text, ok=answer.code == 0, refused=answer.err.startswith("refused:"))

    async def _tool(self, call: ToolCall) -> Result:
        if call.name.startswith(OUR_TOOLS):
            return await self._own_tool(call)
        if call.name == "Bash":
            return await self._run([*BASH, str(call.input.get("command", ""))])
        asked = {"tool": call.name, "input": self._placed(call.input)}
        done = await self._run([sys.executable, "-I", "-S", str(hands.__file__)], asked)
        if not done.ok:
            return done
        answer = json.loads(done.text)
        return Result(_capped(answer["text"]), ok=answer["ok"])

    async def _own_tool(self, call: ToolCall) -> Result:
        """A tool of ours: asked of the runner, as every agent's are."""
        verbs = self._start.verbs
        if not isinstance(verbs, OwnTools):
            return Result("its runner offers no tools", ok=False)
        name = call.name.removeprefix(OUR_TOOLS)
        facts, refused = await in_a_thread(partial(verbs.call, name, dict(call.input)), VERB)
        said = json.dumps(facts, ensure_ascii=False, default=str)
        return Result(_capped(said), ok=not refused)

    def _placed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The input with a path that does not depend on where the process stands."""
        path = given.get("file_path")
        if not isinstance(path, str):
            return dict(given)
        return {**given, "file_path": os.path.join(self._start.work, path)}  # noqa: PTH118 - as written

    async def _run(self, argv: Sequence[str], asked: Mapping[str, Any] | None = None) -> Result:
        process = await asyncio.create_subprocess_exec(
            *confine.launcher(self._start.confinement, self._start.leash),
            *argv,
            cwd=self._start.work,
            env=dict(self._start.variables),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT if asked is None else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        said = json.dumps(asked).encode() if asked is not None else b""
        try:
            out = await asyncio.wait_for(_heard(process, said), self._seconds)
        except TimeoutError:
            return Result(f"stopped after {self._seconds:g} seconds", ok=False)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        text = out.decode("utf-8", "replace")
        if process.returncode:
            return Result(f"{_capped(text)}\nexit code {process.returncode}", ok=False)
        return Result(text if asked is not None else _capped(text))


async def _heard(process: asyncio.subprocess.Process, said: bytes) -> bytes:
    """The beginning of what a process says; the rest is read and let go, however much it is."""
    assert process.stdin is not None  # noqa: S101 - both were asked for
    assert process.stdout is not None  # noqa: S101
    with suppress(ConnectionError):
        process.stdin.write(said)
        await process.stdin.drain()
        process.stdin.close()
    kept = bytearray()
    while piece := await process.stdout.read(PIECE):
        kept += piece[: MOST_KEPT - len(kept)]
    await process.wait()
    return bytes(kept)


def _response(result: Result) -> dict[str, Any]:
    if result.ok:
        return {"tool_response": {"stdout": result.text}}
    return {"error": result.text}


def _capped(text: str) -> str:
    return text if len(text) <= RETURN_CAP else f"{text[:RETURN_CAP]}…"
