"""All that a prompt is made of, in order; a later step adds its source to this list.

A source for a heading that others fill too is read after them. The task side keeps its nine headings:
what is new there joins one of them.
"""

from drumline.team.prompt_system import SYSTEM_SIDE, SYSTEM_SOURCES
from drumline.team.prompt_task import TASK_SIDE, TASK_SOURCES

HEADINGS = (*SYSTEM_SIDE, *TASK_SIDE)
SOURCES = (*SYSTEM_SOURCES, *TASK_SOURCES)
