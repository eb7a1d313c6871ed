"""The pipelines a team can choose from: one for each constitution, and its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drumline.errors import Unknown
from drumline.team import pipeline_4, pipeline_10
from drumline.team.document import Problem, Reading
from drumline.team.fields import likeliest
from drumline.team.pipeline import Pipeline
from drumline.team.pipeline_form import Around, read_pipeline, refused
from drumline.team.text import is_name

SHIPPED: Mapping[str, Pipeline] = {
    each.name: each for each in (pipeline_4.PIPELINE, pipeline_10.PIPELINE)
}
PRESET = "a preset"


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineFile:
    """A file with a pipeline, or with what keeps it from being one."""

    file: str
    name: str
    pipeline: Pipeline | None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipelines:
    """What there is to choose from; `in_force` names the constitution's, and is empty without a team."""

    in_force: str = ""
    own: tuple[PipelineFile, ...] = ()

    def find(self, name: str = "") -> Pipeline:
        """A pipeline by its name, the one in force where none is given; or why there is none."""
        wanted = name or self.in_force
        if wanted in SHIPPED:
            return SHIPPED[wanted]
        for each in self.own:
            if each.name == wanted:
                if each.pipeline is None:
                    raise refused(each.file, each.problems)
                return each.pipeline
        raise self._unknown(wanted)

    def source(self, name: str) -> str:
        """Where a pipeline comes from: a file, or a preset."""
        return next((each.file for each in self.own if each.pipeline and each.name == name), PRESET)

    def _unknown(self, name: str) -> Unknown:
        known = [*SHIPPED, *(each.name for each in self.own if each.name)]
        close = likeliest(name, known)
        return Unknown(
            f"no pipeline {name[:80]!r}" if name else "no pipeline is in force here",
            why=f"there are {', '.join(known)}",
            next=f"drumline pipeline show {close}" if close else "drumline pipeline list",
        )


def read_own(
    readings: Sequence[tuple[str, Reading]], profiles: Sequence[str]
) -> tuple[PipelineFile, ...]:
    """Files by their names and what was read of them; of two with one name the first has it."""
    taken = dict.fromkeys(SHIPPED, PRESET)
    found = []
    for file, reading in readings:
        around = Around(profiles=profiles, taken=taken)
        pipeline, problems = read_pipeline(reading, around)
        name = _said_name(reading)
        found.append(PipelineFile(file=file, name=name, pipeline=pipeline, problems=problems))
        taken = {name: file} | taken if name else taken
    return tuple(found)


def _said_name(reading: Reading) -> str:
    """The name a file gives itself, whatever else is wrong with it; empty where it is none."""
    node = reading.root.fields().get("pipeline") if reading.root is not None else None
    name = node.value if node is not None else None
    return name if isinstance(name, str) and is_name(name) else ""
