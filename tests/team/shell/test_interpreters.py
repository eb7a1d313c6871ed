"""Interpreters, awk, sed and editors: the code in their words, and the files they edit."""

import shlex

import pytest

from drumline.team.shell.effect import HOLE, OUTER
from drumline.team.shell.interpreters import PROGRAMS, effects
from tests.team.shell.inline import CODE, PATH, PROGRAM, RECURSIVE, UNREADABLE, Recorded, said

PUSH = "sh: git push"
RUN_PUSH = "run: git push"
PIPE = "undecided: code comes from a pipe"


def table(rows):
    """Commands and what they do, each row called by its command."""
    return [pytest.param(command, expected, id=command) for command, *expected in rows]


def told(command, **scene):
    argv = shlex.split(command)
    assert argv[0].rpartition("/")[2] in PROGRAMS
    return said(effects(argv, Recorded(**scene)))


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("python -c 'print(1)'",),
            ("python3 -c \"import subprocess;subprocess.run(['git','push'])\"", RUN_PUSH),
            ("python3 -Ic \"import os;os.system('git push')\"", PUSH),
            ("python3 -uBc 'import os;os.remove(\"x\")' a b", "delete /repo/x"),
            ('python3 -X dev -W ignore -c \'open("x","w")\'', "write /repo/x"),
            ('/usr/bin/python3.12 -c \'open("x","w")\'', "write /repo/x"),
            ("python x.py -c 'os.system(1)'", "read /repo/x.py"),
            ("python3 tools/gitpush_report.py", "read /repo/tools/gitpush_report.py"),
            ("python3.12 -m pip install x",),
            ("python -m pytest -q",),
            ("python -m http.server 8000",),
            ("python -m json.tool a b", "read /repo/a", "write /repo/b"),
            ("python -m zipfile -e z.zip out", "read /repo/z.zip", "write /repo/out/**"),
            ("python -m tarfile -c a.tar x", "write /repo/a.tar"),
            ("python -m venv .venv", "write /repo/.venv/**"),
            ("python -m timeit -s 'import os' 'os.system(\"git push\")'", PUSH),
            ("python -m cProfile -o out.prof x.py", "write /repo/out.prof", "read /repo/x.py"),
            ("python -m compileall src", "read /repo/src"),
            ("python -m nox -s push", "run: nox -s push"),
            ("python --version",),
            ("python -V",),
            ("python",),
            ("ipython -c '!git push'", PUSH),
            ("pypy3 -c 'print(\"git push\")'",),
        ]
    ),
)
def test_python_is_judged_by_its_code_or_its_module(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "stdin", "expected"),
    [
        pytest.param("python", "import os; os.system('git push')", [PUSH], id="a known text"),
        pytest.param("python -", "print('git push')", [], id="a known text that only prints"),
        pytest.param("python3 /dev/stdin", "open('x','w')", ["write /repo/x"], id="a device"),
        pytest.param("python -", HOLE, [PIPE], id="an unknown text"),
        pytest.param(
            "python x.py", HOLE, ["read /repo/x.py"], id="a script reads the unknown text"
        ),
        pytest.param("python -c 'print(1)'", HOLE, [], id="code reads the unknown text"),
        pytest.param("python", "", [], id="nothing"),
        pytest.param("python", None, [], id="no pipe"),
        pytest.param("node", "require('fs').writeFileSync('x','')", ["write /repo/x"], id="node"),
        pytest.param("perl", "unlink 'x'", ["delete /repo/x"], id="perl"),
        pytest.param("irb", "system('git push')", [PUSH], id="irb"),
        pytest.param("tclsh", "exec git push\n", [RUN_PUSH], id="tclsh"),
        pytest.param("ruby", HOLE, [PIPE], id="ruby"),
        pytest.param("bun -", HOLE, [PIPE], id="bun"),
        pytest.param("pwsh -c -", HOLE, [PIPE], id="pwsh"),
    ],
)
def test_code_from_a_pipe_is_read_where_it_is_known(command, stdin, expected):
    assert told(command, stdin=stdin) == expected


def test_a_script_written_by_the_same_command_is_read():
    written = {"/repo/x.py": "import os; os.system('git push')"}
    assert told("python x.py", written=written) == ["read /repo/x.py", PUSH]


def test_code_that_a_process_prints_into_a_file_is_read():
    written = {"/dev/fd/63": "open('x','w')"}
    assert told("python /dev/fd/63", written=written) == ["write /repo/x"]


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("node -e \"require('child_process').execSync('git push')\"", PUSH),
            ('node --eval=\'require("fs").rmSync("x")\'', "delete /repo/x"),
            ("node -pe 'process.version'",),
            ("node -p 1+1",),
            ("node x.js", "read /repo/x.js"),
            ("node -r dotenv/config x.js", "read /repo/x.js"),
            ("deno eval 'Deno.removeSync(\"x\")'", "delete /repo/x"),
            ("deno run -A x.ts", "read /repo/x.ts"),
            ("deno task push", "git push"),
            ("bun -e 'await Bun.$`git push`'", PUSH),
            ("bun run push", "git push"),
            ("bun run build",),
            ("bun x.ts", "read /repo/x.ts"),
            ("bun x br close 1", "run: br close 1"),
            ("bun install",),
            ("ruby -e 'system(\"git push\")'", PUSH),
            ("ruby -pi -e '$_.upcase!' f.txt", "write /repo/f.txt"),
            ("ruby -ne 'puts $_ if /x/' f", "read /repo/f"),
            ("perl -pi -e s/a/b/ .run/state.json", "write /repo/.run/state.json"),
            ("perl -i.bak -pe 's/a/b/' f", "write /repo/f", "write /repo/f.bak"),
            ("perl -0777pi -e 's/a/b/' f", "write /repo/f"),
            ('perl -0777 -ne \'print "$1\\n" while /x="(.*?)"/g\' f', "read /repo/f"),
            ("perl -F: -lane 'print $F[0]' /etc/passwd", "read /etc/passwd"),
            ("perl -MJSON -e 'print \"git push\"' a",),
            ("perl '-Mstrict;system(\"git push\")' -e 1", PUSH),
            ("php -r 'unlink(\"x\");'", "delete /repo/x"),
            ("php -S localhost:80",),
            ("lua -e 'os.execute(\"git push\")'", PUSH),
            ("Rscript -e 'system(\"git push\")'", PUSH),
            (
                "R -q -e 'unlink(\"x\",recursive=TRUE)'",
                f"{RECURSIVE}, /repo/x",
                "delete /repo/x/**",
            ),
            ("julia -e 'run(`git push`)'", PUSH),
            ("osascript -e 'do shell script \"git push\"'", PUSH),
            ("osascript -e 'display notification \"git push\"'",),
            ("pwsh -NoProfile -c 'git push'", RUN_PUSH),
            ("powershell -EncodedCommand AAAA", UNREADABLE),
            ("groovy -e '\"git push\".execute()'", PUSH),
            ('elixir -e \'System.cmd("git", ["push"])\'', RUN_PUSH),
            ("erl -noshell -eval 'os:cmd(\"git push\"), halt().'", PUSH),
            ("ghc -e 'System.Process.callCommand \"git push\"'", PUSH),
            ("scala -e '\"git push\" !'", PUSH),
            ("expect -c 'spawn git push; expect eof'", RUN_PUSH),
            ("sbcl --eval '(uiop:run-program \"git push\")'", PUSH),
            (f"node -e '{HOLE}'", CODE),
            (f"node -e 'console.log({OUTER})'",),
        ]
    ),
)
def test_every_interpreter_is_judged_by_its_code(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("awk '{print $1}' file", "read /repo/file"),
            ("awk -F: '$3 > 1000 {print $1}' /etc/passwd", "read /etc/passwd"),
            ("awk '/rm -rf/ {print \"git push\"}'",),
            ("awk '{if ($1 > 5) print $2; print ($1 > 5)}'",),
            ("awk '{ sum += $1 } END { print sum / NR }'",),
            ('awk \'{gsub(/"/, ""); print}\'',),
            ("awk '!seen[$0]++'",),
            (f"awk 'NR=={HOLE}' f", "read /repo/f"),
            ('awk \'{printf "%s\\n", $1 > "/dev/stderr"}\'',),
            ("awk '{print k, a[k] | \"sort -n\"}'", "sh: sort -n"),
            ("awk 'BEGIN{system(\"git push\")}'", PUSH),
            ("awk 'BEGIN{c=\"git push\"; system(c)}'", PUSH),
            ("awk '{print | \"git push\"}'", PUSH),
            ('awk \'{print "git push" | "sh"}\'', PROGRAM, "sh: sh"),
            ("awk 'BEGIN{\"git push\" | getline x}'", PUSH),
            ("awk '{system(\"rm \" $1)}'", PROGRAM, "sh: rm …"),
            ("awk 'BEGIN{system(x)}'", PROGRAM),
            ('gawk \'BEGIN{f="system"; @f("git push")}\'', PROGRAM),
            (f"awk '{HOLE}'", "undecided: an awk program cannot be told"),
            ("awk '{print > \"out.txt\"}'", "write /repo/out.txt"),
            ('awk \'{print $1 >> "out" ".txt"}\'', "append /repo/out.txt"),
            ("awk -v o=x.txt '{print > o}'", "write /repo/x.txt"),
            ("awk '{print > $1}'", PATH),
            ("awk '{ f=$1\".txt\"; print > f }'", "write ….txt"),
            ("awk 'BEGIN{while((getline l < \"f.txt\")>0) print l}'", "read /repo/f.txt"),
            ("gawk -i inplace '{print}' f", "write /repo/f"),
            ("awk -f p.awk f", "read /repo/p.awk", "read /repo/f"),
            ("awk -v a=1 'NR==a' x=2 f", "read /repo/f"),
        ]
    ),
)
def test_awk_is_judged_by_what_its_program_prints_to_and_starts(command, expected):
    assert told(command) == expected


RUNS_INPUT = "undecided: sed runs the lines it reads"


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("sed -n 's/git reset --hard//g'",),
            ("sed 's/rm/remove/g;s#a#b#;s/[/]/x/;s/a/w/;s/e/e/'",),
            ("sed -n '1,10p;$=' f", "read /repo/f"),
            ("sed '/a/,/b/{s/x/y/;p}'",),
            ("sed ':a;N;$!ba;s/\\n/ /g'",),
            ("sed '1i # header e w'",),
            ("sed 'y/abc/xyz/;/w file/d;5,+3d;0~3d;$!N;P;D;\\,x,d'",),
            ("sed -E 's/([a-z]+)/\\1/I' --expression='s/a/b/'", "read /repo/s/([a-z]+)/\\1/I"),
            (f"sed -n '{HOLE},{OUTER}p'",),
            (f"sed 's/a/{HOLE}/'",),
            ("sed 10q f", "read /repo/f"),
            ("sed -i s/a/b/ .claude/settings.json", "write /repo/.claude/settings.json"),
            ("sed -i.bak -e 's/a/b/' f", "write /repo/f", "write /repo/f.bak"),
            ("sed -ni '/x/p' f", "write /repo/f"),
            ("sed -Ei 's/a/b/' f", "write /repo/f"),
            ("sed --in-place=.orig s/a/b/ f", "write /repo/f", "write /repo/f.orig"),
            ("sed -i '' 's/a/b/' f", "write /repo/f"),
            ("sed '/x/w out.txt'", "write /repo/out.txt"),
            ("sed 's/a/b/w out.txt'", "write /repo/out.txt"),
            ("sed -n '/x/w /dev/stdout'",),
            ("sed -e '/x/r other.txt'", "read /repo/other.txt"),
            ("sed -f s.sed f", "read /repo/s.sed", "read /repo/f"),
            ("sed '1e git push'", PUSH),
            ("sed 's/.*/date/e'", RUNS_INPUT),
            ("sed e", RUNS_INPUT),
            (f"sed '{HOLE}'", "undecided: a sed script cannot be told"),
            ("sed k", "undecided: a sed script cannot be read"),
        ]
    ),
)
def test_sed_is_judged_by_its_files_and_its_script(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    table(
        [
            ("vi f", "write /repo/f"),
            ("nano f", "write /repo/f"),
            ("emacs f", "write /repo/f"),
            ("view f", "read /repo/f"),
            ("vim -R f", "read /repo/f"),
            ("vim --version",),
            ("vim -c '%s/a/b/g' -c wq f", "write /repo/f"),
            ("vim -es -c '!git push' f", PUSH, "write /repo/f"),
            ("vim -c ':silent !git push'", PUSH),
            ("vim -c 'r !git push'", PUSH),
            ("vim -c 'w !git push'", PUSH),
            ("vim +'w other' f", "write /repo/other", "write /repo/f"),
            ("vim -c 'call system(\"git push\")' -c q", PUSH),
            ("nvim --headless -c 'lua os.execute(\"git push\")' +qa", PUSH),
            ("vim -c 'py3 import os; os.system(\"git push\")'", PUSH),
            (
                "nvim -c 'exe \"!git push\"'",
                "undecided: an editor is given commands that cannot be told",
            ),
            ("ex -sc '%s/a/b/|x' f", "write /repo/f"),
            ("emacs --batch --eval '(shell-command \"git push\")'", PUSH),
            ("emacs -batch -eval '(delete-file \"x\")'", "delete /repo/x"),
            ("emacs --batch -l x.el", "read /repo/x.el"),
        ]
    ),
)
def test_an_editor_writes_the_files_it_opens_and_runs_what_it_is_told(command, expected):
    assert told(command) == expected


@pytest.mark.parametrize(
    ("command", "stdin", "expected"),
    [
        pytest.param(
            "ed -s f",
            "1,$s/a/b/\nw other\n!git push\nq\n",
            ["write /repo/f", "write /repo/other", PUSH],
            id="ed with commands",
        ),
        pytest.param("ed f", "a\n!git push\n.\nw\nq\n", ["write /repo/f"], id="ed with text"),
        pytest.param(
            "ed f",
            HOLE,
            ["write /repo/f", "undecided: an editor is given commands that cannot be told"],
            id="ed with an unknown text",
        ),
        pytest.param("ex f", "%s/a/b/\n!git push\nwq\n", [PUSH, "write /repo/f"], id="ex"),
    ],
)
def test_an_editor_follows_the_commands_piped_into_it(command, stdin, expected):
    assert told(command, stdin=stdin) == expected


HOSTILE = [
    "(",
    "{",
    "'",
    '"',
    "\\",
    "/[",
    "s/a/b/;",
    "w x\n",
    "print > ",
    "a=a b;",
    "!ls\n",
    ":w x|",
    HOLE,
]


@pytest.mark.parametrize("seed", HOSTILE)
@pytest.mark.parametrize(
    "start", ["awk", "sed", "vim -c", "ed", "emacs --eval", "python -c", "perl -e"]
)
def test_hostile_words_of_64_kib_are_followed_to_their_end(start, seed):
    text = (seed * (65_536 // len(seed) + 1))[:65_536]
    assert isinstance(effects([*start.split(), text], Recorded(stdin=text)), list)
