"""What the hook does on each event: rules on a call before it is made, notes it in the trail afterwards.

It answers a refusal as JSON and exits 0, because an exit code of 2 shows the model our command line: that
one is left for an answer that cannot be written. Input nobody can read is let through and noted, unless
a rule of this member says to fail closed.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.call import Call
    from drumline.team.identity import Identity

LONGEST_EVENT = 64 * 1024 * 1024
PLANE = "plane"  # the file in the state folder that says where the plane listens
PLANE_IN_TIME = 3  # seconds; a hook that waited in vain judges by itself
MOST_WORK = 5.0  # seconds of the processor: a hook that is given up on lets its call through


class OutOfTime(BaseException):
    """A call that takes too long to judge; nothing on the way may take it for an error of its own."""


def main(arguments: list[str]) -> int:
    """Answer one event; 0 unless a refusal cannot be written."""
    state = (arguments[0] if arguments else "") or ".drumline"
    answer = ""
    try:
        _limit_work()
        state = os.path.abspath(state)
        answer = _answer(sys.stdin.buffer.read(LONGEST_EVENT + 1), state)
    except BaseException as error:  # noqa: BLE001 - a guard that crashes must not let the call through
        answer = _failed(error, state)
    return _said(answer + "\n") if answer else 0


def _limit_work() -> None:
    """Be interrupted once too much was done; the signal module itself would cost 5 ms."""
    from _signal import (  # type: ignore[import-not-found]
        ITIMER_PROF,
        SIGPROF,
        setitimer,
        signal,
    )

    signal(SIGPROF, _out_of_time)
    setitimer(ITIMER_PROF, MOST_WORK)


def _out_of_time(_number: int, _frame: object) -> None:
    raise OutOfTime


def _said(answer: str) -> int:
    """0 once the answer is out; 2, which refuses the call, where nobody can be told."""
    left = answer.encode()
    try:
        while left:
            left = left[os.write(1, left) :]
    except OSError:
        return 2
    return 0


def _answer(raw: bytes, state: str) -> str:
    event = _event(raw)
    if event is None:
        return _unreadable(state)
    name = event.get("hook_event_name")
    if name == "PreToolUse":
        if not isinstance(event["tool_input"], dict):
            return _unreadable(state)
        return _before(event, state)
    if name in {"PostToolUse", "PostToolUseFailure"}:
        _after(event, state)
    elif name == "SessionStart" and (address := _runner()):
        _told_runner(address, event)  # the proof that this session's hooks do run
    elif name == "ConfigChange" and _who().member:
        return _encoded(
            {"decision": "block", "reason": "a member's settings do not change while it works"}
        )
    return ""


def _event(raw: bytes) -> dict[str, object] | None:
    from drumline.hooks.values import read_value

    if len(raw) > LONGEST_EVENT:
        return None
    try:
        found = read_value(raw)
    except (ValueError, RecursionError):
        return None
    return _whole(found) if isinstance(found, dict) else None


def _whole(event: dict[str, object]) -> dict[str, object]:
    """An event with a name and an input, where a runtime left them out or wrote them as text."""
    name, given = event.get("hook_event_name"), event.get("tool_input")
    if not isinstance(name, str) or not name:
        name = "PreToolUse" if event.get("tool_name") else ""
    if isinstance(given, str) and given.strip():
        given = _told(given)
    return {**event, "hook_event_name": name, "tool_input": given or {}}


def _told(text: str) -> object:
    """The value a text holds as JSON, else the text."""
    from drumline.hooks.values import read_value

    try:
        return read_value(text)
    except (ValueError, RecursionError):
        return text


def _before(event: dict[str, object], state: str) -> str:
    if address := _runner():
        ruling = _asked(address, event)
    elif (found := _asked_plane(event, state)) is not None:
        ruling = found
    else:
        call = _call(event, state)
        ruling = _ruled(call, event, state)
        if ruling["decision"] == "deny":
            _note(call, event, state, refused=ruling["constraint"])
        elif ruling["why"]:
            _note(call, event, state, note=ruling["why"])
    if ruling.get("decision") != "deny":
        return ""
    return denial(ruling)


def _runner() -> str:
    """Where the runner of the member whose processes these are listens, if it has one."""
    return os.environ.get("DRUMLINE_SOCKET", "")


def plane_at(state: str) -> str:
    """Where this host's plane listens; nothing where none is up."""
    try:
        file = os.open(os.path.join(state, PLANE), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(file, 200).decode("utf-8", "replace").strip()
    finally:
        os.close(file)


def _asked_plane(event: dict[str, object], state: str) -> dict[str, str] | None:
    """The plane's ruling, which saves us from loading the judge; None when we must judge ourselves."""
    address = plane_at(state)
    if not address:
        return None
    from drumline.hooks.asking import Unanswered, ask

    try:
        found = ask(address, {"ask": "rule", "event": _told_whose(event)}, PLANE_IN_TIME)
    except Unanswered:
        return None
    if found.get("decision") not in {"allow", "deny"}:
        return None
    return {name: str(said) for name, said in found.items()}


def _told_whose(event: dict[str, object]) -> dict[str, object]:
    """The event with what the plane cannot see: whose session this is, and its home."""
    from drumline.team.identity import ALIASES, VARIABLES

    names = (*VARIABLES.values(), *ALIASES.values(), "HOME", "TMPDIR")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return {**event, "session_environment": kept}


def _ruled(call: Call, event: dict[str, object], state: str) -> dict[str, str]:
    """The ruling of the files here; a member whose rules are lost is ruled on by none."""
    from drumline.hooks.ruling import rule, rules_for

    rules = rules_for(state, _who()).of(event)
    return rules.refusal() or rule(call, rules).facts()


def denial(ruling: dict[str, str]) -> str:
    """A refusal in the form both Claude Code and Codex take."""
    from drumline.team.ruling_words import refusal

    return _encoded(
        {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": refusal(ruling),
            }
        }
    )


def _asked(address: str, event: dict[str, object]) -> dict[str, str]:
    """The runner's ruling; when it is gone, nothing is allowed."""
    from drumline.hooks.asking import Unanswered, ask, gone

    try:
        found = ask(address, {"ask": "rule", "event": event})
        if found.get("decision") in {"allow", "deny"}:
            return {name: str(said) for name, said in found.items()}
        no = gone()
    except Unanswered as unanswered:
        no = unanswered
    from drumline.team.ruling_words import unjudged

    return unjudged(no.why, "a call nobody can rule on", no.next)


def _after(event: dict[str, object], state: str) -> None:
    if address := _runner():
        _told_runner(address, event)
        return
    from drumline.team.mutation import changes

    call = _call(event, state)
    if changes(call):
        _note(call, event, state)


def _told_runner(address: str, event: dict[str, object]) -> None:
    """Leave the note to the runner, whose trail nobody inside can write; a runner that is gone needs none."""
    from drumline.hooks.asking import Unanswered, ask

    try:  # noqa: SIM105 - contextlib would cost every note 3 ms
        ask(address, {"ask": "note", "event": event})
    except Unanswered:
        pass


def _note(call: Call, event: dict[str, object], state: str, **more: str) -> None:
    """One line in the trail, or told to the runner, whose trail it then is."""
    if address := _runner():
        _told_runner(address, {**event, "tool_name": call.tool, **more})
        return
    if (plane := plane_at(state)) and _told_plane(plane, {**event, "tool_name": call.tool, **more}):
        return
    from drumline.hooks.noting import note

    note(call, event, state, _who(), **more)


def _told_plane(address: str, event: dict[str, object]) -> bool:
    """Leave a note to the plane, which writes for all sessions of the host; false where it is gone."""
    from drumline.hooks.asking import Unanswered, ask

    try:
        ask(address, {"ask": "note", "event": _told_whose(event)}, PLANE_IN_TIME)
    except Unanswered:
        return False
    return True


def _call(event: dict[str, object], state: str) -> Call:
    from drumline.hooks.noting import call_of

    return call_of(event, os.path.dirname(state))


def _unreadable(state: str) -> str:
    """Input nobody can read: noted, and refused only where a rule of this member fails closed."""
    from drumline.hooks.ruling import rules_for
    from drumline.team.call import Call
    from drumline.team.judge import applies

    note = "the event could not be read"
    _note(Call("?", {}, os.path.dirname(state)), {}, state, note=note)
    rules = rules_for(state, _who())
    if rules.refusal():
        return denial(rules.refusal())
    constraints = rules.policy.get("constraints")
    for constraint in constraints if isinstance(constraints, list) else []:
        if constraint.get("fail") == "closed" and applies(constraint, rules.standing):
            return denial(
                {
                    "constraint": str(constraint["id"]),
                    "what": "a call that cannot be read",
                    "why": f"{note}, and this rule fails closed",
                    "next": "repeat the call; if it stays so, tell the lead",
                }
            )
    return ""


def _failed(error: BaseException, state: str) -> str:
    """A crash of ours: a member's call is refused, a person's own session goes on."""
    try:
        from drumline.team.call import Call

        note = f"the guard failed: {type(error).__name__}"
        _note(Call("?", {}, os.path.dirname(state)), {}, state, note=note)
        member = _who().member
    except BaseException:  # noqa: BLE001 - the trail may be what failed
        member = os.environ.get("DRUMLINE_MEMBER") or os.environ.get("LOA_TEAM_MEMBER") or ""
    if not member:
        return ""
    from drumline.team.ruling_words import unjudged

    return denial(unjudged(f"the guard failed ({type(error).__name__})"))


def _who() -> Identity:
    from drumline.team.identity import identity

    return identity(os.environ)


def _encoded(answer: dict[str, object]) -> str:
    import json  # only a refusal pays for it

    return json.dumps(answer)
