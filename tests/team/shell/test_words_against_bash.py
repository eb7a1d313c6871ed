"""Whatever words bash makes of variables, substitutions and blanks side by side, the walk must have told."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.team.shell.test_walk_against_bash import check, stage
from tests.trying import tries

__all__ = ["stage"]

blanks = st.sampled_from(["", "", " ", "  ", "\t", "\n"])
plain = st.sampled_from(["x", "#", "'", "''", "\\`", "\\${a}x", "{", "}", "(", ")", "\\\\", '\\"'])
lively = st.sampled_from(
    [
        "${a}",
        "${b}",
        "$@",
        "$(echo c)",
        "`echo d`",
        "`echo \\`echo e\\``",
        "${a:-f}",
        "${n:-$b}",
        "$1",
        "$((1+1))",
        "${a%$(echo o)}",
        "${a##$1`echo r`}",
        "${n:-'$(echo)'}",
    ]
)
inside = st.lists(st.tuples(blanks, lively | lively | plain), min_size=1, max_size=6)
unbraced = inside.filter(lambda pieces: not {"{", "}"} & {piece for _, piece in pieces})
outside = st.lists(st.tuples(st.sampled_from(["", " "]), lively), min_size=1, max_size=5)

programs = st.sampled_from(
    [
        "alpha",
        "\\alpha",
        "'alpha'",
        '"alpha"',
        "$c",
        "${c}",
        "`echo alpha`",
        "$(echo alpha)",
        "al''pha",
        "./alpha",
    ]
)
before = st.sampled_from(["", "", "", "v=1 ", "2>&1 ", "! ", "time ", "<s ", "{ { ", "( "])
after = st.sampled_from(
    ["", " a", " \\ b", " \\#c", " '#' d", " a#e", ' "\\f"', " \\\n g", " {h} i", " [j]", " -k=l"]
)
ends = st.sampled_from(
    [
        "\n",
        " \n",
        ";",
        "\n\n",
        " && ",
        " || true; ",
        "&\nwait\n",
        " # it's\n",
        "\n# `x\n\t",
        " |\ncat\n",
    ]
)
closed = {"{ { ": "; }; }", "( ": ")"}


statements = st.lists(st.tuples(before, programs, after, ends), min_size=1, max_size=8)


def one_after_another(statements):
    """A script of them; a word of its own tells each from the others."""
    return "".join(
        f"{start}{program} n{at}{words}{closed.get(start, '')}{end}"
        for at, (start, program, words, end) in enumerate(statements)
    )


def together(pieces):
    return "".join(blank + piece for blank, piece in pieces)


def holds(command, stage):
    check(f"set -- one; a=two; b='three four'\n{command}", stage)


real = settings(
    max_examples=tries(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@real
@given(inside)
def test_a_quoted_word_of_pieces_was_told(stage, pieces):
    holds(f'alpha "{together(pieces)}"', stage)


@real
@given(outside, inside)
def test_unquoted_pieces_side_by_side_were_told(stage, pieces, more):
    holds(f'alpha {together(pieces)} "{together(more)}"', stage)


@real
@given(inside)
def test_an_assigned_word_of_pieces_was_told(stage, pieces):
    holds(f'v="{together(pieces)}"; alpha "$v" $v', stage)


@real
@given(unbraced)
def test_a_document_of_pieces_was_told(stage, pieces):
    holds(f"bash <<END\nalpha {together(pieces)}\nEND", stage)


@real
@given(statements)
def test_statements_side_by_side_were_told(stage, statements):
    (stage / "s").touch()
    holds(f"c=alpha\n{one_after_another(statements)}true", stage)


@pytest.mark.parametrize(
    "command",
    [
        'c=alpha; eval "$c $1"; eval "${c}  ${a}"',
        'c="`echo alpha` `echo b`"; $c',
        "true\n\\alpha a",
        "echo $1\n\t\\alpha b",
        'true "$(true\n\\alpha c)"',
        "true \\ #; alpha d",
        "a=al; b=pha; alpha $a$b$1; $a$b x$1$1",
        'bash <<END\n$(echo "alpha e")\nEND',
        'bash <<END\necho \\"; alpha f\nEND',
        "`echo alpha` `echo b`",
        'eval "`echo alpha``echo \\  b`"',
        "alpha `echo a` `echo b` # it's `\n",
        "alpha $'it\\'s' `echo a` `echo b`",
        "f() { for w; do alpha $w; done; }; f a 'b c'",
        "set -- a 'b c'; for w; do alpha \"$w\"; done",
        "alpha $(printf 'a\\0b')",
        "printf 'a\\0b\\n' | xargs -d '\\n' alpha",
        "printf 'a b\\n' | xargs -n1 alpha",
        "printf 'a\\nb\\n' | xargs -i% alpha %; printf 'a' | xargs --replace alpha {}",
        "$(nobody 2>&-) alpha a; timeout $(nobody 2>&-) 9 alpha b",
        "{ echo alpha a; } >&1 | bash; { echo alpha b >&3; } 3>&1 | bash",
        "echo alpha a > s; sed -i s/a$/b/ s; bash s",
        "{ echo alpha c >&3; } 3> s; bash s",
        "x=$(trap 'echo alpha d' EXIT); $x",
        "{ echo alpha b >&2; } 2>&1 >/dev/null | bash; { echo alpha c >&2; } 3>&1 2>&3 >/dev/null | bash",
        "{ echo alpha d >&2; } 2>&1 >t | bash; x=$({ echo alpha e >&2; } 2>&1 >/dev/null); $x",
        "bash -c 'echo alpha f >&2' 2>&1 >/dev/null | bash",
        "{ echo alpha g; } 2>&1 | bash; { echo alpha h; } &>/dev/stdout | bash",
        'x="`echo \\"alpha i\\" | bash`"; echo "`bash -c \\"alpha j\\"`"',
        "echo \\$'a\\'\n\\alpha k; echo 'b'",
        "echo $$'a\\'\n\\alpha l; echo 'b'",
        'true "$(case x in x) true \\ #; alpha m\n;; esac)"',
        'bash <<END\n$(case x in x) echo "alpha n";; esac)\nEND',
        'bash <<END\n${x:-"alpha"} o\nEND',
        'bash <<END\n$(echo "$(printf "alpha )"; echo x)")\nEND',
        "echo 'x y alpha n' | xargs -n2 env",
        "printf 'x=1\nalpha p n\n' | xargs -L1 env; printf 'x=1\nalpha q n\n' | xargs -l env",
        "printf 'a b c' | xargs -E b alpha",
        "date -d '+1 day' +alpha | bash; alpha $(date -d '+1 day' +x%%)",
        "git rev-parse -- 'alpha n' | bash",
        "timeout $(true) $(true) $(echo 9) alpha n; timeout $(sw_vers) $(sw_vers) $(echo 9) alpha n",
        "alpha $(echo n | cat -E) $(echo -- a) $(echo -n-e b)",
        "printf -v v %q 'a b'; alpha $v",
        "echo alpha a > t; echo 'alpha b' | tee -a t; bash t",
        "mapfile -t -n 1 -s 1 w <<< $'a\\nb\\nc'; alpha \"${w[@]}\"",
        "alpha $([ -f s ] && echo a) $([ -f nobody ] && echo a)",
        'a=(alpha p n); "${a[@]}"; a=(al n); a+=pha; "${a[@]}"; a=(x q); read a <<< alpha; "${a[@]}"',
        'x=(); alpha "${x[@]}" n; true; alpha $?',
        'unset x; alpha ${x-n} ${x:-m} "${x+o}"; f() { local x; alpha ${x-p}; }; f',
        "x=a/b/c.d.e; alpha ${x##*/} ${x%/*} ${x%%.*} ${x#*.} ${x##b/} ${x%.e}",
        "x=abC; alpha ${x^} ${x^^} ${x,,} ${x^^b}",
        "alpha a$(n=; while [ -z $n ]; do printf b; n=1; done)",
        "true || printf 'echo ' > s; false && printf 'echo '; (false && printf 'echo '; echo alpha a) > s; bash s",
        "[ -f nobody ] && v=-k; timeout $([ -f s ] && echo -v) $([ -f nobody ] && echo -k) 9 alpha a",
    ],
)
def test_what_bash_makes_of_words_was_told(command, stage):
    holds(command, stage)
