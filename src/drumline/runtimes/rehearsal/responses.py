"""The OpenAI Responses shape: what Codex asks in either of its ways, and the stream it understands."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from drumline.runtimes.rehearsal import codex_tools
from drumline.runtimes.rehearsal.exchange import (
    Answer,
    Asked,
    Speaker,
    Unreadable,
    effort_in,
    pieces_of,
)
from drumline.team.scenario import Usage
from drumline.team.scenario_rounds import Result

Event = dict[str, Any]

SESSION, THREAD, PARENT = "session-id", "thread-id", "x-codex-parent-thread-id"
ABOUT = "x-codex-turn-metadata"
SPOKEN = ("function_call", "custom_tool_call", "reasoning", "local_shell_call")
OUTPUTS = ("function_call_output", "custom_tool_call_output")
SURROUNDINGS = ("<environment_context>", "<user_instructions>", "# AGENTS.md")
INTERRUPTED = "<turn_aborted>"
INCOMPLETE = {"max_tokens": "max_output_tokens", "refusal": "content_filter"}
OVERLOADED, UNAVAILABLE = 529, 503
CODES = {
    400: "invalid_request_error",
    401: "invalid_api_key",
    404: "model_not_found",
    429: "rate_limit_exceeded",
    503: "server_is_overloaded",
}


def asked(body: Mapping[str, Any], headers: Mapping[str, str], member: str) -> Asked:
    """The question in a request: what came in since the last item of the model."""
    items = _items(body.get("input"))
    depth = sum(_is_spoken(each) for each in items)
    last = max((at for at, each in enumerate(items) if _is_spoken(each)), default=-1)
    news = items[last + 1 :]
    heard = "\n".join(_heard(news))
    return Asked(
        speaker=_speaker(headers, member),
        depth=depth,
        heard=heard,
        results=dict(_results(news)),
        offered=codex_tools.offered(body),
        model=str(body.get("model", "")),
        effort=effort_in(body.get("reasoning")),
        streamed=body.get("stream") is True,
        interrupted=INTERRUPTED in heard,
        aside=_kind(headers) != "turn",
    )


def _items(given: object) -> list[dict[str, Any]]:
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": given}]
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise Unreadable("input must be a text or a list of items")
    return given


def _speaker(headers: Mapping[str, str], member: str) -> Speaker:
    thread = headers.get(THREAD, "")
    return Speaker(member, headers.get(SESSION, thread), thread if headers.get(PARENT) else "")


def _kind(headers: Mapping[str, str]) -> str:
    try:
        about = json.loads(headers.get(ABOUT, "{}"))
    except ValueError:
        return "turn"
    return str(about.get("request_kind", "turn")) if isinstance(about, dict) else "turn"


def _is_spoken(item: Mapping[str, Any]) -> bool:
    """Whether an item is the model's own."""
    return item.get("type") in SPOKEN or item.get("role") == "assistant"


def _heard(items: list[dict[str, Any]]) -> Iterator[str]:
    """The words addressed to the model, without what Codex adds about the surroundings."""
    for item in items:
        if item.get("role") != "user" and item.get("type") != "agent_message":
            continue
        for said in _texts(item.get("content")):
            if said.strip() and not said.lstrip().startswith(SURROUNDINGS):
                yield said.strip()


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict):
            yield str(part.get("text", ""))


def _results(items: list[dict[str, Any]]) -> Iterator[tuple[str, Result]]:
    for item in items:
        if item.get("type") in OUTPUTS:
            name = str(item.get("call_id")).removeprefix("call_")
            yield name, codex_tools.result(item.get("output"))


def stream(answer: Answer, question: Asked) -> Iterator[Event]:
    """The events of an answer, in the order the API sends them."""
    for number, event in enumerate(_events(answer, question)):
        yield {**event, "sequence_number": number}


def _events(answer: Answer, question: Asked) -> Iterator[Event]:
    started = _response(answer, question, "in_progress", [])
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    items = _output(answer, question)
    for index, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": index, "item": _opened(item)}
        yield from _deltas(index, item)
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    status = _status(answer)
    yield {"type": f"response.{status}", "response": _response(answer, question, status, items)}


def whole(answer: Answer, question: Asked) -> Event:
    """An answer that is not streamed."""
    return _response(answer, question, _status(answer), _output(answer, question))


def error(status: int, said: str) -> Event:
    """The body of an error."""
    code = CODES.get(wire_status(status), "server_error")
    return {"error": {"message": said, "type": code, "code": code, "param": None}}


def failed(answer: Answer, question: Asked, said: str) -> Event:
    """The event that ends a stream which went wrong."""
    response = _response(answer, question, "failed", [])
    response["error"] = {"code": "server_error", "message": said}
    return {"type": "response.failed", "response": response}


def wire_status(status: int) -> int:
    """The status OpenAI has in the place of one of Anthropic's own."""
    return UNAVAILABLE if status == OVERLOADED else status


def _status(answer: Answer) -> str:
    return "incomplete" if answer.end in INCOMPLETE else "completed"


def _response(answer: Answer, question: Asked, status: str, items: list[Event]) -> Event:
    reason = INCOMPLETE.get(answer.end) if status == "incomplete" else None
    return {
        "id": f"resp_{answer.id}",
        "object": "response",
        "created_at": 0,
        "model": question.model,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "output": items,
        "usage": None if status == "in_progress" else _usage(answer.usage),
    }


def _usage(usage: Usage) -> Event:
    read = usage.input + usage.cache_read + usage.cache_write
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": usage.cache_read},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": read + usage.output,
    }


def _output(answer: Answer, question: Asked) -> list[Event]:
    said = [*answer.said]
    if answer.structured is not None:
        said.append(json.dumps(answer.structured))
    thoughts = [_thought(answer, *each) for each in enumerate(answer.thoughts)]
    words = [_words(answer, *each) for each in enumerate(said)]
    calls = [
        codex_tools.item(called, question.offered, malformed=answer.malformed)
        for called in answer.calls
    ]
    return [*thoughts, *words, *calls]


def _thought(answer: Answer, index: int, text: str) -> Event:
    return {
        "type": "reasoning",
        "id": f"rs_{answer.id}_{index}",
        "summary": [{"type": "summary_text", "text": text}],
        "encrypted_content": None,
    }


def _words(answer: Answer, index: int, text: str) -> Event:
    return {
        "type": "message",
        "id": f"msg_{answer.id}_{index}",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    }


def _opened(item: Event) -> Event:
    """An item before anything of it was streamed."""
    empty = {"content": [], "arguments": "", "input": "", "summary": []}
    return {**item, **{name: empty[name] for name in item if name in empty}}


def _deltas(index: int, item: Event) -> Iterator[Event]:
    place = {"item_id": item["id"], "output_index": index}
    kinds = {
        "message": ("response.output_text.delta", {"content_index": 0}),
        "function_call": ("response.function_call_arguments.delta", {}),
        "custom_tool_call": ("response.custom_tool_call_input.delta", {}),
        "reasoning": ("response.reasoning_summary_text.delta", {"summary_index": 0}),
    }
    kind, where = kinds[item["type"]]
    for piece in pieces_of(_streamed(item)):
        yield {"type": kind, **place, **where, "delta": piece}


def _streamed(item: Event) -> str:
    match item["type"]:
        case "message":
            return str(item["content"][0]["text"])
        case "reasoning":
            return str(item["summary"][0]["text"])
        case _:
            return str(item.get("arguments", item.get("input", "")))
