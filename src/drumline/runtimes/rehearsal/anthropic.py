"""The Anthropic Messages shape: what Claude Code asks, and the stream it understands."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from drumline.runtimes.rehearsal.exchange import (
    Answer,
    Asked,
    Speaker,
    Unreadable,
    broken,
    effort_in,
    pieces_of,
)
from drumline.runtimes.rehearsal.refusals import is_refusal
from drumline.team.scenario import Usage
from drumline.team.scenario_rounds import TOOL_USE, Result

Event = dict[str, Any]

SESSION, AGENT = "x-claude-code-session-id", "x-claude-code-agent-id"
STRUCTURED = "StructuredOutput"
TOOL_ID = "toolu_"
INTERRUPTED = "[Request interrupted by user"
AFTER_A_REFUSAL = "stopped by a safety classifier"
STOPS = {
    "stop": "end_turn",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    TOOL_USE: "tool_use",
}
ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


def asked(body: Mapping[str, Any], headers: Mapping[str, str], member: str) -> Asked:
    """The question in a request: what came in since the last words of the assistant."""
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        raise Unreadable("messages must be a list of messages")
    depth = sum(each.get("role") == "assistant" for each in messages)
    news = _since_the_assistant(messages)
    said = _heard(news, first=depth == 0)
    heard = "\n".join(said)
    return Asked(
        speaker=Speaker(member, headers.get(SESSION) or "", headers.get(AGENT) or ""),
        depth=depth,
        heard=heard,
        results=dict(_results(news)),
        offered=frozenset(_offered(body.get("tools"))),
        model=str(body.get("model", "")),
        effort=effort_in(body.get("output_config")),
        streamed=body.get("stream") is True,
        interrupted=INTERRUPTED in heard,
        insists=bool(said) and AFTER_A_REFUSAL in said[-1],
    )


def _since_the_assistant(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    last = max(
        (at for at, each in enumerate(messages) if each.get("role") == "assistant"), default=-1
    )
    return messages[last + 1 :]


def _heard(messages: list[dict[str, Any]], *, first: bool) -> list[str]:
    """The words addressed to the model, without what Claude Code adds about the surroundings.

    What a background task reports comes as a reminder too: a later message of nothing else is heard.
    """
    texts = [
        str(block.get("text", ""))
        for message in messages
        if not (first and message.get("role") == "system")
        for block in _blocks(message)
        if block.get("type") == "text"
    ]
    said = [_REMINDER.sub("", text).strip() for text in texts]
    return [text for text in (said if first or any(said) else texts) if text]


def _blocks(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = content if isinstance(content, list) else []
    return [block for block in listed if isinstance(block, dict)]


def _results(messages: list[dict[str, Any]]) -> Iterator[tuple[str, Result]]:
    for message in messages:
        for block in _blocks(message):
            if block.get("type") == "tool_result":
                text = "\n".join(str(each.get("text", "")) for each in _blocks(block))
                failed = block.get("is_error") is True
                refused = failed and is_refusal(text)
                yield _our_id(block), Result(text, not failed, refused)


def _our_id(block: Mapping[str, Any]) -> str:
    return str(block.get("tool_use_id")).removeprefix(TOOL_ID)


def _offered(tools: object) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            yield str(tool.get("name", ""))


def stream(answer: Answer, question: Asked) -> Iterator[Event]:
    """The events of an answer, in the order the API sends them."""
    content, stop = _content(answer, question), _stop(answer, question)
    yield {"type": "message_start", "message": _message(answer, question, [], None)}
    for index, block in enumerate(content):
        yield from _block(index, block, malformed=answer.malformed)
    delta = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": _usage(answer.usage)}
    yield {"type": "message_stop"}


def whole(answer: Answer, question: Asked) -> Event:
    """An answer that is not streamed."""
    return _message(answer, question, _content(answer, question), _stop(answer, question))


def error(status: int, said: str) -> Event:
    """The body of an error."""
    return {"type": "error", "error": {"type": ERRORS.get(status, "api_error"), "message": said}}


def tokens(body: Mapping[str, Any]) -> Event:
    """An estimate of a request's size, where it is asked for."""
    return {"input_tokens": len(json.dumps(body)) // 4}


def _message(answer: Answer, question: Asked, content: list[Event], stop: str | None) -> Event:
    return {
        "id": f"msg_{answer.id}",
        "type": "message",
        "role": "assistant",
        "model": question.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": _usage(answer.usage),
    }


def _usage(usage: Usage) -> Event:
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
    }


def _stop(answer: Answer, question: Asked) -> str:
    in_words = answer.structured is not None and STRUCTURED not in question.offered
    return STOPS["stop" if in_words else answer.end]


def _content(answer: Answer, question: Asked) -> list[Event]:
    thoughts = [{"type": "thinking", "thinking": each, "signature": ""} for each in answer.thoughts]
    said = [{"type": "text", "text": each} for each in answer.said]
    calls = [_tool_use(called.id, called.call.name, called.call.input) for called in answer.calls]
    return [*thoughts, *said, *calls, *_structured(answer, question)]


def _structured(answer: Answer, question: Asked) -> list[Event]:
    """A structured answer as the tool Claude Code takes it by, or as words where it is not offered."""
    if answer.structured is None:
        return []
    if STRUCTURED in question.offered:
        return [_tool_use(f"{answer.id}_s", STRUCTURED, answer.structured)]
    return [{"type": "text", "text": json.dumps(answer.structured)}]


def _tool_use(name: str, tool: str, given: Mapping[str, Any]) -> Event:
    return {"type": "tool_use", "id": f"{TOOL_ID}{name}", "name": tool, "input": dict(given)}


def _block(index: int, block: Event, *, malformed: bool) -> Iterator[Event]:
    start, deltas = _parts(block, malformed=malformed)
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _parts(block: Event, *, malformed: bool) -> tuple[Event, list[Event]]:
    """How a block begins, and the pieces it comes in."""
    match block["type"]:
        case "text":
            pieces = [{"type": "text_delta", "text": piece} for piece in pieces_of(block["text"])]
            return {**block, "text": ""}, pieces
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            signed = {"type": "signature_delta", "signature": "rehearsal"}
            return {**block, "thinking": ""}, [thought, signed]
        case _:
            given = json.dumps(block["input"])
            given = broken(given) if malformed else given
            return {**block, "input": {}}, [
                {"type": "input_json_delta", "partial_json": piece} for piece in pieces_of(given)
            ]
