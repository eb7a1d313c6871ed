"""A mark for verbs that may be carried out as one statement of their own."""

from collections.abc import Callable
from typing import Any, TypeVar

Verb = TypeVar("Verb", bound=Callable[..., Any])


def at_once(verb: Verb) -> Verb:
    """Let a store commit this verb's common case with the statement itself.

    Only when it is called by itself: as a part of another verb it stands or falls with the whole.
    """
    verb.at_once = True  # type: ignore[attr-defined] # a function carries its mark
    return verb
