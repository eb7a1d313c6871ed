"""Text that looks like shell, made to be hard to read: for property tests."""

from hypothesis import strategies as st

LONGEST = 64 * 1024

_WORDS = (
    "git push commit -m br close rm -rf / .claude .run/state.json .env echo cat ls cd .. ~ ~root a=b x= "
    "$x ${x} ${x:-y} ${x%%/*} $@ $1 $? $$ * ? [a-z] {a,b} {1..9} - -- --help -c -C -exec ; \\; {} + "
    "sh bash eval exec source . env sudo xargs find nohup timeout command builtin time ! trap alias "
    "python3 -c node -e perl ruby php awk sed -i tee dd cp mv ln -s tar install patch psql vim ssh host "
    "docker run npm make printf %s base64 -d tr rev 2>&1 &>out >f >>f <f <<<w >| <> 3<&- /dev/null "
    "if then else elif fi for in do done while until case esac select function f() { } [[ ]] (( )) "
    "export local declare -a readonly unset let read mapfile set GIT_DIR=x LOA_TEAM_MEMBER= IFS=x"
)
_OPERATORS = "; & | && || ;; ;& |& ( ) { } < > >> << <<< <<- >& <& &> $( ` $(( )) ${ <( >( # !"
WORDS = _WORDS.split()
OPERATORS = [*_OPERATORS.split(), "\n", "\\\n", " "]
CODE = (
    "import os; os.system('git push')",
    "open('.claude/x','w').write(1)",
    "require('fs').writeFileSync('.env', `${x}`)",
    'system("rm -rf /"); qx{ls}; `ls`',
    '{print > ".run/state.json"; system("br close 1")}',
    "s/a/b/e;w .claude/x",
    "drop table users; --",
    "<<E\n$(git push)\nE\n",
    "cat <<'E' | sh\ngit push\nE\n",
)
# what this reader keeps for itself, what no terminal prints, what no encoding holds
STRANGE = "\0\x01\x1b\x7f\r\v\f\x85\xa0\u2028\u202e\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\ufdd5\ufdd6\ufdd7\ufeff\ud800\udfff"
BRACKETS = (
    ("(", ")"),
    ("{ ", "; }"),
    ("$(", ")"),
    ("`", "`"),
    ('"$(', ')"'),
    ("${x:-", "}"),
    ("$((", "))"),
    ("<(", ")"),
    ("'", "'"),
    ('"', '"'),
    ("$'", "'"),
    ("[[ ", " ]]"),
    ("if ", "; then :; fi"),
    ("for i in a; do ", "; done"),
    ("case x in x) ", ";; esac"),
    ("f() { ", "; }; f"),
    ("bash -c '", "'"),
    ('eval "', '"'),
    ("cat <<E\n", "\nE\n"),
    ("python3 -c '", "'"),
    ("{a,", "}"),
)

pieces = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(OPERATORS),
    st.sampled_from(CODE),
    st.sampled_from(STRANGE),
    st.text(max_size=8),
)
lines = st.lists(pieces, max_size=12).map(" ".join) | st.lists(pieces, max_size=12).map("".join)


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(BRACKETS), inner, lines).map(
        lambda made: made[0][0] + made[1] + made[0][1] + made[2]
    )


nested = st.recursive(lines, _wrapped, max_leaves=6)
deep = st.builds(
    lambda pair, times, inner: pair[0] * times + inner + pair[1] * times,
    st.sampled_from(BRACKETS),
    st.integers(1, 400),
    lines,
)
huge = st.builds(
    lambda head, unit, tail: (head + unit * (LONGEST // len(unit)))[:LONGEST] + tail,
    lines,
    pieces.filter(bool),
    lines,
)
shell = st.one_of(nested, deep, huge)
