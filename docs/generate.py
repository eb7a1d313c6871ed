"""Write the pages that are made from the code: commands, manifest and the list of modules.

python docs/generate.py          write them
python docs/generate.py --check  say which are out of date, exit 1 if any
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from drumline.surfaces.cli.main import NOUNS, root
from drumline.team import registry
from drumline.team.manifest import schema

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
