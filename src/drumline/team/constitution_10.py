"""The seven agent profiles of `constitution-10`: members claim their own work and write to each other."""

from drumline.team.preset import MemoryRight, PresetProfile
from drumline.team.profile import Profile

READING = ("Read", "Grep", "Glob", "TaskList", "TaskGet", "TaskUpdate", "SendMessage")
EDITING = ("Edit", "Write", "NotebookEdit")

PROFILES = (
    PresetProfile(
        profile=Profile(
            name="analyst",
            description="Judges code, plans and results along one dimension. Changes nothing.",
            tools=READING,
            denied=("TaskCreate", *EDITING, "Bash"),
            model="sonnet",
        ),
        level=3,
        memory=MemoryRight.RELAYED,
        duties=(
            "Keep to the one dimension you were given; others have the rest.",
            "End with a verdict and the evidence for it.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="researcher",
            description="Finds out what code, documentation and the web say. Changes nothing.",
            tools=(*READING, "WebSearch", "WebFetch", "ToolSearch"),
            denied=("TaskCreate", *EDITING, "Bash"),
            model="sonnet",
        ),
        level=3,
        memory=MemoryRight.RELAYED,
        duties=(
            "Prove a claim about a tool by trying it or by its documentation, never by memory.",
            "When a server you need is unavailable, stop and say so; use no substitute.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="coordinator",
            description="Reads the findings of several members and makes one answer of them.",
            tools=(*READING, "Task(analyst, researcher)"),
            denied=("TaskCreate", *EDITING, "Bash"),
            model="sonnet",
        ),
        level=2,
        memory=MemoryRight.RELAYED,
        duties=(
            "Take paths, read the files yourself, and hand on one synthesis.",
            "Where more than three files are to be read, let helpers of your own read them.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="implementer",
            description="Writes and tests code for one task at a time, inside that task's files.",
            tools=(*READING, "Edit", "Write", "Bash"),
            denied=("TaskCreate",),
            model="sonnet",
        ),
        level=1,
        memory=MemoryRight.OWN_SECTION,
        edits=True,
        duties=(
            "Claim a ready task, finish it, report it, then look for the next.",
            "One task is one commit; when a check fails, mend the cause and try again.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="infra-implementer",
            description="Changes how the agents themselves are set up: profiles, skills, settings.",
            tools=(*READING, "Edit", "Write"),
            denied=("TaskCreate", "Bash"),
            model="sonnet",
        ),
        level=1,
        memory=MemoryRight.OWN_SECTION,
        edits=True,
        duties=(
            "Change the set-up and nothing of the project itself.",
            "Use only fields the runtime knows; drumline team check tells.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="delivery-agent",
            description="Closes a run: checks that all is there, writes the record, commits.",
            tools=(*READING, "Edit", "Write", "Bash(git:*)"),
            denied=("TaskCreate",),
            model="sonnet",
        ),
        level=2,
        memory=MemoryRight.OWN_SECTION,
        edits=True,
        duties=(
            "Deliver only what passed its gates.",
            "Complete the permanent task with the final commit, never before.",
        ),
    ),
    PresetProfile(
        profile=Profile(
            name="pt-manager",
            description="Keeps the board and the run's permanent task in order.",
            tools=(*READING, "TaskCreate"),
            denied=(*EDITING, "Bash"),
            model="sonnet",
        ),
        level=0,
        memory=MemoryRight.READ_ONLY,
        duties=(
            "Merge into the permanent task field by field; never replace what others wrote.",
            "There is one permanent task per run.",
        ),
    ),
)
