"""What git's configuration does: set for one command, or written to stay."""

from __future__ import annotations

from drumline.team.shell.effect import GIT, HOLE, could_be, undecided, wrote
from drumline.team.shell.git_options import one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

HOOKS = "core.hookspath"

# section and variable, whatever stands between them
PROGRAMS = one_of(
    "core.pager core.sshcommand core.fsmonitor core.editor core.askpass core.gitproxy"
    " core.alternaterefscommand sequence.editor diff.external diff.command diff.textconv"
    " difftool.cmd mergetool.cmd merge.driver filter.clean filter.smudge filter.process"
    " credential.helper gpg.program gpg.defaultkeycommand interactive.difffilter"
    " uploadpack.packobjectshook remote.uploadpack remote.receivepack trailer.command"
    " trailer.cmd tar.command browser.cmd man.cmd hook.command submodule.update imap.tunnel"
    " sendemail.smtpserver sendemail.sendmailcmd sendemail.tocmd sendemail.cccmd"
)
ONLY_WITH_A_BANG = frozenset(["credential.helper", "submodule.update"])
NO_PROGRAM = frozenset(["", "true", "false", "yes", "no", "on", "off", "0", "1"])

LOSING = ("gc.prune", "gc.reflogexpire")
KEPT = frozenset(["", "never", "no", "false", "2.weeks.ago"])  # dates that lose nothing of late

READS = (
    "list",
    "get",
    "get-all",
    "get-regexp",
    "get-urlmatch",
    "get-color",
    "get-colorbool",
)
WRITES = (
    "add",
    "unset",
    "unset-all",
    "replace-all",
    "rename-section",
    "remove-section",
    "edit",
)
NEW_WRITES = frozenset(["set", "unset", "rename-section", "remove-section", "edit"])


def once(line: Line, settings: Iterable[tuple[str, str]]) -> list[Effect]:
    """What settings that hold for this one command do by themselves."""
    return [effect for key, value in settings for effect in _setting(line, key, value)]


def _setting(line: Line, key: str, value: str) -> list[Effect]:
    section, _, rest = key.partition(".")
    if HOLE in key or section in {"include", "includeif"}:
        return [undecided("a setting of git may name any program")]
    if key == HOOKS:
        return [line.did("hooks-skipped")]
    if key.startswith(LOSING):
        return [] if value in KEPT else [line.did("discard")]
    name = f"{section}.{rest.rpartition('.')[2]}"
    effects = [line.did("config", key)] if section in {"remote", "url"} else []
    if section == "pager" or name in PROGRAMS:
        effects += _program(line, name, value)
    return effects


def _program(line: Line, name: str, value: str) -> list[Effect]:
    if value.lower() in NO_PROGRAM:
        return []
    if name in ONLY_WITH_A_BANG and value[0] not in f"!/{HOLE}":
        return []
    return line.script(value.removeprefix("!"))


def _config(line: Line, options: Options) -> list[Effect]:
    if options.has(*READS):
        return []
    if options.open:
        return [undecided("git config may be told to write any key", GIT)]
    names = _written_names(options)
    effects = [line.did("config", name.lower()) for name in names]
    if any(could_be(name.lower(), HOOKS) for name in names):
        effects.append(line.did("hooks-skipped"))
    if effects and options.has("file"):
        effects.append(wrote(line.path(options.value("file"))))
    return effects


def _written_names(options: Options) -> list[str]:
    """The keys or sections a `git config` writes; an empty name where an editor decides."""
    words = options.rest
    if options.action in NEW_WRITES and not options.has(*WRITES):
        return _as_many_as(options.action, words[1:])
    asked = next((name for name in WRITES if options.has(name)), "")
    if asked or (len(words) > 1 and options.action not in {"get", "list"}):
        return _as_many_as(asked, words)
    return []


def _as_many_as(asked: str, words: list[str]) -> list[str]:
    if asked == "edit":
        return [""]
    return words[:2] if asked == "rename-section" else words[:1] or [""]


VERBS: dict[str, Verb] = {
    "config": (
        (
            "-f|--file= --blob= -t|--type= --default= --comment= --value= --url= -l|--list --get"
            " --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --add --unset"
            " --unset-all --replace-all --rename-section --remove-section -e|--edit --append"
        ),
        _config,
    )
}
