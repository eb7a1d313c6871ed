"""Which language people are spoken to in, and which one artefacts are written in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The two languages of a team."""

    people: str = "English"
    artefacts: str = "English"


def language_rule(language: Language) -> str:
    """The sentence every prompt carries."""
    if language.people == language.artefacts:
        return f"Write everything in {language.people}: what people read and every artefact."
    return (
        f"Speak to people in {language.people}. Write everything else in {language.artefacts}:"
        " files, code, comments, tasks and messages between members."
    )
