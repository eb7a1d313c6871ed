"""What a command does: the one vocabulary of shell, tools, judge and constraints.

A word we know only in part keeps marks: HOLE stands for text of any length and content, STAR for an
unquoted wildcard or a single name, which cannot cross a `/`, OUTER for a variable nobody set here: it
was in the environment before, so no one can have chosen it for this command.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

HOLE = "\ufdd0"
STAR = "\ufdd1"
OUTER = "\ufdd2"
MARKS = HOLE + STAR + OUTER
# letters that no text has, for marks like these
RESERVED = frozenset({"\0", *map(chr, range(0xFDD0, 0xFDF0))})

ANYTHING = "anything"  # how far an undecided command may reach: to everything,
TREE = "tree"  # to any file below a folder,
GIT = "git"  # or to whatever git can do
UNREAD = "unread"  # nobody looked: it was too big, and size must not be a way past a rule


class Effect:
    """One thing a command does, or may do.

    kind       subject                 how                              words
    run        program's name          ""                               its whole argv
    write      absolute path           write append delete attributes   (tree: with all that is below)
    read       absolute path           ""
    git        commit index work-tree  the branch or ref it concerns    git's whole argv (place: where)
               ref push force-push
               discard config object
               hooks-skipped fetch hub
    identity   variable's name         ""
    danger     what kind of harm       its target, as a person would say it
    undecided  why it cannot be told   anything, tree (subject folder in words), git or unread
    """

    __slots__ = ("how", "kind", "place", "subject", "tree", "words")

    def __init__(
        self,
        kind: str,
        subject: str,
        how: str = "",
        words: Sequence[str] = (),
        *,
        tree: bool = False,
    ) -> None:
        self.kind, self.subject, self.how, self.words, self.tree = (
            kind,
            subject,
            how,
            tuple(words),
            tree,
        )
        self.place = ""  # the folder of the repository that git works on or makes

    def __repr__(self) -> str:
        below = " and all below" if self.tree else ""
        return f"<{self.kind} {self.subject} {self.how}{below}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Effect) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[object, ...]:
        return self.kind, self.subject, self.how, self.words, self.tree, self.place


def ran(argv: Sequence[str]) -> Effect:
    return Effect("run", argv[0].rpartition("/")[2], words=argv)


def wrote(path: str, how: str = "write", *, tree: bool = False) -> Effect:
    return Effect("write", path, how, tree=tree)


def read(path: str) -> Effect:
    return Effect("read", path)


def git_did(what: str, ref: str = "", words: Sequence[str] = ()) -> Effect:
    return Effect("git", what, ref, words)


def changed_identity(variable: str) -> Effect:
    return Effect("identity", variable)


def endangered(what: str, target: str = "") -> Effect:
    return Effect("danger", what, target)


def undecided(why: str, reach: str = ANYTHING, folder: str = "") -> Effect:
    return Effect("undecided", why, reach, (folder,) if folder else ())


def known(word: str) -> bool:
    """Whether nothing of a word is left open."""
    return not any(mark in word for mark in MARKS)


def last_piece(path: str) -> str:
    """The last piece of a path: what a mark stands for may have a slash, and more before it."""
    piece = path.rpartition("/")[2]
    for mark in (HOLE, OUTER):
        if mark in piece:
            piece = STAR + piece.rpartition(mark)[2]
    return piece


def could_be(word: str, text: str) -> bool:
    """Whether a word known in part may turn out to be this text."""
    return word == text if known(word) else _could(word, text)


def _could(word: str, text: str) -> bool:
    """Match with the marks as wildcards, in time proportional to both lengths at worst."""
    at = mark = taken = 0
    last = -1
    while taken < len(text):
        if at < len(word) and word[at] in MARKS:
            last, mark = at, taken
            at += 1
        elif at < len(word) and word[at] == text[taken]:
            at, taken = at + 1, taken + 1
        elif last >= 0:
            mark += 1
            at, taken = last + 1, mark
        else:
            return False
    return all(letter in MARKS for letter in word[at:])
