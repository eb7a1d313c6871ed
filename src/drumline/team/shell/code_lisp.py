"""What Lisp code does: Emacs Lisp above all, and the few calls of its relatives that matter."""

from __future__ import annotations

from drumline.team.shell.code_calls import VERBS
from drumline.team.shell.code_language import Language
from drumline.team.shell.code_lexer import MARK, TEXT, WORD, TooLong
from drumline.team.shell.code_names import rows
from drumline.team.shell.code_reading import Call, Reading
from drumline.team.shell.code_strings import Unreadable
from drumline.team.shell.code_tokens import tokens_of
from drumline.team.shell.code_tree import GROUP, nested
from drumline.team.shell.code_values import UNKNOWN, Arguments, list_value, text_value
from drumline.team.shell.effect import undecided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from drumline.team.shell.code_tree import Node
    from drumline.team.shell.code_values import Value
    from drumline.team.shell.effect import Effect
    from drumline.team.shell.scene import Scene

_DEEPEST = 40
_CALLS = rows(
    """
shell 0 = shell-command shell-command-to-string async-shell-command system compile
shell 0 = start-process-shell-command run-shell-command uiop:run-program
words 0 = sh clojure.java.shell/sh process-lines run-program sb-ext:run-program
program 0 4+ = call-process
program 0 1+ = system*
program 2 3+ = start-process
shell 0 = call-process-shell-command
write 0 = write-file make-directory set-visited-file-name spit open-output-file call-with-output-file
write 2 = write-region append-to-file
write 0 = with-temp-file
delete 0 = delete-file
rmtree 0 = delete-directory
move 0 1 = rename-file
copy 0 1 = copy-file
copy 0 1 tree = copy-directory
mode 0 1 = set-file-modes
read 0 = find-file-noselect insert-file-contents load load-file slurp
write 0 = find-file
env 0 = setenv
opaque = eval-buffer eval-region
"""
)


class _Lisp(Language):
    name = "lisp"
    comments = (";",)
    texts = '"'
    letters = "_-*/:.!?"


def effects_of_lisp(text: str, scene: Scene) -> list[Effect]:
    """What this Lisp code does to files, programs and its environment."""
    reading = Reading(_Lisp, scene)
    try:
        for node in nested(tokens_of(text, _Lisp), _Lisp):
            _follow(reading, node, 0)
    except Unreadable:
        return [undecided("inline code cannot be read")]
    except TooLong:
        return [undecided("inline code is too long to be told")]
    return reading.all_effects()


def _follow(reading: Reading, node: Node, depth: int) -> Value:
    kind, content = node
    if kind == TEXT:
        return text_value("".join(content))
    if kind != GROUP:
        return UNKNOWN
    if depth > _DEEPEST:
        reading.add(undecided("inline code is nested too deeply to be told"))
        return UNKNOWN
    return _form(reading, content[1], depth)


def _form(reading: Reading, nodes: Sequence[Node], depth: int) -> Value:
    values = [_follow(reading, node, depth + 1) for node in nodes if node[0] != MARK]
    if not nodes or nodes[0][0] != WORD:
        return list_value(values)
    spec = _CALLS.get(nodes[0][1], "")
    if spec:
        verb, *places = spec.split(" ")
        args = Arguments()
        args.positional = values[1:]
        return VERBS[verb](Call(reading, args, places))
    return UNKNOWN
