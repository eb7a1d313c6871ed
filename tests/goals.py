"""Teams that go for a goal, for tests: a lead that judges and members that work, as scenarios have it."""

from tests.running import ANSWER

LEAD = "  - {name: lea, role: Leads, runtime: scripted, scenario: play.yaml, tools: [Read], owns: []}\n"
POINTS = "[{point: quality, holds: 'yes', why: read}, {point: issues, holds: 'yes', why: none}, {point: conflicts, holds: 'yes', why: none}]"


def worker(name: str, profile: str = "implementer") -> str:
    return (
        f"  - {{name: {name}, role: Builds, runtime: scripted, scenario: play.yaml, profile: {profile},"
        " tools: [Read, Write, Edit, Bash], owns: ['**']}\n"
    )


def task(key: str, title: str, after: str = "[]", verify: str = "[]") -> str:
    return f"{{key: '{key}', title: '{title}', body: '', files: ['parts/**'], after: {after}, verify: {verify}}}"


def classifies(files: int, modules: int, *tasks: str) -> str:
    return f"""\
    - when: {{contains: "how many files the change touches"}}
      again: true
      steps:
        - structured: {{files: {files}, modules: {modules}, domains: 1, why: seen, tasks: [{", ".join(tasks)}]}}
"""


def plans(*tasks: str, phase: str = "") -> str:
    return f"""\
    - when: {{contains: "Plan the tasks of phase {phase}"}}
      again: true
      steps:
        - structured: {{why: it is enough, tasks: [{", ".join(tasks)}]}}
"""


def judges(
    verdict: str,
    *tasks: str,
    iteration: int | None = None,
    guidance: str = "",
    phase: str = "",
) -> str:
    """At every gate, or only at those of one iteration or of one phase."""
    where = f"Phase {phase} .*" if phase else ""
    which = rf"{iteration}\\." if iteration else ""
    return f"""\
    - when: {{matches: "{where}is done, iteration {which}"}}
      again: true
      steps:
        - structured: {{verdict: {verdict}, points: {POINTS}, summary: looked at, guidance: '{guidance}', tasks: [{", ".join(tasks)}]}}
"""


WORKS = """\
    - again: true
      steps:
        - tool: {name: Write, input: {file_path: "parts/{task}.txt", content: "by {member}\\n"}}
        - tool: {name: Bash, input: {command: "git add parts && git commit --quiet --allow-empty --message='{task}'"}}
""" + ANSWER.format(files='["parts/{task}.txt"]')


LOOKED_AT = "(Review|Audit) the work of"


def looks(verdict: str = "approve", when: str = LOOKED_AT, findings: str = "[]") -> str:
    """What whoever looks at others' work says of it."""
    return f"""\
    - when: {{matches: "{when}"}}
      again: true
      steps:
        - structured: {{verdict: {verdict}, summary: looked at, findings: {findings}}}
"""


def play(*lead: str, works: str = WORKS, looking: str = "") -> str:
    judging = "  lea:\n" + "".join(lead) if lead else ""
    return "scenario: a-goal\nmembers:\n" + judging + "  any:\n" + (looking or looks()) + works
