"""What version control other than git does, in git's words: hg, svn, jj and bzr."""

from __future__ import annotations

from drumline.team.shell.effect import GIT, git_did, known, undecided, wrote
from drumline.team.shell.git_options import one_of
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

# options that name a program, and sections of the configuration that may
STARTS = ("--editor-cmd", "--diff-cmd", "--diff3-cmd", "--command", "--program", "--tool-command")
SETTINGS = ("--config", "--config-toml", "--config-file", "--config-option")
STARTING = ("alias", "hook", "extension", "merge-tool", "ui.e", "ui.p", "ui.d", "ui.ssh", "fix")
CLEAN = ("-C", "--clean", "--force", "--discard")

MERCURIAL = {
    "": (
        "status st log history diff show cat annotate blame summary id identify heads tip parents"
        " branches tags outgoing out incoming in manifest files grep help version"
        " paths root verify config showconfig export glog debugcommands"
    ),
    "commit": (
        "commit ci amend rebase graft histedit backout import fold split absorb uncommit fetch"
        " transplant merge qnew qrefresh qpush qpop qfinish phase metaedit evolve unamend"
    ),
    "commit discard": "strip debugstrip rollback prune obsolete",
    "ref": "tag branch bookmark bookmarks topic",
    "push": "push email",
    "fetch": "pull unbundle",
    "index": "add addremove remove rm forget copy cp rename mv move resolve",
    "work-tree": "update up checkout co shelve unshelve bisect clone init share",
    "work-tree discard": "revert purge clean",
}
SUBVERSION = {
    "": (
        "status st stat log diff di info list ls cat blame praise annotate ann help version"
        " propget pget pg proplist plist pl mergeinfo"
    ),
    "commit push": "commit ci import lock unlock",
    "work-tree": "update up switch sw checkout co merge relocate upgrade patch export changelist cl",
    "work-tree discard": "revert cleanup",
    "index": (
        "add delete del remove rm move mv rename ren copy cp mkdir propset pset ps propdel pdel"
        " pd propedit pedit pe resolve resolved"
    ),
}
JUJUTSU = {
    "": (
        "status st log diff show evolog obslog interdiff help version root config_list config_get"
        " config_path file_list file_show file_annotate file_search op_log op_show op_diff"
        " operation_log operation_show operation_diff bookmark_list b_list branch_list tag_list"
        " workspace_list workspace_root git_remote_list sparse_list util_completion"
    ),
    "commit": (
        "commit ci describe desc new squash split rebase edit duplicate absorb fix parallelize"
        " metaedit sign unsign simplify-parents backout revert resolve diffedit next prev unsquash"
        " move merge checkout"
    ),
    "commit discard": "abandon restore undo redo op operation",
    "push": "git_push gerrit",
    "fetch": "git_fetch",
    "ref": "bookmark b branch tag git_import git_export",
    "config": "config git_remote git_colocation",
    "index": "file",
    "work-tree": "workspace sparse git_clone git_init git init util",
}
BAZAAR = {
    "": (
        "status st log diff di cat annotate ann blame praise info help version missing ls revno"
        " tags root whoami plugins export"
    ),
    "commit": "commit ci checkin uncommit merge rebase import fast-import",
    "push": "push send dpush",
    "fetch": "pull",
    "ref": "tag switch",
    "index": "add remove rm del mv rename move",
    "work-tree": "update up checkout co branch clone init init-repo shelve unshelve resolve",
    "work-tree discard": "revert clean-tree",
}
SYSTEMS = {
    "hg": ("-R --repository --cwd --config --color --pager --encoding -r --rev -m -b", MERCURIAL),
    "sl": ("-R --repository --cwd --config --color --pager -r --rev -m", MERCURIAL),
    "svn": ("--config-dir --config-option --username --password -r -m -F -c", SUBVERSION),
    "jj": ("-R --repository --config --config-toml --config-file --color --at-op -m -r", JUJUTSU),
    "bzr": ("-d --directory -m -r -F", BAZAAR),
    "brz": ("-d --directory -m -r -F", BAZAAR),
}
MADE_HERE = one_of("clone checkout co branch git_clone")


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What another version control does to history, files and remotes."""
    name = argv[0].rpartition("/")[2]
    valued, verbs = SYSTEMS[name]
    given = taken_apart(argv[1:], f"{valued} {' '.join(STARTS)}")
    words = given.operands
    if not words or given.has("--help") or words[0] == "help":
        return []
    started = _started(given, scene)
    if not all(known(word) for word in words[: 2 if name == "jj" else 1]):
        return [*started, undecided(f"which command of {name} this is cannot be told", GIT)]
    if words[:2] == ["util", "exec"] and name == "jj":
        inner = _behind("exec", argv)
        return [*started, *(scene.run(inner) if inner else ())]
    verb, told = _meaning(words, verbs)
    if told is None:
        return [*started, undecided(f"{name} {words[0]} may be an alias", GIT)]
    done = [git_did(what, "", argv) for what in _told(verb, told, given).split()]
    return [*started, *done, *_made(verb, words[1 + verb.count("_") :], scene)]


def _behind(word: str, argv: Sequence[str]) -> list[str]:
    rest = list(argv)[list(argv).index(word) + 1 :]
    return rest[1:] if rest[:1] == ["--"] else rest


def _meaning(words: Sequence[str], verbs: dict[str, str]) -> tuple[str, str | None]:
    """The verb, of up to three words, and its effects; hg also takes the beginning of one."""
    meanings = {verb: told for told, names in verbs.items() for verb in names.split()}
    for length in (3, 2, 1):
        verb = "_".join(words[:length])
        if len(words) >= length and verb in meanings:
            return verb, meanings[verb]
    begun = [verb for verb in meanings if verb.startswith(words[0]) and "_" not in verb]
    if verbs is not MERCURIAL or not begun:
        return words[0], None
    return begun[0], " ".join(meanings[verb] for verb in begun)


def _told(verb: str, told: str, given: Words) -> str:
    if "push" in told and given.has("-f", "--force", "--overwrite", "--deleted", "--delete"):
        return f"{told} force-push"
    if told == "work-tree" and given.has(*CLEAN):
        return f"{told} discard"
    if told == "ref" and len(given.operands) == 1:
        return ""
    at_remote = any("://" in word or word.startswith("^/") for word in given.operands[1:])
    if told == "index" and (at_remote or given.has("--revprop")):
        return "commit push"
    return "fetch work-tree" if verb == "pull" and given.has("-u", "--update") else told


def _made(verb: str, words: Sequence[str], scene: Scene) -> list[Effect]:
    """The folder of a copy, where it is made from an address."""
    if verb not in MADE_HERE or not any("/" in word or ":" in word for word in words):
        return []
    name = words[-1].rstrip("/").rpartition("/")[2].removesuffix(".git")
    return [wrote(scene.path(words[-1] if len(words) > 1 else f"./{name}"), tree=True)]


def _started(given: Words, scene: Scene) -> list[Effect]:
    """Programs named in the options, and settings that may name one."""
    texts = [text for option in STARTS for text in given.values.get(option, [])]
    found = [effect for text in texts for effect in scene.script(text)]
    settings = [text.lower() for option in SETTINGS for text in given.values.get(option, [])]
    if given.has("--config-file") or any(text.startswith(STARTING) for text in settings):
        found.append(undecided("a setting may name any program"))
    return found
