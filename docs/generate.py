"""Write the pages that are made from the code: commands, tools, manifest, pipelines, rules and modules.

python docs/generate.py          write them
python docs/generate.py --check  say which are out of date, exit 1 if any
"""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from drumline.surfaces.cli.main import NOUNS, root
from drumline.surfaces.mcp.tool import Tool
from drumline.surfaces.mcp.tools import TOOLS
from drumline.team import registry
from drumline.team.manifest import schema
from drumline.team.pipeline import LOOP_LIMITS, Loop
from drumline.team.pipeline_form import schema as pipeline_schema
from drumline.team.pipeline_mermaid import as_mermaid
from drumline.team.pipeline_text import as_yaml
from drumline.team.pipelines import SHIPPED
from drumline.team.run_mode import MODES

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src" / "drumline"
START, END = "<!-- modules: start -->", "<!-- modules: end -->"


def commands() -> str:
    """Every command with its help, as a person sees it."""
    parts = ["# Every command", "", "Made from the code by `python docs/generate.py`.", ""]
    context = click.Context(
        root,
        info_name="drumline",
        max_content_width=90,
        terminal_width=90,
        help_option_names=root.context_settings["help_option_names"],
    )
    for noun in sorted(NOUNS):
        command = root.get_command(context, noun)
        if command is not None:
            for path, leaf in _leaves(command, noun, context):
                text = leaf.get_help(click.Context(leaf, info_name=leaf.name, parent=path))
                words = f"{path.command_path} {leaf.name}"
                parts += [
                    f"## `{words}`",
                    "",
                    *(f"    {x}".rstrip() for x in text.splitlines()),
                    "",
                ]
    return "\n".join(parts)


def _leaves(
    command: click.Command, name: str, parent: click.Context
) -> Iterator[tuple[click.Context, click.Command]]:
    if not isinstance(command, click.Group):
        command.name = name
        yield parent, command
        return
    here = click.Context(command, info_name=name, parent=parent)
    if command.invoke_without_command:
        command.name = name
        yield parent, command
    for child in command.list_commands(here):
        found = command.get_command(here, child)
        if found is not None and not found.hidden:
            yield from _leaves(found, child, here)


def manifest() -> str:
    """The fields of a manifest, from its own schema."""
    lines = [
        "# The manifest",
        "",
        "`.claude/team.yaml`, or `team.yaml` at the root. `drumline team schema` prints the JSON Schema",
        "for editors. Made from the code by `python docs/generate.py`.",
        "",
        "| field | needed | default | what it says |",
        "|---|---|---|---|",
        *_fields(schema(), ""),
        "",
    ]
    return "\n".join(lines)


def _fields(record: dict[str, Any], prefix: str) -> Iterator[str]:
    for name, field in record.get("properties", {}).items():
        needed = "yes" if name in record.get("required", ()) else ""
        default = f"`{field['default']}`" if "default" in field else ""
        says = str(field.get("description", "")).replace("|", "\\|")
        yield f"| `{prefix}{name}` | {needed} | {default} | {says} |"
        yield from _fields(field, f"{prefix}{name}.")
        yield from _fields(field.get("items", {}), f"{prefix}{name}[].")


TOOLS_PAGE = """\
# The tools

`drumline mcp` offers the team's verbs to an agent over the Model Context Protocol, on stdin and stdout.
Made from the code by `python docs/generate.py`.

- Inside a member's processes its runner answers, in the member's name and life. Nothing needs to be
  installed there, and nothing else is reached.
- An operator's own session is served directly, as the person at the terminal or as the member it says it
  is. This needs the extra: `pip install 'drumline[mcp]'`. To add it to a client:

      claude mcp add drumline -- drumline mcp
      codex mcp add drumline -- drumline mcp

An answer is the JSON of the command of the same name (`task_list` is `drumline task list --json`), as text
and as structured content; a list is called `result` there. A refusal is a result with `isError`, and has
`refused`, `why`, `next` and `error`; wrong arguments are named in `why`, one a line. A call that is
cancelled before it began is not carried out; one that runs comes to its end, and is not answered.
"""


def tools() -> str:
    """Every tool: what it is for, what it is given, and an example."""
    parts = [part for tool in TOOLS.values() for part in _tool(tool)]
    return "\n".join([TOOLS_PAGE, *parts])


def _tool(tool: Tool) -> Iterator[str]:
    yield from (f"## `{tool.name}`", "", f"{tool.description} {_hints(tool)}", "")
    if rows := list(_fields(tool.form, "")):
        heads = ("| field | needed | default | what it says |", "|---|---|---|---|")
        yield from (*heads, *rows, "")
        yield from (f"    {json.dumps(tool.example, ensure_ascii=False)}", "")


def _hints(tool: Tool) -> str:
    if tool.effect.reads_only:
        return "*Reads only.*"
    said = "Replaces what was there" if tool.effect.destroys else "Changes something"
    return f"*{said}; {'twice is once' if tool.effect.repeatable else 'twice is two times'}.*"


def rules() -> str:
    """The built-in constraints: what each refuses, whom it binds, the reason and the way out."""
    lines = [
        "# The rules",
        "",
        "Built in; `drumline policy show ID` prints one whole, with its clauses, probes and gaps.",
        "Made from the registry by `python docs/generate.py`.",
        "",
    ]
    for rule in registry.built_in()["constraints"]:
        binds = rule.get("applies", {})
        who = ", ".join(binds.get("roles", ())) or ("members" if binds else "everyone")
        lines += [
            f"## {rule['id']}: {rule['name'].replace('_', ' ')}",
            "",
            f"{rule['rule_type']}: {rule['text']} Binds {who}; {rule['severity']}.",
            "",
            f"- why: {rule['why']}",
            f"- next: {rule['next']}",
            *(f"- not held by the {gap['layer']}: {gap['reason']}" for gap in rule.get("gaps", ())),
            "",
        ]
    return "\n".join(lines)


PIPELINES_PAGE = """\
# Pipelines

A pipeline says which phases work goes through, who works in each, how hard their understanding is tried, and
who lets the next one begin. Each constitution brings one; a team may write its own. Made from the code by
`python docs/generate.py`.

    drumline pipeline list                          what there is, and which is in force
    drumline pipeline show --tier standard          the path of a change of that size
    drumline pipeline show constitution-4 --yaml    as a file to begin with
    drumline pipeline check                         everything wrong with the team's own, with its lines

Between two phases there is a gate, and nothing follows the phase that delivers. The size of a change
decides its path:

| tier | files | modules |
|---|---|---|
| trivial | at most 2 | 1 |
| standard | 3 | at most 2 |
| complex | 4 or more | 3 or more |

Where files and modules disagree, the larger size holds. What happens to a phase that has to be done again is
said by its loop; `iterations` is a second limit, and whichever is reached first decides:

| loop | at most | then |
|---|---|---|
{loops}

A run goes by one of these modes; who holds it to that is told where [runs](../explanation/runs.md) are:

| mode | what it means |
|---|---|
{modes}

## A team's own

One YAML file each in `drumline/pipelines`; members cannot change them. `drumline pipeline schema` prints the
JSON Schema for editors. A profile is one that the team's constitution ships, or a file of `.claude/agents`.
Besides what the fields allow, a pipeline is refused when

- its name is a preset's or another file's, or two of its phases have one name;
- a phase is on no path, or goes back to an earlier zone;
- a path names a phase that is not there, names one twice, leaves the order of phases, does not end with a phase
  that delivers, or has one before its end;
- a profile does not exist, or works in a phase that delivers;
- a phase without a profile asks something of members;
- fewer may work at most than at least; a challenge stands without `verified`;
- subagents are named for a phase that is not on that tier's path; the shares do not make 1 together.
"""


THEN = {
    Loop.VALIDATION: "it passes, with the gaps written down",
    Loop.FEASIBILITY: "a person decides",
    Loop.PLANNING: "it goes on, with the risks flagged",
    Loop.EXECUTION: "the member is started anew, then a person decides",
}


def pipelines() -> str:
    """The form of a pipeline, and the two that come with the constitutions."""
    heads = ("| field | needed | default | what it says |", "|---|---|---|---|")
    loops = "\n".join(f"| {each} | {LOOP_LIMITS[each]} | {THEN[each]} |" for each in Loop)
    modes = "\n".join(f"| {mode} | {rules.says} |" for mode, rules in MODES.items())
    parts = [
        PIPELINES_PAGE.format(loops=loops, modes=modes),
        *heads,
        *_fields(pipeline_schema(), ""),
        "",
    ]
    for name, pipeline in SHIPPED.items():
        parts += [f"## {name}", "", pipeline.description, "", "```mermaid"]
        parts += [as_mermaid(pipeline) + "```", "", "```yaml", as_yaml(pipeline) + "```", ""]
    return "\n".join(parts)


def architecture() -> str:
    """The architecture page with its list of modules renewed."""
    before, _, rest = (DOCS / "architecture.md").read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    rows = [f"| `{name}` | {line} |" for name, line in _modules()]
    listed = "\n".join([START, "", "| module | what it is |", "|---|---|", *rows, "", END])
    return before + listed + after


def _modules() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        first = " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")
        yield path.relative_to(SOURCE).as_posix(), first


PAGES = {
    "reference/commands.md": commands,
    "reference/manifest.md": manifest,
    "reference/mcp.md": tools,
    "reference/pipelines.md": pipelines,
    "reference/rules.md": rules,
    "architecture.md": architecture,
}


def outdated() -> list[str]:
    """The pages that no longer say what the code says."""
    return [
        page
        for page, write in PAGES.items()
        if not (DOCS / page).exists() or (DOCS / page).read_text(encoding="utf-8") != write()
    ]


if __name__ == "__main__":
    stale = outdated()
    if "--check" in sys.argv:
        sys.exit(f"out of date: {', '.join(stale)}" if stale else 0)
    for page in stale:
        (DOCS / page).write_text(PAGES[page](), encoding="utf-8")
