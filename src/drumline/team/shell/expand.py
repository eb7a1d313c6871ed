"""Words become fields: quotes, variables, braces, splitting, wildcards and the home folder.

While a word is worked out it is one string in which quoted letters carry QUOTE before them, SPLIT
stands where an unquoted value has a blank, and KEEP marks a field that exists although it is empty.
"""

from __future__ import annotations

from itertools import pairwise

from drumline.team.shell.effect import HOLE, MARKS, OUTER, STAR
from drumline.team.shell.said import Listing, either_of
from drumline.team.shell.syntax import Opaque, Output, Parameter, Text
from drumline.team.shell.ways import MOST_WAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drumline.team.shell.syntax import Part, Script, Word

    Split = Callable[[str, "Variables"], str]

QUOTE, SPLIT, KEEP = "\ufdd3", "\ufdd4", "\ufdd5"
_SPECIAL = frozenset("*?[]{},~ \t\n")
_KEPT = {ord(letter): QUOTE + letter for letter in _SPECIAL}
_NUMBERS = frozenset("?$#")  # variables that are never empty, as `${#x}` is not
_MOST_FIELDS = 64  # more than a person writes with braces; beyond, the word is not known


class Variables:
    """What a word may ask while it is expanded; the walker answers."""

    def value(self, name: str) -> str | Sequence[str] | None:
        """A variable's value, a list for `$@` and arrays, None when nobody set it here."""
        raise NotImplementedError

    def is_unset(self, name: str) -> bool:
        """Whether a variable without letters is known not to be there at all."""
        raise NotImplementedError

    def assign(self, name: str, value: str) -> None:
        raise NotImplementedError

    def printed(self, script: Script) -> str:
        """What a script prints, as far as it can be told."""
        raise NotImplementedError

    def carried(self, script: Script, direction: str) -> str:
        """A script that runs beside the command; the file it reads or writes for it."""
        raise NotImplementedError

    def lacks(self, name: str) -> bool:
        """Whether a variable nobody set here is taken not to be set at all, on this way."""
        raise NotImplementedError

    def settled(self, text: str, where: object) -> str:
        """Which of its ways a text is, on this way; where it stands tells it from another like it."""
        raise NotImplementedError

    def home_folder(self) -> str:
        raise NotImplementedError


def fields(words: Sequence[Word], variables: Variables) -> list[str]:
    """All fields these words become."""
    found: list[str] = []
    for word in words:
        if len(word) == 1 and isinstance(word[0], Text) and not _SPECIAL & set(word[0].text):
            found.append(word[0].text)
        else:
            found.extend(_of_word(word, variables))
    return found


def of_command(words: Sequence[Word], variables: Variables) -> list[str]:
    """The fields of a command: where a word may come to nothing the next one stands in its place."""
    if not any(map(_may_be_empty, words)):
        return fields(words, variables)
    found = [fields([word], variables) for word in words]
    lacking = [str(at) for at, each in enumerate(found[:-1]) if _is_open(words[at], each)]
    if lacking:
        gone = variables.settled(either_of("", _subsets(lacking)), words)
        found = [each for at, each in enumerate(found) if str(at) not in gone.split()]
    return [field for each in found for field in each]


def _subsets(names: Sequence[str]) -> list[str]:
    """All there are of these, as words; of many none, all, and those with one."""
    if 2 ** len(names) > MOST_WAYS:
        return list(dict.fromkeys(["", " ".join(names), *names]))[:MOST_WAYS]
    found = [""]
    for name in names:
        found += [f"{each} {name}" for each in found]
    return found


def _may_be_empty(word: Word) -> bool:
    """Whether a word is nothing but what is printed, or variables, without quotes; or a list, within or without."""
    if any(isinstance(part, Parameter) and _is_list(part.name) for part in word):
        return all(not isinstance(part, Text) or not part.text for part in word)
    return all(
        isinstance(part, Output) or (isinstance(part, Parameter) and part.name[:1] not in _NUMBERS)
        for part in word
        if not part.quoted
    ) and not any(part.quoted for part in word)


def _is_list(name: str) -> bool:
    return name == "@" or name.endswith("[@]")


def _is_open(word: Word, found: list[str]) -> bool:
    """Whether nobody can tell that it is not empty: a variable may be what is known of it."""
    printed = all(isinstance(part, Output) for part in word)
    return bool(found) and _may_be_empty(word) and (printed or not "".join(found).strip(MARKS))


def one(word: Word, variables: Variables) -> str:
    """The word as a single text, as in an assignment: no splitting, no wildcards."""
    text = "".join(_encoded(part, variables, _as_it_is) for part in word)
    return _bare(_tilde(text.replace(SPLIT, " "), variables))


def _of_word(word: Word, variables: Variables) -> list[str]:
    text = "".join(_encoded(part, variables, _split) for part in word)
    found: list[str] = []
    for braced in _braces(text):
        found.extend(
            _bare(_starred(_tilde(piece, variables))) for piece in braced.split(SPLIT) if piece
        )
    return found


def _encoded(part: Part, variables: Variables, split: Split) -> str:
    if isinstance(part, Text):
        return _quoted(part.text) if part.quoted else part.text
    if isinstance(part, Parameter):
        return _parameter(part, variables, split)
    if isinstance(part, Output):
        return _output(part, variables, split)
    for script in part.scripts if isinstance(part, Opaque) else ():
        variables.printed(script)
    return KEEP + HOLE if part.quoted else HOLE


def _quoted(text: str) -> str:
    if not _SPECIAL & set(text):
        return KEEP + text
    return KEEP + text.translate(_KEPT)


def _output(part: Output, variables: Variables, split: Split) -> str:
    if part.as_file:
        return variables.carried(part.script, part.as_file)
    text = variables.printed(part.script)
    if isinstance(text, Listing):
        text = variables.settled(_chosen(text, part, variables), part)
    text = text.replace("\0", "").rstrip("\n")
    return _quoted(text) if part.quoted else split(text, variables)


def _chosen(listing: Listing, part: Output, variables: Variables) -> str:
    """All its names, or any one alone: nobody can tell which comes first, or last, or is there at all."""
    names = listing.names()
    between = variables.value("IFS")
    if "\0" in listing or len(names) >= MOST_WAYS - 1 or not plain_blanks(between):
        return HOLE
    whole = [str(listing)] if len(names) != 1 and not part.quoted else []
    return either_of(listing, [*whole, *names])


def plain_blanks(between: object) -> bool:
    """Whether what parts fields parts no name of a file, but for names with blanks."""
    return between is None or (isinstance(between, str) and not between.strip(" \t\n"))


def _split(text: str, variables: Variables) -> str:
    """An unquoted value: blanks, or what IFS says instead, part fields."""
    between = variables.value("IFS")
    if not isinstance(between, str) or not any(letter in between for letter in text):
        return text if plain_blanks(between) or HOLE not in text else HOLE
    for letter in between:
        text = text.replace(letter, SPLIT)
    return text


def _as_it_is(text: str, variables: Variables) -> str:  # noqa: ARG001 - where a word is one text, nothing parts it
    return text


def _parameter(part: Parameter, variables: Variables, split: Split) -> str:
    value = variables.value(part.name)
    if part.operator:
        instead = not part.quoted and part.operator[-1] in "-+"
        encoded = _put_in_place(part.word, variables, split) if instead else ""
        word = _bare(encoded.replace(SPLIT, " ")) if instead else one(part.word, variables)
        value = _operated(part, value, word, variables)
        if instead and value is word:
            return encoded  # its own quotes hold
    if value is None:
        value = OUTER
    if isinstance(value, str):
        return _quoted(value) if part.quoted else split(value, variables)
    if part.quoted and part.name.rpartition("[")[2] in {"*", "*]"}:
        return _quoted(_between(variables).join(value))
    joined = [_quoted(each) if part.quoted else split(each, variables) for each in value]
    return SPLIT.join(joined)


def _between(variables: Variables) -> str:
    """What stands between the elements of a list that is one word."""
    between = variables.value("IFS")
    return between[:1] if isinstance(between, str) else " "


def _put_in_place(word: Word, variables: Variables, split: Split) -> str:
    """The word of a default, which is parted where no quotes of its own hold it together."""
    return "".join(
        split(part.text, variables)
        if isinstance(part, Text) and not part.quoted
        else _encoded(part, variables, split)
        for part in word
    )


def _operated(
    part: Parameter, value: str | Sequence[str] | None, word: str, variables: Variables
) -> str | Sequence[str] | None:
    operator = part.operator
    if not isinstance(value, str | None):
        return [HOLE]
    if operator.endswith(("-", "=")):
        return _or_default(part, value, word, variables)
    if operator.endswith("+"):
        empty = value == "" and operator == ":+"
        return "" if empty or (not value and variables.lacks(part.name)) else word
    if operator.endswith("?") or value is None:
        return value
    if operator[0] in "^,":
        return HOLE if part.word else _other_case(value, operator)
    from drumline.team.shell.cutting import shorter  # few commands cut anything

    return shorter(value, part, word, variables.settled)


def _other_case(value: str, operator: str) -> str:
    """Capitals for `^`, small letters for `,`; a single sign changes the first letter alone."""
    most = len(value) if len(operator) > 1 else 1
    changed = value[:most].upper() if operator[0] == "^" else value[:most].lower()
    return changed + value[most:]


def _or_default(part: Parameter, value: str | None, word: str, variables: Variables) -> str:
    lacking = not value and (part.operator.startswith(":") or variables.is_unset(part.name))
    if value is None or lacking:
        if part.operator.endswith("="):
            variables.assign(part.name, word)
        return word
    return value


def _braces(text: str) -> list[str]:
    """`a{b,c}d` becomes `abd` and `acd`; a word with too many meanings is not known."""
    if "{" not in text:
        return [text]
    if ".." in text:
        text = _ranges(text)
    done: list[str] = []
    todo = [text]
    while todo:
        head = todo.pop(0)
        opened = _first_braces(head)
        if opened is None:
            done.append(head)
        else:
            start, commas, end = opened
            cuts = [start, *commas, end]
            middles = [head[a + 1 : b] for a, b in pairwise(cuts)]
            todo[:0] = [head[:start] + middle + head[end + 1 :] for middle in middles]
        if len(done) + len(todo) > _MOST_FIELDS:
            return [HOLE]
    return done


def _ranges(text: str) -> str:
    """`{1..9}` is one of several names."""
    start = text.find("{")
    while start >= 0:
        end = text.find("}", start)
        inside = text[start + 1 : end]
        if end > 0 and ".." in inside and "," not in inside and "{" not in inside:
            text = text[:start] + STAR + text[end + 1 :]
        start = text.find("{", start + 1)
    return text


def _first_braces(text: str) -> tuple[int, list[int], int] | None:
    """Where the first brace expansion opens, its commas, and where it closes."""
    opened: list[tuple[int, list[int]]] = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == QUOTE:
            at += 1
        elif letter == "{":
            opened.append((at, []))
        elif letter == "," and opened:
            opened[-1][1].append(at)
        elif letter == "}" and opened:
            start, commas = opened.pop()
            if commas:
                return start, commas, at
        at += 1
    return None


def _tilde(text: str, variables: Variables) -> str:
    if not text.startswith("~"):
        return text
    name, slash, rest = text.partition("/")
    if name in {"~", "~+"}:
        return (variables.home_folder() if name == "~" else ".") + slash + rest
    return OUTER + slash + rest


def _starred(text: str) -> str:
    """Unquoted wildcards become STAR; a bracket without its end is a letter."""
    if "*" not in text and "?" not in text and "[" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == QUOTE:
            out.append(text[at : at + 2])
            at += 2
        elif letter == "[" and (end := text.find("]", at + 2)) > 0:
            out.append(STAR)
            at = end + 1
        else:
            out.append(STAR if letter in "*?" else letter)
            at += 1
    return "".join(out)


def _bare(text: str) -> str:
    """The letters alone, without the marks of this module."""
    if QUOTE in text:
        text = text.replace(QUOTE, "")
    return text.replace(KEEP, "")
