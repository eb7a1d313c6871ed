"""Whichever way bash takes through a script, the walk must have gone it too."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.team.shell.test_walk_against_bash import check, stage
from tests.trying import tries

__all__ = ["stage"]

values = st.sampled_from(["one", "two", "three", '"$y"', '"$1"', '"$x"'])
names = st.sampled_from(["x", "y"])
signs = st.sampled_from(["&&", "||", ";", "&& ! true ||", "& wait;"])
tests = st.sampled_from(["true", "false", ":", "[ -n a ]", "cd nowhere 2>&-", "! true"])


def changes(inner):
    """Scripts that change what a name is, on some of their ways."""
    return st.one_of(
        st.builds("{}={}".format, names, values),
        st.builds("{} {} {}".format, tests, signs, inner),
        st.builds("if {}; then {}; else {}; fi".format, tests, inner, inner),
        st.builds("if {}; then {}; elif {}; then {}; fi".format, tests, inner, tests, inner),
        st.builds("case {} in one) {};; *) {};; esac".format, values, inner, inner),
        st.builds("for i in a b; do {}; {} && break; {}; done".format, inner, tests, inner),
        st.builds("n=0; while [ $n != 00 ]; do n=0$n; {}; {}; done".format, inner, inner),
        st.builds("f() {{ {}; {} && return; {}; }}; f {}".format, inner, tests, inner, values),
        st.builds("f() {{ local {}={}; {}; }}; f".format, names, values, inner),
        st.builds("f() {{ alpha {}; }}".format, values),
        st.builds("( {} )".format, inner),
        st.builds("{{ {}; }} &\nwait".format, inner),
        st.builds("{{ {}; }}".format, inner),
        st.builds("set -- {}; {}".format, values, inner),
        st.builds("{}={} eval '{}=$y'".format, names, values, names),
        st.builds("read {} <<< {}".format, names, values),
        st.builds("{}=$([ {} = one ] && echo {})".format, names, values, values),
        st.builds("{}=$({} && echo {} || echo {})".format, names, tests, values, values),
        st.builds('{}="$(if {}; then echo {}; fi; echo {})"'.format, names, tests, values, values),
        st.builds("{{ {} || echo {}; }} | xargs -r alpha".format, tests, values),
        st.builds("IFS=_ read x y <<< {}_{}".format, values, values),
        st.builds("{}; {}".format, inner, inner),
        st.builds("eval '{}'".format, inner),
        st.builds("echo alpha {} > s; {}; sh ./s".format, values, inner),
        st.builds("{} && {} || exit".format, tests, inner),
        st.builds("alpha {}".format, values),
        st.builds('alpha "${{{}+one}}${{{}+two}}"'.format, names, names),
    )


scripts = st.recursive(st.builds("{}={}".format, names, values), changes, max_leaves=6)


@settings(
    max_examples=tries(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(scripts, scripts)
def test_what_a_name_is_in_the_end_was_told(stage, before, after):
    """Whatever may or may not have run, the program is told with the words it gets."""
    (stage / "s").unlink(missing_ok=True)
    check(f'set -- zero; x=one; y=two\n{before}\n{after}\nalpha "$x" "$y"; f', stage)


@pytest.mark.parametrize(
    "command",
    [
        "x=one; true && x=two; false && x=one; alpha $x",
        "x=two; true || x=one && alpha $x",
        "f() { alpha a; }; f() { :; } & f",
        "readonly x=two; declare x=one; alpha $x",
        "x=two; f() { local x=one; g; }; g() { alpha $x; }; f; g",
        "x=two; f() { local x; x=one; }; f; alpha $x",
        "x=two; f() { declare -g x=one; }; f; alpha $x",
        "x=one; while [ $x != end ]; do alpha $x; [ $x = two ] && x=end; [ $x = one ] && x=two; done",
        "cd nowhere; ./alpha a",
        "cd nowhere || ./alpha b; set -e; cd nowhere && true; ./alpha c",
        "set -a; c=two; set +a; bash -c 'alpha $c'",
        "f() { alpha a; }; export -f f; timeout 9 bash -c f; env bash -c f; echo | xargs bash -c f",
        "bash /dev/fd/3 3<<< 'alpha a'; . /proc/self/fd/0 <<< 'alpha b'; bash <&4 4<<< 'alpha c'",
        "exec 4<<< 'alpha a'; bash <&4",
        "read -ra w <<< 'alpha a'; \"${w[@]}\"; mapfile -t v <<< $'alpha\\nb'; \"${v[@]}\"",
        "IFS=_ read -r a b <<< alpha_c; $a $b",
        "while IFS= read -r l; do $l; done <<< $'alpha a\\nalpha b'",
        "exec -la q alpha a",
        "exec -- alpha b",
        "printf 'alpha a' > s; false && printf : > s; sh s",
        'y=two; cd nowhere; true && y=one; echo alpha "$y" > s; sh ./s',
        'y=two; cd nowhere; false && y=one; echo alpha "$y" > s; sh ./s',
        'y=two; cd no; cd where; false && y=one; echo alpha "$y" > s; sh ./s',
        "$(which nobody || which alpha) a; $(nobody 2>&- || echo alpha b)",
        "x=$([ -d nowhere ] && echo one || echo two); alpha $x $([ -z $x ] && echo -q)",
        "for f in $(case $x in one) echo a;; *) echo b;; esac); do alpha $f; done",
        "x=$(printf 'echo\\nalpha b'); eval \"$x\"",
        'bash -c "$(if [ -d nowhere ]; then echo beta; else echo alpha; fi) c"',
    ],
)
def test_what_bash_runs_on_the_way_it_takes_was_told(command, stage):
    check(command, stage)
