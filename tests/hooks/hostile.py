"""Commands made to take a judge for ever: each a name and a text of whatever length is asked for."""

from collections.abc import Callable

LONG = 64 * 1024
SIZES = (1_000, 4_000, 11_900, LONG)  # below what the readers take at most, and far beyond it

Text = Callable[[int], str]


def again(unit: str, before: str = "", after: str = "") -> Text:
    """The same piece again and again."""
    return lambda size: before + unit * max(1, (size - len(before + after)) // len(unit)) + after


def within(opening: str, closing: str, inside: str = "git push") -> Text:
    """One inside the other inside the other."""
    return lambda size: _nested(opening, closing, inside, size)


def _nested(opening: str, closing: str, inside: str, size: int) -> str:
    times = max(1, (size - len(inside)) // len(opening + closing))
    return opening * times + inside + closing * times


def numbered(unit: str, before: str = "", after: str = "") -> Text:
    """A piece with a number of its own each time; `#` stands for the number, `+` for the next."""

    def made(size: int) -> str:
        pieces, left, number = [before], size - len(before + after), 0
        while left > 0:
            pieces.append(unit.replace("#", str(number)).replace("+", str(number + 1)))
            left -= len(pieces[-1])
            number += 1
        return "".join([*pieces, after])

    return made


def quoted(program: str, unit: str, before: str = "", after: str = "") -> Text:
    """Code for an interpreter, in quotes."""
    return again(unit, f"{program} '{before}", f"{after}'")


SIGNS = "; & | && || ;; < > >> << <<< >| <> >& &> ( ) { } [[ ]] (( )) $ ` \\ ! # * ? [ ~ = $( ${ $(( <( >("
OPERATORS = SIGNS.split()
BRACKETS = {
    "subshells": ("(", ")"),
    "groups": ("{ ", "; }"),
    "substitutions": ("$(", ")"),
    "quoted substitutions": ('"$(', ')"'),
    "backticks": ("`", "`"),
    "defaults": ("${a:-", "}"),
    "sums": ("$((", "))"),
    "process substitutions": ("<(", ")"),
    "tests": ("[[ ", " ]]"),
    "ifs": ("if ", "; then :; fi"),
    "whiles": ("while ", "; do :; done"),
    "loops over a command": ("for i in a b; do ", "; done"),
    "cases": ("case x in x) ", ";; esac"),
    "functions": ("f() { ", "; }"),
    "braces": ("{a,", "}"),
    "patterns": ("+(", ")"),
    "finds": ("find . -exec ", " ;"),
}
WRAPPERS = (
    "eval",
    "sudo",
    "env",
    "xargs",
    "nohup",
    "timeout 1",
    "exec",
    "command",
    "time",
    "ssh h",
    "git -C x",
    "git -c a.b=c",
    "npx",
    "sh -c",
)

HOSTILE: dict[str, Text] = {
    **{f"operator {sign}": again(f"a{sign}b ") for sign in OPERATORS if not sign.startswith("[")},
    **{f"only {sign}": again(sign) for sign in OPERATORS},
    **{f"nested {name}": within(*pair) for name, pair in BRACKETS.items()},
    **{f"{words} {words} {words}": again(f"{words} ", after="git push") for words in WRAPPERS},
    "plain words": again("word "),
    "single quotes": again("''"),
    "double quotes": again('""'),
    "a long quote": again("x", "echo '", "'"),
    "variables in a quote": again("$x", 'echo "', '"'),
    "escapes": again("\\x41", "$'", "'"),
    "continued lines": again("a\\\n"),
    "comments": again("# x\n"),
    "lines": again("ls\n"),
    "carriage returns": again("ls\r"),
    "control characters": again("\x01\x1b["),
    "right to left": again("\u202e"),
    "escaped blanks": again("\\ "),
    "backticks that touch": again("`a` "),
    "lines that begin with a backslash": again("\n\\a"),
    "substitutions in quotes, after an escaped blank": again('"$(', "echo \\ "),
    "substitutions that may print nothing": again("$(a) "),
    "choices in choices": again("$(a && echo ", "echo ", "x"),
    "a long chain": again("echo a || ", "$(", "b)"),
    "a while in a while": again("while a; do echo b; ", "$("),
    "lone surrogates": again("\ud800"),
    "here-documents": numbered("cat <<E#\nx\nE#\n"),
    "a here-document for a shell": again("git push\n", "bash <<E\n", "E\n"),
    "substitutions in a here-document": again("$(x) ", "cat <<E\n", "\nE\n"),
    "substitutions in a here-document that never end": again("$(", "cat <<E\n", "\nE\n"),
    "variables in a here-document that never end": again("${", "cat <<E\n", "\nE\n"),
    "substitutions in a prompt that never end": again("$(", "PS1='", "'; true"),
    "cuts in cuts": within("${a%", "}"),
    "cuts in cuts of many words": within("${a% b ", "}"),
    "cuts in cuts in quotes": within('"${a% b ', '}"'),
    "sums in sums of defaults": within("$(( ${a:-1 ", "} ))"),
    "backticks in a pattern": again("`a`", "[[ x =~ a", " ]]"),
    "redirections in a here-document": again("<&", "cat <<E\n$("),
    "words in a here-document": again("a[b ", "cat <<E\n$(", ")\nE\n"),
    "a here-document without end": again("x\n", "cat <<E\n"),
    "assignments that are redirected": again("a=1 2>f\n"),
    "assignments that are redirected on one line": again("a=1 2>f; "),
    "pipelines before redirections": again("a|b|c\nd >f\n"),
    "tests": again("[ -n a ]; "),
    "escapes in quotes of their own": again("$'\\\\' "),
    "cases in substitutions": again("$(case a in a) b;; esac) "),
    "dollars alone": again("$ "),
    "here-strings": again("<<<x ", "cat "),
    "brace expansions": again("{a,b}", "rm "),
    "brace expansions in words": again("{a,b} ", "rm "),
    "redirections": again(">a ", "ls "),
    "descriptors": numbered("#>&1 ", "ls "),
    "a case with many items": numbered("a#) ls;; ", "case $x in ", "esac"),
    "pipes": again("cat|"),
    "printed into shells": again("printf git|sh|"),
    "an echo into a shell": again("git push;", "echo '", "' | sh"),
    "fork bombs": again(":(){ :|:& };:;"),
    "functions that call themselves": again("f(){ f; f; };", after="f"),
    "functions that call the next": numbered("f#(){ f+; f+; };", after="f0"),
    "loops one after another": again("for i in 1 2 3 4 5 6 7 8 9; do rm $i; done;"),
    "aliases of aliases": numbered("alias a#='a+ a+'\n", after="a0"),
    "git aliases of aliases": numbered("-c alias.a#='!git a+' ", "git ", "a0"),
    "xargs after xargs": again("ls | xargs "),
    "unknown programs": again("$x push;"),
    "evals of evals": again("eval 'eval ls';"),
    "files run at once": numbered("echo git push > s#; sh s#;"),
    "a Python of many statements": quoted("python -c", 'open("a","w");'),
    "a Python of brackets": quoted("python -c", "["),
    "a Python of nested strings": quoted("python -c", 'f"{'),
    "a Python that grows a name": quoted("python -c", "a=a+a;", 'a="x";', "open(a)"),
    "a JavaScript of templates": quoted("node -e", "`${"),
    "a JavaScript of callbacks": quoted("node -e", "f(()=>"),
    "a Perl of quotes": quoted("perl -e", "q{"),
    "a Perl of substitutions": quoted("perl -e", "s/a/b/e;"),
    "a Ruby of nested strings": quoted("ruby -e", '"#{'),
    "a PHP": quoted("php -r", 'system("ls");'),
    "a Lua": quoted("lua -e", "[["),
    "an awk": quoted("awk", '{print > "a"}'),
    "a sed of files": quoted("sed", "w a\n"),
    "a Tcl": quoted("expect -c", "{"),
    "a PowerShell": quoted("pwsh -c", "rm a;"),
    "a Lisp": quoted("emacs --eval", "("),
    "an R": quoted("Rscript -e", 'system("ls");'),
    "SQL comments": quoted("psql -c", "/*"),
    "an editor's script": again("w a\n", "ed f <<E\n", "E\n"),
    "a long path of stars": again("*/", "rm "),
    "a name of marks": again("?", "rm "),
    "a path up": again("../", "rm -rf "),
    "a search of many paths": numbered("-path '*x#*' -delete -o ", f"find {'a' * 290} ", "-name y"),
    "a search of many names that deletes again and again": again(
        "-delete ", "find . " + "".join(f"-name x{at} -o " for at in range(60)) + "-name y "
    ),
    "a search of many endings": numbered("-e x# ", f"fd {' '.join(map(str, range(600)))} "),
    "lines read again and again": again(
        'read a <<< "$x"; ', "x='" + "".join(f"{at}\n" for at in range(1_000)) + "'; "
    ),
    "a loop over many lines": numbered("f#\n", "while read -r f; do rm $f; done <<X\n", "X\n"),
    "a long format printed again and again": again(
        f'printf "$f" {"1 " * 60}; ', f"f='{'%%' * 9_900}%s'; "
    ),
    "values cut at wildcards": again("echo ${x%%*a*a*a*a*c}; ", f"x={'ab' * 190}; "),
    "searched for again and again": again("-exec rm {} \\; ", "find . "),
    "settings for one command": numbered("a#=b ", after="ls"),
    "a value that doubles": again("a=$a$a;", "a=xx;", "git $a"),
    "a list that doubles": again("a=(${a[@]} ${a[@]});", "a=(x y);", "rm ${a[@]}"),
    "a file that doubles": again("cat s s > t; cat t t > s;", "echo ls > s;", "sh s"),
    "arguments that double": again('set -- "$@" "$@";', "set -- a b;", 'rm "$@"'),
    "a function whose arguments double": again('f(){ f "$@" "$@"; };', after="f a b"),
    "loops over no command": within("for i in a b; do ", "; done", "[[ a ]]"),
    "a path of variables": again("$x/", "rm "),
    "a path of other homes": again("~a/", "rm "),
    "a name of stars": again("*a", "rm "),
    "many files moved": numbered("f# ", "mv ", "d/"),
    "many files elsewhere": numbered("/x/y/z/f# ", "rm "),
    "words of SQL": quoted("psql -c", "drop "),
    "comments of SQL": quoted("psql -c", "/*"),
    "sums of Python": quoted("python3 -c", "a=a+a;"),
    "lines of Python": quoted("python3 -c", "x = 1\n"),
    "brackets of Tcl": again("[", "tclsh <<'E'\n", "\nE"),
    "folders nobody knows": again("$(a)/", "rm ", "x"),
    "operator [": again("a[b "),
    "operator [[": again("a[[b "),
}

# texts on which the judge once broke
BREAKING = {
    "a mark cut in two": "${x-r(''${}`)<<",
    "a backtick without its other in a prompt": "PS1='$(echo `'; true",
    "a quote without its other in a subscript": 'unset "a[\\$(echo \'x]"',
    "a case in a subscript": "declare 'a[$(case x in y) z;; esac)]=1'",
    "a backtick without its other in a test": "[[ -v 'a[$(`]' ]]",
    "a backtick without its other in a sum": "x='a[$(`]'; echo $((x))",
    "a name that only ends as an element": "export 'x]'; printenv 'x]'",
    "an argument of 5,000 digits": f"echo ${{{'9' * 5000}}}",
}
