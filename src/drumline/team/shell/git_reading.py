"""The verbs of git that read, that keep the object store, and that write a file named to them."""

from __future__ import annotations

from drumline.team.shell.effect import STAR, read, wrote
from drumline.team.shell.git_exchange import far_programs
from drumline.team.shell.git_line import written
from drumline.team.shell.git_options import one_of, options_of
from drumline.team.shell.git_settings import KEPT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.git_line import Line, Verb
    from drumline.team.shell.git_options import Options

QUIET = one_of(
    "status rev-parse ls-files ls-tree describe for-each-ref show-ref name-rev merge-base"
    " var check-ignore check-attr check-mailmap check-ref-format count-objects verify-commit"
    " verify-tag verify-pack version help cherry request-pull show-branch show-index stripspace"
    " column fmt-merge-msg get-tar-commit-id patch-id sh-i18n--envsubst upload-pack upload-archive"
    " credential-cache--daemon gitk hook repo last-modified"
)
OBJECTS = one_of(
    "repack pack-refs prune-packed multi-pack-index write-tree mktag mktree unpack-objects"
    " index-pack pack-objects commit-graph merge-tree update-server-info pack-redundant"
)
# those that take --output, and go through history or differences
SHOWING = one_of(
    "log diff show blame annotate shortlog rev-list whatchanged range-diff diff-tree diff-files"
    " diff-index diff-pairs"
)


TOLD = dict.fromkeys(QUIET, "") | dict.fromkeys(OBJECTS, "object")


_SUMMARIES = (
    *("stat", "numstat", "shortstat", "dirstat", "summary", "name-only", "name-status", "raw"),
    *("no-patch", "s", "quiet", "check"),
)
_ONLY_WITH_PATCH = one_of("log whatchanged rev-list shortlog diff-tree diff-files diff-index")
_SHOWING = (
    "--output= -p|-u|--patch -U|--unified= -c --cc -L= --stat? --numstat --shortstat --dirstat?"
    " --summary --name-only --name-status --raw -s|--no-patch --quiet --check -S= -G= -n="
    " --format= --since= --until= --author= --grep= --patch-with-stat"
)


def _show(line: Line, options: Options) -> list[Effect]:
    return [*written(line, *options.values("output")), *_shown(line, options)]


def _shown(line: Line, options: Options) -> list[Effect]:
    """The files whose text is shown, where they are named: by path, or as a revision has them."""
    asked = options.has("patch", "unified", "c", "cc", "L", "patch-with-stat")
    if not asked and (options.has(*_SUMMARIES) or line.verb in _ONLY_WITH_PATCH):
        return []
    ranged = [value.rpartition(":")[2] for value in options.values("L")]
    return [read(path) for word in [*options.rest, *ranged] for path in _named(line, word)]


def _named(line: Line, word: str) -> list[str]:
    """The path that a pathspec or a `revision:path` may mean."""
    if word.startswith((":!", ":^", ":(exclude")):
        return []
    revision, colon, inside = word.partition(":")
    if not colon:
        return [line.path(word.replace("*", STAR))]
    plain = inside.partition(")")[2] if inside.startswith("(") else inside.lstrip("/")
    plain = plain[2:] if not revision and plain[1:2] == ":" else plain  # `:0:path`, a stage
    folder = line.folder if plain.startswith("./") else line.top
    return [f"{folder}/{plain.removeprefix('./').replace('*', STAR)}"]


def _cat_file(line: Line, options: Options) -> list[Effect]:
    if options.has("e", "t", "s", "batch-check"):
        return []
    return [read(path) for word in options.rest if ":" in word for path in _named(line, word)]


def _format_patch(line: Line, options: Options) -> list[Effect]:
    named = options.values("output-directory", "output")
    if named or options.has("stdout"):
        return written(line, *named)
    return [wrote(line.path(f"{STAR}{options.value('suffix') or '.patch'}"))]


def _archive(line: Line, options: Options) -> list[Effect]:
    packed = [read(path) for word in options.rest[1:] for path in _named(line, word)]
    return [*written(line, *options.values("output")), *far_programs(line, options), *packed]


def _bundle(line: Line, options: Options) -> list[Effect]:
    if options.action == "create":
        return written(line, *[name for name in options.rest[1:2] if name != "-"])
    return [line.did("object")] if options.action == "unbundle" else []


def _fast_export(line: Line, options: Options) -> list[Effect]:
    return written(line, *options.values("export-marks"))


def _report(line: Line, options: Options) -> list[Effect]:
    folder = options.value("output-directory") or "."
    return [wrote(line.path(f"{folder}/git-{line.verb}-{STAR}"))]


def _grep(line: Line, options: Options) -> list[Effect]:
    pagers = [pager for pager in options.values("open-files-in-pager") if pager]
    found = [effect for pager in pagers for effect in line.script(pager)]
    if options.has("files-with-matches", "files-without-match", "count", "quiet"):
        return found
    paths = options.after or options.operands[0 if options.has("e", "f") else 1 :]
    return [*found, *[read(path) for word in paths for path in _named(line, word)]]


def _difftool(line: Line, options: Options) -> list[Effect]:
    return [effect for text in options.values("extcmd") for effect in line.script(text)]


def _for_each_repo(line: Line, options: Options) -> list[Effect]:
    del options
    command = options_of(line.words, "--config=", permuted=False).rest
    return line.run(["git", *command]) if command else []


def _merge_index(line: Line, options: Options) -> list[Effect]:
    return [line.did("work-tree"), *line.run(options.rest[:1])]


def _gc(line: Line, options: Options) -> list[Effect]:
    lost = any(date not in KEPT for date in options.values("prune"))
    return line.all("object discard" if lost else "object")


def _prune(line: Line, options: Options) -> list[Effect]:
    return [] if options.has("dry-run") else line.all("object discard")


def _fsck(line: Line, options: Options) -> list[Effect]:
    return [line.did("object")] if options.has("lost-found") else []


def _maintenance(line: Line, options: Options) -> list[Effect]:
    if options.action in {"", "is-needed"}:
        return []
    return line.all("object" if options.action == "run" else "config:maintenance")


def _hash_object(line: Line, options: Options) -> list[Effect]:
    return [line.did("object")] if options.has("w") else []


def _credential(line: Line, options: Options) -> list[Effect]:
    quiet = options.action in {"", "fill", "capability", "get"}
    return [] if quiet else [line.did("config", "credential")]


def _merge_file(line: Line, options: Options) -> list[Effect]:
    return [] if options.has("stdout") else written(line, *options.rest[:1])


def _trailers(line: Line, options: Options) -> list[Effect]:
    return written(line, *options.rest) if options.has("in-place") else []


def _mail(line: Line, options: Options) -> list[Effect]:
    if line.verb == "mailinfo":
        return written(line, *options.rest[:2])
    return [wrote(line.path(folder), tree=True) for folder in options.values("o")]


def _unpack_file(line: Line, options: Options) -> list[Effect]:
    return [wrote(line.path(f".merge_file_{STAR}"))] if options.rest else []


VERBS: dict[str, Verb] = dict.fromkeys(SHOWING, (_SHOWING, _show))
VERBS |= {
    "format-patch": (
        (
            "-o|--output-directory= --output= --stdout --suffix= --start-number= -v|--reroll-count="
            " --subject-prefix= --to= --cc= --in-reply-to= --signature= --signature-file= --base="
            " --interdiff= --range-diff= --add-header= --filename-max-length= --creation-factor="
            " --cover-from-description= --description-file= --from? --thread? --attach? --inline?"
        ),
        _format_patch,
    ),
    "archive": (
        (
            "-o|--output= --exec= --format= --prefix= --add-file= --add-virtual-file= --remote="
            " --mtime="
        ),
        _archive,
    ),
    "bundle": ("--version=", _bundle),
    "fast-export": ("--export-marks=", _fast_export),
    "bugreport": ("-o|--output-directory= -s|--suffix= --diagnose?", _report),
    "diagnose": ("-o|--output-directory= -s|--suffix= --mode=", _report),
    "grep": (
        (
            "-O|--open-files-in-pager? -e= -f= -A|--after-context= -B|--before-context="
            " -C|--context= -m|--max-count= --max-depth= --threads= -l|--name-only|--files-with-matches"
            " -L|--files-without-match -c|--count -q|--quiet"
        ),
        _grep,
    ),
    "difftool": ("-x|--extcmd= -t|--tool= --output=", _difftool),
    "cat-file": ("-e -t -s -p --batch? --batch-check? --path= --filters --textconv", _cat_file),
    "for-each-repo": ("--config=", _for_each_repo),
    "merge-index": ("-o -q", _merge_index),
    "gc": ("--prune? --max-cruft-size= --expire-to=", _gc),
    "prune": ("-n|--dry-run --expire=", _prune),
    "fsck": ("--lost-found", _fsck),
    "maintenance": ("--task= --schedule= --scheduler= --config-file=", _maintenance),
    "hash-object": ("-w -t= --path=", _hash_object),
    "credential": ("", _credential),
    "credential-store": ("--file=", _credential),
    "credential-cache": ("--timeout= --socket=", _credential),
    "merge-file": ("-p|--stdout -L= --marker-size= --diff-algorithm=", _merge_file),
    "interpret-trailers": (
        "--in-place --trailer= --where= --if-exists= --if-missing= --cleanup=",
        _trailers,
    ),
    "mailinfo": ("--encoding= --quoted-cr=", _mail),
    "mailsplit": ("-o= -d= -f=", _mail),
    "unpack-file": ("", _unpack_file),
}
