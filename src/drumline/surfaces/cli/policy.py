"""The rules: list and show them, check the team's own, render them, ask the judge."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from drumline import wiring
from drumline.control import policy
from drumline.errors import Conflict, DrumlineError
from drumline.surfaces.cli import desk, proof, scan
from drumline.surfaces.cli.output import columns, facts, json_flag, show
from drumline.surfaces.cli.place import placed
from drumline.team import advice
from drumline.team.constraint import schema
from drumline.team.manifest import Manifest
from drumline.wiring import claims, guards

LONGEST_ROW = 8 * 1024 * 1024


@click.group(name="policy")
def command() -> None:
    """The rules members are held to, and the judge that holds them."""


command.add_command(proof.coverage)
command.add_command(proof.settings)
command.add_command(scan.scan)


@command.command(name="list")
@placed
def list_rules(*, as_json: bool) -> None:
    """List every rule in force."""
    rules = policy.in_force(_files(), _manifest())["constraints"]
    show(rules, columns(_row(rule) for rule in rules), as_json=as_json)


@command.command(name="show")
@click.argument("rule_id", metavar="ID")
@placed
def show_rule(rule_id: str, *, as_json: bool) -> None:
    """Show one rule: what it refuses, why, and the way out."""
    rule = policy.one(_files(), rule_id, _manifest())
    show(rule, _rule_lines(rule), as_json=as_json)


@command.command(name="check")
@placed
@click.pass_context
def check(ctx: click.Context, *, as_json: bool) -> None:
    """Check the team's own rules, drumline/policy.json; exit 1 on problems."""
    files = _files()
    found = policy.problems(files) + claims.problems(files, desk.here_or_none())
    lines = [problem.at(files.own_file) for problem in found] or ["ok: no problems"]
    show({"problems": list(map(asdict, found)), "ok": not found}, lines, as_json=as_json)
    ctx.exit(1 if found else 0)


@command.command(name="schema")
@json_flag
def show_schema(*, as_json: bool) -> None:
    """Print the JSON Schema of drumline/policy.json, for editors."""
    found = schema()
    show(found, [json.dumps(found, indent=2, ensure_ascii=False)], as_json=as_json)


@command.command(name="render")
@click.option("--into", metavar="FILE", help="Put the section into this file, such as CLAUDE.md.")
@click.option(
    "--check", "checked", metavar="FILE", help="Say whether the file's section is current."
)
@placed
def render(into: str | None, checked: str | None, *, as_json: bool) -> None:
    """Print the rules as Markdown between markers, for a prompt or CLAUDE.md."""
    manifest = _manifest()
    section = policy.advised(policy.in_force(_files(), manifest), manifest)
    if checked:
        wrong = advice.drift(_read(checked), section)
        if wrong:
            raise Conflict(f"{checked}: {wrong}", next=f"drumline policy render --into {checked}")
        show({"file": checked, "current": True}, [f"ok: {checked} is current"], as_json=as_json)
    elif into:
        changed = _put(into, section)
        said = "written" if changed else "unchanged"
        show({"file": into, "changed": changed}, [f"{said}: {into}"], as_json=as_json)
    else:
        show({"section": section}, section.splitlines(), as_json=as_json)


@command.command(name="compile")
@placed
def compile_rules(*, as_json: bool) -> None:
    """Write the compiled rules and every member's standing for the hooks."""
    desk.refuse_teammates("put rules in force")
    settings = desk.here()
    name = guards.publish_policy(settings)
    show({"policy": name}, [f"policy {name} is in force"], as_json=as_json)


@command.command(name="judge")
@placed
def judge(*, as_json: bool) -> None:
    """Rule on calls: JSON lines in, one ruling a line out.

    A row needs "tool", and whose call it is: "member", one of the team's, or "role": lead, teammate,
    or "" for a person alone. "input" is the object the tool is given, "cwd" the folder it is called
    in, "isolation" own or shared. A row that cannot be read is allowed and marked "unreadable".

    {"tool": "Bash", "input": {"command": "git push"}, "role": "teammate"}
    """
    del as_json  # its answers are JSON in any case
    bench = guards.open_bench(desk.here_or_none())
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if line.strip():
            click.echo(json.dumps(_ruled(bench, line, number), ensure_ascii=False))


def _ruled(bench: guards.Judging, line: bytes, number: int) -> Mapping[str, Any]:
    """A ruling, or why a row could not be judged: its own fault never stops the rows after it."""
    try:
        row = json.loads(line[:LONGEST_ROW])
        if not isinstance(row, dict):
            raise ValueError("not an object")  # noqa: TRY301, TRY004 - one way out for a bad row
        if why := policy.unreadable(row):
            raise ValueError(why)  # noqa: TRY301 - as above
        return bench.rule(row)
    except (ValueError, RecursionError) as error:
        return {
            "decision": "allow",
            "constraint": "",
            "why": f"row {number} cannot be read: {error}",
            "next": "mend the row",
            "unreadable": True,
        }
    except DrumlineError as error:
        return {"decision": "deny", "constraint": "", "why": error.what, "next": error.next}


def _files() -> policy.PolicyFiles:
    return guards.policy_files(desk.here_or_none())


def _manifest() -> Manifest | None:
    settings = desk.here_or_none()
    return wiring.manifest_of(settings) if settings is not None else None


def _row(rule: Mapping[str, Any]) -> tuple[str, ...]:
    to = rule.get("applies", {})
    who = ", ".join(to.get("roles", ())) or ("members" if to else "everyone")
    return rule["id"], rule["severity"], who, rule["text"]


def _rule_lines(rule: Mapping[str, Any]) -> Iterator[str]:
    yield from facts(
        {
            "id": rule["id"],
            "name": rule["name"],
            "rule": f"{rule['rule_type']}: {rule['text']}",
            "why": rule["why"],
            "next": rule["next"],
            "severity": rule["severity"],
            "binds": _row(rule)[2],
            "if unreadable": f"fails {rule.get('fail', 'open')}",
            "source": rule["source"],
        }
    )
    for clause in rule["refuse"]:
        yield f"refuses  {json.dumps(clause, ensure_ascii=False)}"
    for gap in rule.get("gaps", ()):
        yield f"gap      {gap['layer']}: {gap['reason']}"


def _read(name: str) -> str:
    try:
        return Path(name).read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Conflict(f"{name} cannot be read", why=str(error), next="name a text file") from error


def _put(name: str, section: str) -> bool:
    before = _read(name)
    after = advice.put_into(before, section)
    if after != before:
        Path(name).write_text(after, "utf-8")
    return after != before
