"""The same guard as shell scripts: one per concern, `jq` for the event, a `grep -E` per pattern, failing open.

What runs around one shell command: a guard against destruction and one for roles before it, a logger of
changes after it. `frugal` is the best that design could do: the event goes straight into `jq`, and bash
itself matches.
"""

from dataclasses import dataclass
from pathlib import Path

NOTHING_READ = '[[ -z "$command" ]] && exit 0'
READ = """input=$(cat)
command=$(echo "$input" | jq -r '.tool_input.command // empty' 2>/dev/null) || true"""
MATCH = """refuse_if() {
  if echo "$command" | grep -qE "$1" 2>/dev/null; then
    echo "refused: $2" >&2
    exit 2
  fi
}"""
FRUGAL_READ = """command=$(jq -r '.tool_input.command // empty' 2>/dev/null) || true"""
FRUGAL_MATCH = """refuse_if() {
  if [[ "$command" =~ $1 ]]; then
    echo "refused: $2" >&2
    exit 2
  fi
}"""
MEMBERS_ONLY = '[[ -z "${LOA_TEAM_MEMBER:-}" ]] && exit 0'

DESTRUCTIVE = {
    r"(^|;|&&|\|)\s*(sudo\s+)?rm\s+-[a-zA-Z]*(rf|fr)": "deleting whole trees",
    r"git\s+push\s+.*(--force|-f)(\s|$)": "forcing a push",
    r"git\s+reset\s+--hard": "throwing changes away",
    r"git\s+clean\s+-[a-zA-Z]*f": "deleting files nobody tracks",
}
LEADS_ONLY = {
    r"(^|/|;|&&|\|)\s*(sudo\s+)?br\s": "the tracker is the lead's (C-TEAM-002)",
    r"(^|[^>])>\s*\.run/[^/]*\.json": "state files are the lead's (C-TEAM-003)",
    r"(cp|mv)\s+.*\s+\.run/[^/]*\.json": "state files are the lead's (C-TEAM-003)",
    r"tee\s+(-[^a]\S*\s+)*\.run/[^/]*\.json": "state files are the lead's (C-TEAM-003)",
    r"(^|;|&&|\|)\s*(sudo\s+)?git\s+commit": "committing is the lead's (C-TEAM-004)",
    r"(^|;|&&|\|)\s*(sudo\s+)?git\s+push": "pushing is the lead's (C-TEAM-004)",
    r"(cp|mv)\s+.*\s+(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
    r"(^|[^>])>\s*(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
    r"tee\s+(-[^a]\S*\s+)*(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
    r"sed\s+-[a-zA-Z]*i.*(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
    r"install\s+.*(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
    r"patch\s+.*(\S*/)?\.claude/": "the system zone is the lead's (C-TEAM-005)",
}
CHANGES = (
    r"(^|&&|;|\|)\s*(sudo\s+)?(env\s+[^ ]+\s+)?"
    r"(git|npm|pip|cargo|rm|mv|cp|mkdir|chmod|chown|docker|make|yarn|pnpm|npx)\s"
)
LOGGER = """exit_code=$(echo "$input" | jq -r '.tool_result.exit_code // 0' 2>/dev/null)
if echo "$command" | grep -qEi '{changes}'; then
  mkdir -p .run 2>/dev/null
  jq -cn --arg ts "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg command "$command" \\
    --arg exit_code "$exit_code" --arg cwd "$PWD" --arg model "${{LOA_CURRENT_MODEL:-}}" \\
    --arg provider "${{LOA_CURRENT_PROVIDER:-}}" --arg trace_id "${{LOA_TRACE_ID:-}}" \\
    --arg team_id "${{LOA_TEAM_ID:-}}" --arg team_member "${{LOA_TEAM_MEMBER:-}}" \\
    '{{ts: $ts, tool: "Bash", command: $command, exit_code: ($exit_code | tonumber), cwd: $cwd,
      model: $model, provider: $provider, trace_id: $trace_id, team_id: $team_id,
      team_member: $team_member}}' >> .run/audit.jsonl 2>/dev/null
  size=$(stat -c%s .run/audit.jsonl 2>/dev/null || echo 0)
  if [[ "$size" -gt 10485760 ]]; then
    tail -n 1000 .run/audit.jsonl > .run/audit.kept && mv .run/audit.kept .run/audit.jsonl
  fi
fi"""
FRUGAL_LOGGER = """[[ -d .run ]] || mkdir .run
printf -v ts '%(%Y-%m-%dT%H:%M:%SZ)T'
jq -c --arg ts "$ts" --arg changes '{changes}' '
  select(.tool_input.command // "" | test($changes; "i"))
  | {{ts: $ts, tool: "Bash", command: .tool_input.command, exit_code: (.tool_result.exit_code // 0),
    cwd: .cwd, model: (env.LOA_CURRENT_MODEL // ""), provider: (env.LOA_CURRENT_PROVIDER // ""),
    trace_id: (env.LOA_TRACE_ID // ""), team_id: (env.LOA_TEAM_ID // ""),
    team_member: (env.LOA_TEAM_MEMBER // "")}}' >> .run/audit.jsonl 2>/dev/null"""


@dataclass(frozen=True, slots=True)
class BashHooks:
    """What runs before a shell command and after it, as commands to start."""

    before: tuple[list[str], ...]
    after: tuple[list[str], ...]


def as_planned(folder: Path) -> BashHooks:
    """Scripts as the plan says: read, `jq`, and a `grep` per pattern."""
    return _written(
        folder,
        destruction=_guard([READ, NOTHING_READ, MATCH], DESTRUCTIVE),
        roles=_guard([MEMBERS_ONLY, READ, NOTHING_READ, MATCH], LEADS_ONLY),
        logger=_script([READ, NOTHING_READ, LOGGER.format(changes=CHANGES)]),
    )


def frugal(folder: Path) -> BashHooks:
    """The same with as few processes as bash allows."""
    return _written(
        folder,
        destruction=_guard([FRUGAL_READ, NOTHING_READ, FRUGAL_MATCH], DESTRUCTIVE),
        roles=_guard([MEMBERS_ONLY, FRUGAL_READ, NOTHING_READ, FRUGAL_MATCH], LEADS_ONLY),
        logger=_script([FRUGAL_LOGGER.format(changes=CHANGES)]),
    )


def _guard(head: list[str], patterns: dict[str, str]) -> str:
    return _script([*head, *(f"refuse_if '{each}' \"{why}\"" for each, why in patterns.items())])


def _script(lines: list[str]) -> str:
    return "\n".join(["#!/usr/bin/env bash", *lines, "exit 0", ""])


def _written(folder: Path, *, destruction: str, roles: str, logger: str) -> BashHooks:
    paths = {}
    for name, text in {"destruction": destruction, "roles": roles, "logger": logger}.items():
        path = paths[name] = folder / f"{name}.sh"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o700)
    start = {name: ["bash", str(path)] for name, path in paths.items()}
    return BashHooks((start["destruction"], start["roles"]), (start["logger"],))
