"""What Drumline owes its users: every promise by id, how far it is kept, and what is missing.

A row reads: id, state, source, sentence, and for a partial promise what it still lacks.
`held` and `partial` promises have at least one test that names them; `planned` ones have none yet.
Sources: the digits are the five founding documents, `+` is our own.
"""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    PLANNED = "planned"
    PARTIAL = "partial"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One promise; `missing` says what a partial one still lacks."""

    id: str
    state: State
    source: str
    sentence: str
    missing: str = ""


def read(table: str) -> dict[str, Requirement]:
    """The rows of a table, by id."""
    found: dict[str, Requirement] = {}
    for line in table.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, sentence, *missing = line.split(" :: ")
        name, state, source = head.split(maxsplit=2)
        if name in found:
            raise ValueError(f"{name} stands twice")
        found[name] = Requirement(name, State(state), source, sentence, *missing)
    return found


REQUIREMENTS = read(r"""
# TEAM: who works here
TEAM-01 held 4 :: A manifest, `.claude/team.yaml` by default (`team.yaml` at the root also found, `--manifest` overrides), declares team, description, defaults and members; members have name, role, tools, owns, and optional model, budget, permission-mode; defaults are sonnet, 0.50 USD, dontAsk
TEAM-02 held 4 :: A bad manifest is refused with file, line, field, what was found, what is allowed; every problem at once, not the first; nothing is changed
TEAM-03 held 3 + :: A member names its runtime (`claude`, `codex`, `scripted`, `command`), default `claude`; one team may mix runtimes
TEAM-04 held 1 2 :: Exactly one lead: a member, or a human; the lead delegates and does not edit project files itself; in a TRIVIAL run one implementer is started (a setting lets the lead work directly instead, and the guard follows it)
TEAM-05 held 1 2 :: Overlapping `owns` between members that may run at the same time is reported by `team check` with the files that collide
TEAM-06 held 0 4 :: `init` writes a manifest, memory files and policy for a repository, from one of three topologies: parallel sprint, isolated attention (front/back/QA), review swarm; it never overwrites, `--dry-run` shows the diff
TEAM-07 held 2 :: Agent profiles (`.claude/agents/*.md`) and skills (`.claude/skills/*/SKILL.md`) are read; `team check` reports unknown frontmatter fields, the total size of always-loaded skill descriptions against the budget max(2 % of the context window, 16,000 characters), and references to profiles or skills that do not exist
TEAM-08 held 4 :: Members can be added and removed on a living team: a new member is seeded from related members' learnings, a removed member's cross-agent notes are redistributed, its claims released
TEAM-09 held 0 :: Outside a team nothing changes for a single-agent user: role and team constraints are no-ops, `enabled: auto` detects a team at run time; destructive-command, secret and audit rules apply wherever our hooks are installed
TEAM-10 held 1 2 :: Language policy: the language for people and the language for artefacts are settings that reach every prompt
TEAM-11 held 1 2 :: Each preset ships its agent profiles with tools, denied tools, model, protocol level, edit and memory rights (six in `constitution-4`, seven in `constitution-10`); `init` writes them, `team check` compares
TEAM-12 held 2 :: `team check` and `doctor` report a MEMORY.md over 200 lines, the cost of always-loaded text (CLAUDE.md, rules, memory), and which skills fall out of the budget
TEAM-13 held 2 :: The effective tools of a profile are computed, including the Read/Write/Edit that a `memory` field adds; a no-edit role that gains edit this way is reported

# BOARD: the work
BOARD-01 held 2 :: Tasks: pending → in_progress → completed, and failed, cancelled; illegal moves are refused with the reason
BOARD-02 held 2 :: Dependencies (`blocked_by`), added at any time, cycles refused; a task is ready when all it waits for is completed; waves fall out of it
BOARD-03 held 2 + :: A claim is atomic: of any number of claimants on any number of hosts exactly one wins; a claim carries a lease and a fencing number; a stale holder's write is refused
BOARD-04 held 2 :: Self-claim: fewer members than tasks, same profile, each takes the next ready one (priority, then age)
BOARD-05 held 1 2 :: The lead is the only one who creates and edits tasks under preset `constitution-4`; under `constitution-10` members may also claim and complete their own
BOARD-06 held 2 :: One permanent task per run: created at start, metadata merged field by field under concurrency (no lost update), completed only by delivery
BOARD-07 held 1 2 :: Parallel tasks carry file sets; overlapping sets are refused when both would be in progress; only the integrator crosses boundaries
BOARD-08 held 2 :: Two sessions or hosts can share one board by name
BOARD-09 held 2 :: Status lag: a task in progress whose owner's turn settled with its output present is flagged for completion
BOARD-10 planned 2 :: Claude Code's own task files are mirrored both ways (see NATIVE); they know three states: failed and cancelled map to completed with a marker in metadata
BOARD-11 held 0 4 :: A task may carry an external tracker reference that appears in prompts, handoffs, commits and status; the tracker keeps the sprint lifecycle, the board coordinates
BOARD-12 held + :: Completion is verified, not claimed: a task may carry `verify` (argv); the runner, not the agent, runs it in the checkout on the commit handed in, `done` is refused with the tail of the output until it passes, and it runs again after the merge

# MAIL: what they tell each other
MAIL-01 held 2 :: Durable inbox per member: a sent message survives compaction, kill and restart, is delivered at least once, in order per sender, and stays until acknowledged
MAIL-02 held 1 :: Message kinds of the constitution (directive with injection, impact analysis, impact verified / rejected with re-briefing, verification question, context update, acknowledgement, status, plan with risk low/med/high, approval, rejection with reason and guidance, challenge, challenge response, memory update, phase broadcast) with a parser and a renderer for the bracketed text form; status is COMPLETE, BLOCKED, IN_PROGRESS, CONTEXT_RECEIVED, CONTEXT_PRESSURE or CONTEXT_LOST
MAIL-03 held 1 :: Broadcast is for phase transitions only
MAIL-04 held 2 :: Four channels on completing a task: signal on the permanent task (one line `STATUS|key:value`, ≤ 200 characters), output file (YAML head + Markdown body), micro-signal to the lead (`STATUS|key:value|ref:path`, ≤ 500), ready-signal to each consumer named by NOTIFY (`READY|path:…|fields:…`, ≤ 500); parsed, checked, refused when malformed; one call does all or none
MAIL-05 held 2 :: A message over its cap is refused with "write it to a file and send the reference": the lead is never a relay
MAIL-06 held 2 :: NOTIFY and AWAIT of a task's communication plan are carried out by the plane: the producer's completion signals consumers, a consumer is not started before its inputs are there
MAIL-07 held 1 :: Handoff levels per member and phase: L1 index (YAML ≤ 50 lines: files, status, decisions, unresolved), L2 summary (Markdown ≤ 200 lines: narrative, findings, blockers, recommendations, tools used), L3 folder; checked, with exact reasons when missing or malformed
MAIL-08 held 1 2 :: One output tree per run, `.drumline/runs/<run>/`: plan (with each member's context version), context versions, TEAM-MEMORY.md, `phase-N/` with the gate record and a folder per member (L1-index.yaml, L2-summary.md whose YAML head repeats the index and which is the output file of MAIL-04, L3-full/, task-context.md, handoff.yaml); enough to rebuild what happened
MAIL-09 held 1 2 :: Each kind has allowed sender and recipient roles: directives, verdicts, challenges, context updates and broadcasts only from the lead; members mail each other directly where the preset says; a forged verdict is refused and audited
MAIL-10 held 1 :: Whatever the runtime, a task cannot be completed nor a member go idle-done while its required L1/L2 are missing or invalid; after a set number of refusals it escalates instead of looping

# PIPE: phases, gates, loops
PIPE-01 held 1 2 :: Pipelines are data: presets `constitution-4` (9 phases, zones, profiles, counts, effort) and `constitution-10` (P0-P8, domains, skills, tiers); a team may write its own, checked on load
PIPE-02 held 2 :: Tiers: TRIVIAL ≤ 2 files in 1 module, STANDARD 3 files in 1-2 modules, COMPLEX ≥ 4 files or more modules; where files and modules disagree the higher wins; each tier's path of phases and execution mode; reclassification in mid-run needs a human
PIPE-03 held 1 :: A gate between phases: five-point checklist judged mechanically where a machine can and by the lead otherwise; verdict APPROVE, ITERATE or ABORT; a gate record file; no phase starts without its approval
PIPE-04 held 1 :: At most 3 iterations per phase; then ABORT or reduced scope
PIPE-05 held 2 :: Loop limits by category (brainstorm↔validate 3: then pass with documented gaps; feasibility 3: then fail to a human; plan↔verify 2: then proceed with risk flags; execution 2: then respawn, then human); attempts 1-2 strict, 3 relaxed; counts live on the permanent task; the phase limit of PIPE-04 is counted apart and whichever is reached first decides
PIPE-06 held 1 :: Spawn matrix: profile and count per phase, from modules or research domains
PIPE-07 held 2 :: Deferred spawn: analysts in parallel, coordinator started only when all signals say PASS, with file paths rather than contents; up to 3 files it reads itself, more it delegates with summaries
PIPE-08 held 2 :: Escalation ladder retry → nudge → respawn → restructure → human: a second failed retry goes to respawn; two or more members at respawn level trigger restructure first; three respawns on one task reach a human; each step recorded as `L{N}|reason` on the permanent task; a change of strategy always reaches a human, and the question always offers abort
PIPE-09 held 2 :: Strategic questions: 2-3 concrete options with a recommendation; the answer is recorded and reaches every affected prompt; the run waits without burning tokens
PIPE-10 held 1 :: Tool obligations per phase (mandatory, recommended, as needed) are checked from the audit trail at the gate
PIPE-11 held 2 :: The lead sees four views at low cost: observe, coordinate, enforce, synthesize
PIPE-12 held 2 :: Delivery: one commit per task, hooks as backpressure, final commit closes the permanent task
PIPE-13 held 2 :: Real-time improvement loop: observations are recorded with severity on the permanent task; HIGH and above are routed to the next wave, not to the end
PIPE-14 held 0 :: No task counts as delivered until it passed implement → review → audit, each by someone other than the author, each with a recorded verdict (a preset may merge review and audit for TRIVIAL)
PIPE-15 held 2 :: A COMPLEX run is planned first: task graph, team size and estimated tokens and cost are approved before any member is started
PIPE-16 held 2 :: Statements about the runtime are tagged as claims, stay unverified until a probe proves them, and may enter rules only then; a correction is a new claim; `doctor` lists unverified ones
PIPE-17 held 2 :: Every question to a person goes through the one structured queue; a member's own question tool is refused and routed to the lead
PIPE-18 held 2 :: Two modes per run beside the default: delegate (members coordinate among themselves, the lead only coordinates) and single-session (all spawns in background, the lead reads only the coordinator's synthesis), both enforced
PIPE-19 held 1 :: A phase's effort level reaches the runtime where it has one; the share of cost before, during and after execution is reported against the preset's target
PIPE-20 held + :: `run revert` takes a delivered run back out of the branch it was delivered to, and says what it undid

# PROTO: understanding before work
PROTO-01 held 1 2 :: Every directive carries the shared context and the task's own (embedded whole under `constitution-4`, by file reference under `constitution-10`); the member confirms the version it received; without that verification does not start
PROTO-02 held 1 :: An impact analysis precedes any work; sections / review points / attempts by protocol level: implementer and integrator 6/10/3, architect and tester 4/7/3, researcher 3/5/2, devil's advocate exempt
PROTO-03 held 1 + :: What a machine can judge it judges (sections present, own words rather than copied, named files and tasks exist, dependants named); the lead judges the rest, point by point
PROTO-04 held 1 :: Challenges in seven named categories (data), intensity by phase (3 plus an alternative, 2, 1, exempt, none); verification is withheld until they are answered; a failed defence is a rejection and uses an attempt
PROTO-05 held 1 :: A plan is submitted and approved before mutation (implementer, integrator); never approved before the impact is verified
PROTO-06 held 1 :: Out of attempts: abort the member and respawn it with an enriched brief
PROTO-07 held 1 + :: Until verified (and where required, approved) a member cannot write, run mutating commands or start subagents: the guard refuses, mechanically

# CTX: the shared brief
CTX-01 held 1 :: Numbered versions, monotonic, with who holds which
CTX-02 held 1 :: One version behind gets a delta (added, changed, removed); five named conditions force the full text
CTX-03 held 1 :: Acknowledgement carries items applied of total, impact, and continue / pause / need clarification; pause stops mutation (guard), need clarification opens a question to the lead
CTX-04 held 1 :: A gate stays shut while any active member is stale
CTX-05 held 1 :: Deviations from the approved design, found by comparing handoffs as they come and across members at the gate: cosmetic is logged, interface change re-briefs those affected, architecture change re-plans
CTX-06 held 2 :: Briefs are a noise filter: what a member needs, not all there is (others' tasks, rationale, other phases, rejected alternatives stay out); a brief over 30 % of the member's context budget is refused with what to cut, and a context version that alone exceeds it cannot be published

# GUARD: what they may touch
GUARD-01 held 0 :: A constraint registry (JSON, strict schema, semantic version) with id, name, rule type (MUST, MUST NOT, SHOULD, MAY …), text, why, severity, category, source, render target, and an optional condition (when and override text required, override type optional); those without a condition stay valid; a new optional field is a minor version
GUARD-02 held 0 :: Built in: lead-only planning skills, serialized issue-tracker commands (`br`), lead-owned state files (`.run/*.json`, top level), serialized git, read-only system zone (`.claude/`) (C-TEAM-001…005), and the conditional override of C-PROC-002; programs, paths and access are settings
GUARD-03 held 0 + :: Shell commands are judged by what they do, not by how they are spelled: quoting, wrappers (`env`, `xargs`, `bash -c`, `eval`, `find -exec`), command and process substitution, redirection, heredocs, `git -C`, aliases and functions defined in the same command; what cannot be decided statically is refused for a teammate only when it can reach a protected target, and says so
GUARD-04 held 0 :: Write, Edit, MultiEdit, NotebookEdit: system zone and top-level state files refused, sub-folders of state allowed; append-only files (audit log, notes) may be appended (`>>`) but not written, edited or truncated; paths are resolved (`..`, symlinks, case) before judging
GUARD-05 held 0 :: Skills by name, prefix and arguments stripped: the lead-only list is refused to teammates, everything else allowed; both lists of the seed are shipped
GUARD-06 held 1 2 :: Task API, subagents, `TaskOutput` and direct file edits by the lead are judged by role and preset
GUARD-07 held 1 4 :: A member writes only what it owns, and in a task only the task's file set
GUARD-08 held 1 :: Destructive commands, protected files (`.env*`, credentials, private keys, secrets), force-push to protected branches (main, master, release; a setting for all) and hook-skipping are refused for everyone
GUARD-09 held 0 :: Role and team constraints are a no-op when not a team member; unreadable input is allowed and recorded (fail-open), except where a constraint says fail-closed
GUARD-10 held 0 :: A refusal says what, why (constraint id) and the way out, in words an agent can act on
GUARD-11 held + :: What is fixed for a member's life (its checkout, system zone, our own state) also holds in the kernel where it can (Landlock, bind mounts on Linux): its process and all its children cannot write a protected path however the command was spelled; `doctor` says which layers are active
GUARD-12 held 3 :: Launch adds hooks through one managed, already merged settings fragment: user hooks survive unreordered, ours appear once however often we launch, other arrays replace, a non-array `hooks.X` is kept as found, a settings *file path* is neither parsed nor rewritten, paths are shell-quoted; project settings are never edited
GUARD-13 held 0 + :: Coverage is proved, not claimed: every constraint carries probes (must be refused / must be allowed); `policy coverage` runs them and prints advisory, mechanical and kernel columns and the gaps
GUARD-14 held 0 :: The advisory text (a Markdown section between markers with a hash) is generated from the registry; drift is detected
GUARD-15 held 2 :: Spawn rules (strongest model for the lead only by default, tools by profile, no nested teams, background only where required) are checked at launch
GUARD-16 held 0 2 + :: In a shared checkout commit and push are lead-only (C-TEAM-004); in its own checkout a member may commit on its own task branch only; push, other branches, merging to main, git hooks and config stay lead-only everywhere
GUARD-17 held 0 :: A refused lead-only operation can be filed as a request; the lead carries requests out one at a time and the requester hears the result
GUARD-18 partial 1 :: Commits and merges are scanned for secrets and protected files before they are made; a hit is refused with file and line, never the value :: every commit and merge a call's own words make, and all that a member hands in before it is merged; commits that scripts make in a person's own session, and what `git pull` brings there, are not seen
GUARD-19 held 0 + :: Compiled policy, hook scripts, store, tokens, audit files and processed spool cannot be changed by a member through any tool or child; only dropping into the incoming spool and appending audit lines are possible
GUARD-20 held 0 + :: Member, team, role, model, provider and trace reach hooks through documented `DRUMLINE_*` variables set at launch (`LOA_*` read as aliases; unset means empty); a member cannot change its own identity
GUARD-21 held 4 + :: A member's tools list, patterns such as `Bash(git:*)` included, is enforced by the judge for every runtime
GUARD-22 held + :: API keys and tokens are stripped from the environment of tool processes where the runtime allows it, and stated where it does not; network egress of members can be limited to listed hosts or ports where the kernel can

# AUDIT: what happened
AUDIT-01 held 0 :: Every mutating command, and every write or edit, becomes one JSON line with fixed keys (`ts, tool, command|file_path, exit_code, cwd, model, provider, trace_id, team_id, team_member`); never file contents; secrets redacted
AUDIT-02 held 0 :: Any number of members append at once without a torn or lost line; the file rotates; a failure to log never blocks the agent
AUDIT-03 held 2 + :: Tool use per member and phase is queryable (the gap 002 names)
AUDIT-04 held + :: `audit` filters, follows, and exports
AUDIT-05 partial 0 :: Start-up and `doctor` detect store, spool, audit or memory on NFS, CIFS, FUSE or a volume without atomic append or locking; they warn and write through the plane :: doctor and start-up find such volumes, memory among them, and the plane writes the trail for every session; memory is written by whoever carries the verb out, under a lock, not through the plane

# MEM: what they learn
MEM-01 held 4 :: `memory/agents/<name>/learnings.md` with four categories and dated entries (`added`, `from`); core 30 lines (5 or more references) + task-relevant 30; passing the cap triggers consolidation at once
MEM-02 held 4 :: Seed, inject, reflect, prune, transfer: each step a verb; a reflection's learnings go to the right member's file and category, deduplicated
MEM-03 held 4 :: `retro` merges similar entries, archives what was unreferenced for 21 days, promotes what 3 sprints confirmed, settles cross-agent notes within 14 days (merged, acted on, or discarded with the reason), keeps every file in its cap, writes the retrospective; nothing is lost: what leaves goes to the archive
MEM-04 held 4 + :: References are counted from real use so that core, stale and promoted are facts
MEM-05 held 4 :: Decisions file with `decided` date and `by` author
MEM-06 held 1 :: Team memory per run: section per member, seven fixed tags, own section only, relayed for members without edit rights, devil's advocate read-only, read before work starts, curated at gates, trimmed at 500 lines
MEM-07 held 4 :: Full-text recall over learnings, decisions and retros, across projects on the same store
MEM-08 held 4 :: Files are primary, readable and editable by hand; a hand edit is never overwritten

# RUN: members as processes
RUN-01 held 4 :: The Claude invocation: appended system prompt (role, owns, learnings, reflection protocol), model, tools, permission mode, budget, JSON output with the reflection schema, no session persistence where one-shot
RUN-02 held 4 :: The reflection is validated against its schema; a malformed one is kept, reported and retried once
RUN-03 held 2 :: The delegation prompt has nine sections in order; the communication plan is mandatory for dependent tasks
RUN-04 held 3 + :: Codex runs the same task through its own adapter; a `command` runtime runs any program that speaks the documented protocol; a `scripted` runtime needs no model and goes through the same hooks
RUN-05 held 1 + :: Each member that may write works in its own checkout (a shared clone) and branch; results are fetched and merged in task order, conflicts become a task for the integrator; a dirty checkout is never deleted
RUN-06 held 4 :: Budget per member, task and run, nested spawns counted once, cost and tokens accounted from what the runtime reports; no turn starts when spent plus reserve reaches the budget; overshoot is at most one response and is reported
RUN-07 held 2 + :: Time-outs, own session and subreaper, graceful then hard stop; no orphan survives its runner, no plane restart kills a healthy member, `down` stops all
RUN-08 held 2 + :: `doctor --probe` starts the installed agent CLI against a built-in scripted model on loopback and proves which hooks fire and block in this version, without a key, tokens or network
RUN-09 held 4 + :: The reflection drives the board: completed / partial / blocked / failed map to states and next moves; needs-human or blocked-by opens a question or a block; suggested next becomes a proposed task; files changed is compared with the real diff and a mismatch reported
RUN-10 held 1 2 :: A run ends in order: reports in, synthesis, shutdown request per member answered or timed out, processes stopped, checkouts and claims released, record closed but readable
RUN-11 held 2 :: What a member or subagent returns is capped at 30,000 characters; above that it is written to a file and only the reference enters the caller's context
RUN-12 held 2 :: MCP servers a task needs are checked before start; an unavailable one pauses the task and is never replaced by web tools; `doctor` finds unhealthy, ignored and duplicate registrations
RUN-13 held 1 2 :: A verified member may start one-shot subagents of the profiles its own allows, never a team; they have no inbox, report only to their starter, inherit its guards and count to its budget
RUN-14 held + :: Checkout set-up: `setup` (argv), `copy` and `link` lists in the manifest, run once per checkout, submodules included; `max_parallel` members at once
RUN-15 held + :: A usage limit reported by a runtime pauses every member on that account until it resets: shown with the time, not nudged, not a stall

# SYNC: nobody is left behind
SYNC-01 held 3 :: The turn-settled hook is a POSIX shell script: bounded read (256 KiB), atomic rename into the spool, no output, always exit 0, no network, no identity baked in
SYNC-02 held 3 :: The spool claims by rename in order of arrival (mtime, then name), recovers stale claims after 5 minutes by age before every drain, quarantines bad names, oversize and malformed files, ages out orphaned temp files, releases transient failures, keeps 1,000 / 24 h processed and 100 / 72 h invalid, mode 0600, with the message text stripped before it is kept
SYNC-03 held 3 :: Normalisers per runtime accept only the stop event and a JSON object, give a deterministic id (provider, session, turn, payload hash; no path, no text), recognise duplicates, never copy the last message
SYNC-04 held 3 :: Attribution by session, then transcript, then validated hints, then a cwd that is unique; evidence that disagrees is ambiguous; runtime, session owner and transcript root must fit; ambiguous, inactive, removed, lead and stale turns wake nobody, are filed as processed and counted by a named reason
SYNC-05 held 3 :: A turn wakes exactly one member after 15 s, coalesced by team and member
SYNC-06 held 3 :: Reconcile computes the member's agenda and its fingerprint; a nudge only if the agenda is news, no valid lease or report covers it, and no cooldown (ours or the watchdog's) holds; one nudge per fingerprint and incarnation
SYNC-07 held 3 :: Nudges go through a durable outbox: marked sending before, delivered on confirmation, at most once; retried only when the runtime refused it, dropped when the agenda moved on
SYNC-08 held 3 :: A settled turn is never progress, never extends a lease, never quiets the watchdog
SYNC-09 held 3 :: The drainer runs alone, in batches of 50 every 10 s, at once again when full, and survives any file
SYNC-10 held 3 :: Plane down while agents stop: everything is picked up on the next start if still relevant
SYNC-11 held 3 2 :: The watchdog notices work that stopped moving (no task, artefact or report progress) and climbs the ladder
SYNC-12 partial 3 + :: A drain summary and reasons are visible in `status`, dashboard and metrics :: in `status`, `spool status` and metrics; there is no dashboard yet
SYNC-13 held 3 :: Reconcile also runs on plane start, task change, arriving mail, end of tool activity and watchdog; with the turn hook absent nobody is forgotten, only later
SYNC-14 held 3 :: A member with a tool call in progress is busy: reconcile is postponed, no nudge is sent, it is looked at again when the call ends
SYNC-15 held 3 :: If the turn hook cannot be installed, launch goes on with a warning and a `doctor` finding; only guard hooks may stop a launch, and only where fail-closed
SYNC-16 held 3 :: Hook scripts are versioned; an upgrade leaves the old one in place while sessions that name it may run; a missing script never breaks a turn

# RECOVER
RECOVER-01 planned 1 :: Before compaction: a member whose handoff is older than its work is told to save; at 75 % context it reports pressure and is replaced with its own handoff injected
RECOVER-02 planned 1 :: After compaction: the session start hook injects the current context, task and handoff; the member is unverified again until it re-submits its impact analysis
RECOVER-03 held 1 2 :: The lead recovers the whole run from the store and the output tree: `run resume` continues exactly where it was
RECOVER-04 held + :: kill -9 of the plane or of any member at any instant loses no task, message, event, learning or verdict and repeats no side effect
RECOVER-05 held 1 :: After the lead loses context it is rebuilt from plan, board, current gate record and active members' L1 indexes; every active member then gets a fresh directive with the latest context version

# NATIVE: Claude Code's own agent teams
NATIVE-01 planned 0 3 :: `drumline claude …` starts the real CLI with the managed settings, environment and MCP server, so that its own team feature runs under our guards, audit and sync
NATIVE-02 planned 2 :: Its team, inbox and task files are read as they change and shown on the board; what members do there counts as there
NATIVE-03 planned 1 :: Idle and task-completed hooks refuse while required handoff files are missing; subagent start injects the current context version

# SEE: people
SEE-01 held 3 :: `status` answers in one screen: phase, gate, members, tasks, stale, blocked, cost, last nudge
SEE-02 planned 3 + :: A web dashboard, live: board, members, messages, gates to approve, questions to answer, audit, cost, timeline, dependency graph; works on a phone; no build step for users
SEE-03 planned + :: Replay: any past run can be stepped through event by event
SEE-04 held 2 + :: An MCP server gives every agent runtime the same verbs (tasks, mail, context, protocol, memory, handoff) under the same policy
SEE-05 planned 2 :: `doctor` scores the installation in ten categories with fixes
SEE-06 held + :: Long work shows progress; every command has `--json`
SEE-07 held + :: Takeover: `member attach` hands the session to the person's terminal, pauses the runner, and hands back

# SCALE
SCALE-01 held + :: SQLite embedded by default; PostgreSQL by changing one URL; one contract suite passes on both
SCALE-02 planned + :: Members on many hosts under one plane, placed by an existing engine; a host that dies loses its leases, not the work
SCALE-03 planned + :: 10,000 tasks, 1,000 members, 1,000,000 messages: cost per operation stays flat
SCALE-04 planned + :: `store prune` keeps events, messages, audit and runs within retention settings; nothing open is ever pruned
""")
