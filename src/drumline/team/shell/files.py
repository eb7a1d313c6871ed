"""What the ordinary file programs write, delete and read."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, TREE, Effect, endangered, undecided, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.options import taken_apart
from drumline.team.shell.outputs import OUTPUTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.scene import Scene

_READERS = frozenset(
    "cat head tail less more bat nl tac xxd od hexdump strings cut wc base64 base32 md5sum sha1sum "
    "sha256sum sha512sum cksum column fold fmt rev paste join comm diff cmp colordiff vimdiff view iconv cpp "
    "pv hexyl ccat lolcat batcat b2sum sum uuencode "
    "jq cat.exe most pygmentize glow zcat bzcat xzcat zless file source expand pr".split()
)
_SEARCHERS = frozenset("grep egrep fgrep rg ag ack zgrep".split())
_SEARCH_VALUED = (
    "-e -f -m -A -B -C -D -d -g -t -T --regexp --file --max-count --include --exclude --exclude-dir "
    "--pre --pre-glob --color? --colour? --label --glob --type --type-not --context --after-context --before-context"
)
_SPLIT_VALUED = (
    "-a -b -C -l -n -t --bytes --lines --number --filter --line-bytes --suffix-length --separator "
    "--additional-suffix --numeric-suffixes? --hex-suffixes?"
)
_CP_VALUED = "-t -S -Z? --target-directory --suffix --context?"


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What this program does to files; nothing for one we know nothing of."""
    name = argv[0].rpartition("/")[2]
    program = _PROGRAMS.get(name) or OUTPUTS.get(name)
    if program is not None:
        return program(argv[1:], scene)
    if name in _READERS:
        return _reading([word for word in argv[1:] if not word.startswith("-")], scene)
    if name in _SEARCHERS:
        return _search(argv[1:], scene)
    return _harm(name, argv)


def _harm(name: str, argv: Sequence[str]) -> list[Effect]:
    """What a program does to the machine as a whole."""
    if name.startswith("mkfs") or name in {"wipefs", "fdisk", "sfdisk", "parted", "mkswap"}:
        return [endangered("rewrites a disk", name)]
    if name == "kill" and "-1" in argv[2:]:
        return [endangered("ends every process", " ".join(argv))]
    if name in {"shutdown", "reboot", "halt", "poweroff", "killall5"}:
        return [endangered("stops the machine", name)]
    return []


def _reading(names: Sequence[str], scene: Scene) -> list[Effect]:
    return [did_read(scene.path(name)) for name in names if name != "-"]


def _search(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, _SEARCH_VALUED)
    named = given.has("-e", "-f", "--regexp", "--file", "--files")
    names = given.operands if named else given.operands[1:]
    found = [Effect("read", scene.path(name), tree=True) for name in names if name != "-"]
    program = given.value("--pre")  # started on each file that is searched
    for name in (names or ["."]) if program else ():
        found += scene.run([program, f"{name}/{HOLE}"])
        found += scene.run([program, name])
    return found


def _rm(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, plain="--recursive --force --help --version")
    if given.has("--help", "--version"):
        return []
    deep = given.has("-r", "-R", "--recursive")
    forced = deep and given.has("-f", "--force")
    names = [name for name in given.operands if name]  # "" is no file
    found = [_deleted(scene.path(name), deep=deep, forced=forced) for name in names]
    if forced and not given.operands and not scene.lost_a_word:
        found.append(endangered("recursive delete without a target", "rm -rf"))
    return found


def _deleted(path: str, *, deep: bool, forced: bool) -> Effect:
    gone = wrote(path, "delete", tree=deep)
    gone.words = ("recursive", "forced") if forced else ("recursive",) if deep else ()
    return gone


def _delete(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-n -s --iterations --size")
    return [wrote(scene.path(name), "delete") for name in given.operands if name]


def _into(sources: Sequence[str], target: str, scene: Scene, *, sure: bool) -> list[Effect]:
    """Files that land in a folder, or in a file of that name where it is not sure to be a folder."""
    folder = scene.path(target)
    found = [wrote(folder, "into")] if sure else [wrote(folder), wrote(folder, "into")]
    names = [source.rstrip("/").rpartition("/")[2] for source in sources]
    found += [wrote(f"{folder}/{name}", tree=True) for name in names if name not in {"", ".", ".."}]
    return found


def _targets(words: Sequence[str], valued: str, scene: Scene) -> tuple[list[str], list[Effect]]:
    """The sources of cp and its kin, and what they write."""
    given = taken_apart(words, valued)
    names = given.operands
    folder = given.value("-t", "--target-directory")
    if folder:
        return names, _into(names, folder, scene, sure=True)
    if len(names) < 2:  # noqa: PLR2004 - a source and a target
        return names, []
    *sources, target = names
    sure = len(sources) > 1 or target.endswith("/") or target in {".", ".."}
    return sources, _into(sources, target, scene, sure=sure)


def _cp(words: Sequence[str], scene: Scene) -> list[Effect]:
    sources, found = _targets(words, _CP_VALUED, scene)
    if len(sources) == 1 and found:
        scene.copied(found[0].subject, scene.path(sources[0]))
    given = taken_apart(words, _CP_VALUED, plain="--link --symbolic-link --recursive --archive")
    if given.has("-l", "-s", "--link", "--symbolic-link"):
        found += [wrote(scene.path(name)) for name in sources]  # another name for the same file
    deep = given.has("-r", "-R", "-a", "--recursive", "--archive")
    return [Effect("read", scene.path(name), tree=deep) for name in sources] + found


def _mv(words: Sequence[str], scene: Scene) -> list[Effect]:
    sources, found = _targets(words, "-t -S --target-directory --suffix", scene)
    gone = [wrote(scene.path(source), "delete", tree=True) for source in sources]
    if len(sources) == 1 and found:
        scene.copied(found[0].subject, scene.path(sources[0]))
    return gone + found


def _install(words: Sequence[str], scene: Scene) -> list[Effect]:
    valued = "-t -S -g -m -o --target-directory --suffix --group --mode --owner"
    given = taken_apart(words, valued, plain="--directory")
    if given.has("-d", "--directory"):
        return [wrote(scene.path(name)) for name in given.operands]
    return _targets(words, valued, scene)[1]


def _ln(words: Sequence[str], scene: Scene) -> list[Effect]:
    sources, found = _targets(words, "-t -S --target-directory --suffix", scene)
    names = taken_apart(words, "-t -S").operands
    if not any(word.startswith("-") and "s" in word for word in words):
        found += [wrote(scene.path(name)) for name in sources]  # a second name for the same file
    if len(names) == 2 and found:  # noqa: PLR2004 - a source and a target
        scene.links_to(scene.path(names[1]), scene.path(sources[0]))
    if len(names) == 1:
        found = [wrote(scene.path(names[0].rpartition("/")[2]))]
    return found


def _rsync(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words,
        "-e -f -B -T -M --rsh --exclude --include --filter --files-from --exclude-from --port",
    )
    asked = given.value("-e", "--rsh")
    found = list(scene.script(asked)) if asked else []
    if given.has("-n", "--dry-run", "--list-only") or len(given.operands) < 2:  # noqa: PLR2004 - a source and a target
        return found
    *sources, target = given.operands
    if given.has("--remove-source-files"):
        found += [
            wrote(scene.path(name), "delete", tree=True) for name in sources if ":" not in name
        ]
    if ":" in target.partition("/")[0]:
        return found
    deletes = any(flag.startswith(("--del", "--delete")) for flag in given.flags)
    merged = all(name.endswith("/") for name in sources)
    folder = scene.path(target)
    if deletes and (folder in {"/", scene.home, scene.root} or folder.count("/") == 1):
        found.append(endangered("deletes all that the source lacks", folder))
    if merged:
        found += [wrote(folder, tree=deletes), wrote(folder, "into")]
        return [*found, undecided("what it copies cannot be told", TREE, folder)]
    return found + _into(sources, target, scene, sure=target.endswith("/"))


def _tee(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, plain="--append")
    how = "append" if given.has("-a", "--append") else "write"
    return [wrote(scene.path(name), how) for name in given.operands if name != "-"]


def _dd(words: Sequence[str], scene: Scene) -> list[Effect]:
    found: list[Effect] = []
    for word in words:
        name, _, value = word.partition("=")
        if name == "of":
            path = scene.path(value)
            found.append(wrote(path))
            if path.startswith("/dev/") and path not in {"/dev/null", "/dev/stdout", "/dev/stderr"}:
                found.append(endangered("rewrites a disk", path))
        elif name == "if":
            found.append(did_read(scene.path(value)))
    return found


def _truncate(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-s -r -o --size --reference")
    return [wrote(scene.path(name)) for name in given.operands]


def _touch(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-d -r -t --date --reference")
    return [wrote(scene.path(name), "attributes") for name in given.operands]


def _mkdir(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-m -Z --mode")
    return [wrote(scene.path(name), "folder") for name in given.operands]


def _chmod(words: Sequence[str], scene: Scene) -> list[Effect]:
    deep = taken_apart(words, plain="--recursive").has("-R", "--recursive")
    names = [word for word in words if not (word.startswith("-") and word[1:2].isupper())]
    names = [word for word in names if not word.startswith("--") and word not in {"-v", "-c", "-f"}]
    mode, names = (names[0], names[1:]) if names else ("", [])
    found = [wrote(scene.path(name), "attributes", tree=deep) for name in names]
    if _for_everyone(mode):
        found.append(endangered("opens files to everyone", f"chmod {mode}"))
    return found


def _for_everyone(mode: str) -> bool:
    """Whether a mode lets everyone write."""
    if mode.isdecimal():
        return mode[-1] in "2367"
    asked = [
        part for part in mode.split(",") if "w" in part.partition("+")[2] + part.partition("=")[2]
    ]
    who = [part.replace("=", "+").partition("+")[0] for part in asked]
    return mode == "+rwx" or any(each and set(each) & set("oa") for each in who)


def _chown(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "--from --reference", plain="--recursive")
    deep = given.has("-R", "--recursive")
    names = given.operands if given.has("--reference") else given.operands[1:]
    return [wrote(scene.path(name), "attributes", tree=deep) for name in names]


def _sort(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-o -k -t -S -T --output --key --field-separator --parallel")
    out = given.value("-o", "--output")
    return _reading(given.operands, scene) + ([wrote(scene.path(out))] if out else [])


def _second_is_written(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Input, then output, as uniq has it."""
    names = taken_apart(words, "-f -s -w -c -l -g -o").operands
    return _reading(names[:1], scene) + [wrote(scene.path(name)) for name in names[1:2]]


def _in_place(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Each file named is rewritten, as gzip does."""
    given = taken_apart(words, "-S -T --suffix", plain="--stdout --list --test")
    if given.has("-c", "--stdout", "-l", "-t", "--list", "--test"):
        return _reading(given.operands, scene)
    return [wrote(scene.path(name)) for name in given.operands]


def _yq(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-o -p --output-format --input-format --arg --from-file")
    files = given.operands[1:]
    if given.has("-i", "--inplace", "--in-place"):
        return [wrote(scene.path(name)) for name in files]
    return _reading(files, scene)


def _patch(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "-p -i -d -o -D -F -r -V -Y -z -B --input --directory --output --strip --reject-file"
    )
    if given.has("--dry-run", "-C", "--help", "--version"):
        return []
    out = given.value("-o", "--output") or (given.operands[0] if given.operands else "")
    if out:
        return [wrote(scene.path(out))]
    folder = scene.path(given.value("-d", "--directory") or ".")
    return [undecided("a patch may name any file", TREE, folder)]


def _split(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, _SPLIT_VALUED)
    names = given.operands
    reading = _reading(names[:1], scene)
    piece = (names[1] if len(names) > 1 else "x") + HOLE
    script = given.value("--filter")
    if script:  # a shell does this with each piece, and nothing else is written
        return [*reading, *scene.run(("sh", "-c", script), variables={"FILE": piece})]
    return [*reading, wrote(scene.path(piece))]


def _csplit(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-b -f -n --prefix --suffix-format --digits")
    prefix = given.value("-f", "--prefix") or "xx"
    ending = given.value("-b", "--suffix-format").replace("%d", "").rpartition("%")[2]
    return [
        *_reading(given.operands[:1], scene),
        wrote(scene.path(f"{prefix}{HOLE}{ending}")),
    ]


_PROGRAMS: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "rm": _rm,
    "unlink": _delete,
    "rmdir": _delete,
    "shred": _delete,
    "srm": _delete,
    "trash": _delete,
    "cp": _cp,
    "scp": _cp,
    "mv": _mv,
    "rename": _in_place,
    "install": _install,
    "ln": _ln,
    "rsync": _rsync,
    "tee": _tee,
    "sponge": _tee,
    "dd": _dd,
    "truncate": _truncate,
    "fallocate": _truncate,
    "touch": _touch,
    "mkdir": _mkdir,
    "mkfifo": _mkdir,
    "mknod": _mkdir,
    "chmod": _chmod,
    "chown": _chown,
    "chgrp": _chown,
    "chattr": _chown,
    "setfacl": _chown,
    "sort": _sort,
    "shuf": _sort,
    "uniq": _second_is_written,
    "gzip": _in_place,
    "gunzip": _in_place,
    "bzip2": _in_place,
    "bunzip2": _in_place,
    "xz": _in_place,
    "unxz": _in_place,
    "zstd": _in_place,
    "dos2unix": _in_place,
    "unix2dos": _in_place,
    "yq": _yq,
    "patch": _patch,
    "split": _split,
    "csplit": _csplit,
    "trash-put": _delete,
    "rmtrash": _delete,
}
