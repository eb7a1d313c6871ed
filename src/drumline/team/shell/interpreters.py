"""Programs that carry code in their words, or read it from a file or a pipe."""

from __future__ import annotations

from drumline.team.shell import awk, editors, python_modules, sed
from drumline.team.shell.code import effects_of_code
from drumline.team.shell.code_arguments import Given
from drumline.team.shell.effect import MARKS, read, undecided, wrote
from drumline.team.shell.interpreter_options import (
    Line,
    PerlLetters,
    PythonLetters,
    RubyLetters,
    read_line,
)
from drumline.team.shell.options import taken_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.effect import Effect
    from drumline.team.shell.options import Words
    from drumline.team.shell.scene import Scene

_PIPED = "code comes from a pipe"
_PYTHONS = frozenset(
    "python python2 python2.7 pypy pypy3 python3 ipython ipython3 bpython micropython".split()
) | {f"python3.{minor}" for minor in range(30)}

_OF_NODE = (
    "-r --require --import -C --conditions --loader --experimental-loader --env-file --env-file-if-exists "
    "--input-type --title --stack-trace-limit --disable-warning --redirect-warnings --watch-path "
    "--test-name-pattern --test-reporter --test-reporter-destination --unhandled-rejections "
    "--dns-result-order --diagnostic-dir --openssl-config --icu-data-dir --trace-event-categories"
)
# the language, options that take code, options that take another value
_BY_OPTION: dict[str, tuple[str, str, str]] = {
    "node": ("javascript", "-e --eval -p --print -pe", _OF_NODE),
    "nodejs": ("javascript", "-e --eval -p --print -pe", _OF_NODE),
    "tsx": ("javascript", "-e --eval -p --print", "-r --require --import --tsconfig"),
    "ts-node": ("javascript", "-e --eval -p --print", "-r --require -P --project -O"),
    "coffee": ("javascript", "-e --eval", "-r"),
    "qjs": ("javascript", "-e --eval", "-I"),
    "php": ("php", "-r -R -B -E --run --process-code", "-d -c -F -S -t -z"),
    "lua": ("lua", "-e", "-l"),
    "luajit": ("lua", "-e", "-l -j -b"),
    "Rscript": ("r", "-e", "-f --file"),
    "R": ("r", "-e", "-d -g --args"),
    "littler": ("r", "-e", "-l"),
    "julia": ("julia", "-e -E --eval --print", "-L -J -p -t -C -O --project --threads --load"),
    "groovy": ("groovy", "-e", "-cp -D -c -classpath"),
    "elixir": ("elixir", "-e --eval", "-r -pr -S --require --name --sname --cookie"),
    "iex": ("elixir", "-e --eval", "-r -S"),
    "ghc": ("haskell", "-e", "-package -i"),
    "runghc": ("haskell", "-e", ""),
    "scala": ("scala", "-e", "-cp -classpath"),
    "scala-cli": ("scala", "-e --execute-script", ""),
    "osascript": ("applescript", "-e", "-l -s"),
    "tclsh": ("tcl", "", "-encoding"),
    "wish": ("tcl", "", ""),
    "expect": ("tcl", "-c", "-f"),
    "sbcl": ("lisp", "--eval", "--load --script"),
    "guile": ("lisp", "-c", "-l -s -L"),
    "clojure": ("lisp", "-e --eval -M -e", "-A -Sdeps"),
    "clj": ("lisp", "-e --eval", "-A -Sdeps"),
    "bb": ("lisp", "-e", "-f"),
    "irb": ("ruby", "", "-r -I"),
    "crystal": ("ruby", "", ""),
}
_TAKE_NONE = (
    "--no-",
    "--harmony",
    "--enable-",
    "--preserve-",
    "--trace-warnings",
    "--experimental-strip-types",
    "--experimental-vm-modules",
)
_NODES = frozenset({"node", "nodejs"})
_POWERSHELLS = frozenset("pwsh powershell powershell.exe pwsh.exe pwsh-preview".split())
_OWN = frozenset({"perl", "ruby", "jruby", "bun", "deno", "erl"})
_TEXT_PROGRAMS = awk.PROGRAMS | sed.PROGRAMS | editors.PROGRAMS
PROGRAMS = _PYTHONS | frozenset(_BY_OPTION) | _POWERSHELLS | _OWN | _TEXT_PROGRAMS


def effects(argv: Sequence[str], scene: Scene) -> list[Effect]:
    """What an interpreter with these words does, as far as its code can be read."""
    name = argv[0].rpartition("/")[2]
    if name in _TEXT_PROGRAMS:
        return _text_program(name, argv, scene)
    if name in _PYTHONS:
        return _python(name, argv[1:], scene)
    if name in _POWERSHELLS:
        return _powershell(argv[1:], scene)
    if name in _SPECIAL:
        return _SPECIAL[name](argv[1:], scene)
    return _by_option(name, argv[1:], scene)


def _text_program(name: str, argv: Sequence[str], scene: Scene) -> list[Effect]:
    if name in awk.PROGRAMS:
        return awk.effects(argv, scene)
    return sed.effects(argv, scene) if name in sed.PROGRAMS else editors.effects(argv, scene)


def from_input(language: str, scene: Scene, given: Given | None = None) -> list[Effect]:
    """What the code does that is piped in; nothing when nothing is."""
    text = scene.stdin
    if not text:
        return []
    if not text.strip(MARKS + " \n"):
        return [undecided(_PIPED)] if text.strip() else []
    return effects_of_code(text, language, scene, given)


def from_file(name: str, language: str, scene: Scene, given: Given | None = None) -> list[Effect]:
    """What a script does: the file is read; its text is known only if this command wrote it."""
    if name in {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}:
        return from_input(language, scene, given)
    path = scene.path(name)
    kept = scene.kept(path)
    found: list[Effect] = [] if name.startswith("/dev/fd/") else [read(path)]
    if kept is None:
        return found or [undecided(_PIPED)]
    if kept.strip() and not kept.strip(MARKS + " \n"):
        return [*found, undecided(_PIPED)]
    return found + effects_of_code(kept, language, scene, given)


def _python(name: str, words: Sequence[str], scene: Scene) -> list[Effect]:
    line = read_line(words, PythonLetters)
    if line.option == "m":
        return python_modules.effects([*line.codes, *line.operands], scene)
    if line.option:
        if "ipython" in name:
            return _magic(line.codes[0], scene)
        code = "\n".join(line.codes)
        return effects_of_code(code, "python", scene, Given(line.operands, 1))
    if line.operands:
        return from_file(line.operands[0], "python", scene, Given(line.operands[1:], 1))
    return [] if line.flags & set("hV?") else from_input("python", scene)


def _code(line: Line, language: str, scene: Scene) -> list[Effect]:
    return effects_of_code("\n".join(line.codes), language, scene)


def _magic(text: str, scene: Scene) -> list[Effect]:
    """IPython's lines that begin with `!` are shell commands."""
    found: list[Effect] = []
    rest = []
    for row in text.split("\n"):
        if row.lstrip().startswith("!"):
            found += scene.script(row.lstrip()[1:])
        elif not row.lstrip().startswith("%"):
            rest.append(row)
    return found + effects_of_code("\n".join(rest), "python", scene)


def _by_option(name: str, words: Sequence[str], scene: Scene) -> list[Effect]:
    language, coded, valued = _BY_OPTION[name]
    given = taken_apart(words, f"{coded} {valued}", stop=True)
    if name == "osascript" and given.value("-l").lower() == "javascript":
        language = "javascript"
    if given.has("--version", "--help", "-v", "-h", "--check"):
        return []
    codes = _codes(given, coded)
    strange = given.flags - {*coded.split(), *valued.split()}
    if name in _NODES:
        strange = {flag for flag in strange if not flag.startswith(_TAKE_NONE)}
    if strange and not codes:
        codes = _codes(taken_apart(given.operands[1:], f"{coded} {valued}", stop=True), coded)
    # which words of others stand where in their list is not known, nor which are values of such options
    named = name in _NODES and not strange
    if codes:
        behind = Given(given.operands, 1) if named else None
        return effects_of_code("\n".join(codes), language, scene, behind)
    operands = [*given.values.get("-f", []), *given.values.get("--file", []), *given.operands]
    if name == "crystal" and operands[:1] == ["eval"]:
        return effects_of_code(" ".join(operands[1:]), language, scene)
    if operands:
        behind = Given(operands[1:], 2) if named else None
        return from_file(operands[0], language, scene, behind)
    return from_input(language, scene)


def _codes(given: Words, coded: str) -> list[str]:
    return [text for option in coded.split() for text in given.values.get(option, [])]


def _perl(words: Sequence[str], scene: Scene) -> list[Effect]:
    line = read_line(words, PerlLetters)
    found: list[Effect] = []
    for module in line.values.get("M", []):
        _, semicolon, more = module.partition(";")
        if semicolon:
            found += effects_of_code(more, "perl", scene)
    return found + _filter(line, "perl", scene)


def _ruby(words: Sequence[str], scene: Scene) -> list[Effect]:
    return _filter(read_line(words, RubyLetters), "ruby", scene)


def _filter(line: Line, language: str, scene: Scene) -> list[Effect]:
    """Perl and Ruby: code, or a script, that may edit its files in place."""
    operands = list(line.operands)
    found: list[Effect] = []
    if line.codes:
        found += _code(line, language, scene)
    elif operands:
        found += from_file(operands.pop(0), language, scene)
    elif not line.flags & set("vhV"):
        return from_input(language, scene)
    loops = bool(line.flags & {"n", "p"})
    for name in operands:
        if line.in_place is not None and (loops or line.codes):
            found.append(wrote(scene.path(name)))
            if line.in_place and "*" not in line.in_place:
                found.append(wrote(scene.path(name + line.in_place)))
        elif loops:
            found.append(read(scene.path(name)))
    return found


def _powershell(words: Sequence[str], scene: Scene) -> list[Effect]:
    at = 0
    while at < len(words):
        option = words[at].lower().lstrip("-/")
        rest = words[at + 1 :]
        if option in {"c", "command"}:
            return _powershell_code(" ".join(rest), scene)
        if words[at].startswith("-") and option and "encodedcommand".startswith(option):
            return [undecided("inline code cannot be read")]
        if option in {"f", "file"}:
            return from_file(rest[0], "powershell", scene) if rest else []
        if not words[at].startswith("-"):
            return _powershell_code(" ".join(words[at:]), scene)
        at += 2 if option in {"executionpolicy", "ep", "ex", "windowstyle", "w", "wd"} else 1
    return from_input("powershell", scene)


def _powershell_code(text: str, scene: Scene) -> list[Effect]:
    return (
        from_input("powershell", scene)
        if text == "-"
        else effects_of_code(text, "powershell", scene)
    )


def _bun(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(
        words, "-e --eval -p --print -r --preload --cwd --env-file --config", stop=True
    )
    codes = [
        text
        for option in ("-e", "--eval", "-p", "--print")
        for text in given.values.get(option, [])
    ]
    if codes:
        return effects_of_code("\n".join(codes), "javascript", scene)
    return _javascript_runner("bun", given.operands, scene)


def _deno(words: Sequence[str], scene: Scene) -> list[Effect]:
    given = taken_apart(words, "-c --config --ext -L --log-level --import-map --cert", stop=True)
    operands = given.operands
    if operands[:1] == ["eval"]:
        inner = taken_apart(operands[1:], "--ext -c --config").operands
        return effects_of_code("\n".join(inner[:1]), "javascript", scene)
    if operands[:1] == ["run"]:
        inner = taken_apart(operands[1:], "--ext -c --config --import-map", stop=True).operands
        return from_file(inner[0], "javascript", scene) if inner else []
    return _javascript_runner("deno", operands, scene)


def _javascript_runner(name: str, operands: Sequence[str], scene: Scene) -> list[Effect]:
    """What is no code for Bun and Deno is a task, a package, or a script."""
    from drumline.team.shell import recipes

    if not operands:
        return from_input("javascript", scene)
    if operands[0] == "-" or operands[0].endswith((".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx")):
        return from_file(operands[0], "javascript", scene)
    return recipes.effects([name, *operands], scene)


def _erlang(words: Sequence[str], scene: Scene) -> list[Effect]:
    found: list[Effect] = []
    for place, word in enumerate(words[:-1]):
        if word == "-eval":
            text = words[place + 1].replace("os:", "os.").replace("file:", "file.")
            found += effects_of_code(text, "elixir", scene)
    return found


_SPECIAL: dict[str, Callable[[Sequence[str], Scene], list[Effect]]] = {
    "perl": _perl,
    "ruby": _ruby,
    "jruby": _ruby,
    "bun": _bun,
    "deno": _deno,
    "erl": _erlang,
}
