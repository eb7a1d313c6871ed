"""Lines that the SDK cannot read and would pass over in silence: whoever waits for an answer gets one."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCResponse,
)
from pydantic import ValidationError

from drumline.errors import BadInput
from drumline.surfaces.mcp.arguments import HALF

NEXT = "send it again as plain JSON: whole characters, and nested less deep"


def answer(error: Exception) -> JSONRPCError | JSONRPCResponse | None:
    """What is answered to a line that could not be read; nothing to a notification."""
    if not isinstance(error, ValidationError):
        return None
    why, said = error.errors()[0]["msg"], _said(error)
    if not isinstance(said, dict):
        return None if said == "" else _fault(None, PARSE_ERROR, f"a line is no message: {why}")
    number, method = said.get("id"), said.get("method")
    if "id" not in said or not isinstance(method, str):
        return None
    if isinstance(number, bool) or not isinstance(number, int | str) or HALF.search(str(number)):
        return _fault(None, INVALID_REQUEST, "an id is a number or a text")
    if method != "tools/call":
        return _fault(number, INVALID_REQUEST, why)
    return _refused(number, BadInput("the call cannot be read", why=why, next=NEXT))


def _said(error: ValidationError) -> Any:
    """The message, as far as it is one; the error's own account has it."""
    given = [each["input"] for each in error.errors()]
    whole = next((each for each in given if isinstance(each, dict) and "method" in each), given[0])
    if not isinstance(whole, str):
        return whole
    try:
        return json.loads(whole) if whole.strip() else ""
    except (ValueError, RecursionError):
        return None


def _fault(number: int | str | None, code: int, what: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=what))


def _refused(number: int | str, no: BadInput) -> JSONRPCResponse:
    facts = no.facts()
    content = [{"type": "text", "text": json.dumps(facts)}]
    result = {"content": content, "structuredContent": facts, "isError": True}
    return JSONRPCResponse(jsonrpc="2.0", id=number, result=result)
