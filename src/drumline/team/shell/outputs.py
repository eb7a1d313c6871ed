"""Programs that write where an option says: downloads, compilers, formatters, installers."""

from __future__ import annotations

from drumline.team.shell.effect import HOLE, OUTER, STAR, wrote
from drumline.team.shell.effect import read as did_read
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene


def _remote_name(address: str) -> str:
    """The last name of an address: one name, whatever the address is; none where nobody here chose it."""
    return (
        "" if address == OUTER else address.rpartition("/")[2].partition("?")[0].replace(HOLE, STAR)
    )


def _curl(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words,
        "-o -d -H -X -u -A -b -c -e -F -K -m -T -x -D -w -E -r -C -Q -t -y -Y -z -U -P --output "
        "--data --header --request --user --url --cookie --cookie-jar --form --config --max-time "
        "--upload-file --proxy --dump-header --write-out --cert --key --cacert --data-binary "
        "--data-raw --data-urlencode --json --retry --output-dir --connect-timeout --referer "
        "--user-agent --range --resolve --etag-save --trace --stderr --netrc-file --head? --netrc?",
    )
    folder = given.value("--output-dir") or "."
    found = [
        wrote(scene.path(name if name.startswith("/") else f"{folder}/{name}"))
        for option in ("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace")
        for name in given.values.get(option, [])
        if name != "-"
    ]
    if given.has("-O", "--remote-name", "--remote-name-all", "-J"):
        names = [_remote_name(name) for name in given.operands]
        found += [wrote(scene.path(f"{folder}/{name}")) for name in names if name]
    sent = [name for option in ("-T", "--upload-file") for name in given.values.get(option, [])]
    posted = ("-d", "--data", "--data-binary", "-F", "--form")
    sent += [
        value.rpartition("@")[2]
        for option in posted
        for value in given.values.get(option, [])
        if "@" in value and (value.startswith("@") or "=@" in value)
    ]
    return found + [did_read(scene.path(name)) for name in sent if name != "-"]


def _wget(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words,
        "-O -o -a -P -U -e -t -T -i -A -R -D -I -X -l -w -B --output-document --output-file "
        "--directory-prefix --user-agent --header --post-data --tries --timeout --input-file",
    )
    named = [given.value(*pair) for pair in (("-O", "--output-document"), ("-o", "--output-file"))]
    found = [wrote(scene.path(name)) for name in named if name not in {"", "-"}]
    if not given.has("-O", "--output-document", "--spider"):
        folder = given.value("-P", "--directory-prefix") or "."
        names = [_remote_name(name) for name in given.operands]
        found += [wrote(scene.path(f"{folder}/{name or 'index.html'}")) for name in names]
        if given.has("-r", "-m", "--recursive", "--mirror"):
            found.append(wrote(scene.path(folder), "into"))
    return found


def _formatter(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Formatters rewrite the files they are given, some only when told to."""
    if any(word in {"--check", "--diff", "-d", "-l", "--list-different"} for word in words):
        return []
    return [wrote(scene.path(word)) for word in words if not word.startswith("-")]


def _when_told(words: Sequence[str], scene: Scene) -> list[Effect]:
    told = {"--write", "-w", "--fix", "-i", "--in-place", "--apply", "--autofix"}
    return _formatter(words, scene) if told & set(words) else []


def _installer(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Package installers put files where they are told."""
    given = taken_apart(
        words, "-t -r -c -e -i -f --target --prefix --root --install-dir --user --pre?"
    )
    folder = given.value("-t", "--target", "--prefix", "--root", "-i", "--install-dir")
    return [wrote(scene.path(folder))] if folder and "install" in words else []


def _out_option(words: Sequence[str], scene: Scene) -> list[Effect]:
    """Programs that write what `-o`, `-out` or `--output` names."""
    found: list[Effect] = []
    for at, word in enumerate(words[:-1]):
        if word in {"-o", "-out", "--output", "-keyout", "--out", "-outfile", "--output-file"}:
            found.append(wrote(scene.path(words[at + 1])))
    found += [
        wrote(scene.path(word.partition("=")[2]))
        for word in words
        if word.startswith(("--output=", "--out=", "--output-file="))
    ]
    return found


OUTPUTS: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "curl": _curl,
    "wget": _wget,
    "black": _formatter,
    "isort": _formatter,
    "rustfmt": _formatter,
    "prettier": _when_told,
    "eslint": _when_told,
    "gofmt": _when_told,
    "shfmt": _when_told,
    "clang-format": _when_told,
    "autopep8": _when_told,
    "biome": _when_told,
    "stylelint": _when_told,
    "pip": _installer,
    "pip3": _installer,
    "gem": _installer,
    "gcc": _out_option,
    "cc": _out_option,
    "clang": _out_option,
    "g++": _out_option,
    "go": _out_option,
    "pandoc": _out_option,
    "xmllint": _out_option,
    "ffmpeg": _out_option,
}
