"""What inline code does is told from its text: constants count where a call uses them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drumline.team.shell.code import effects_of_code
from drumline.team.shell.code_language import LANGUAGES
from drumline.team.shell.effect import HOLE, OUTER
from tests.team.shell.inline import (
    CODE,
    OUTSIDE,
    PATH,
    PROGRAM,
    RECURSIVE,
    UNREADABLE,
    Recorded,
    said,
)
from tests.trying import tries

PUSH = "sh: git push"
RUN_PUSH = "run: git push"


def table(rows):
    """Code and what it does, each row called by its code."""
    return [pytest.param(code, expected, id=code) for code, *expected in rows]


def told(code, language="python"):
    return said(effects_of_code(code, language, Recorded()))


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("import subprocess;subprocess.run(['git','push'])", RUN_PUSH),
            ("import os; os.system('git push')", PUSH),
            ("import os; os.popen('git push').read()", PUSH),
            ("import subprocess as sp; sp.check_output('git push', shell=True)", PUSH),
            ("import subprocess as s; s.run(['git push'],shell=True)", PUSH),
            ("import subprocess; subprocess.Popen(args=['git','push'])", RUN_PUSH),
            ("from subprocess import *; run(['git','push'])", RUN_PUSH),
            ("from os import system as s; s('git ' 'push')", PUSH),
            ("import os as o; o.system('gi'+'t push')", PUSH),
            ("x='git push'; import os; os.system(x)", PUSH),
            ("s=__import__('os').system; s('git push')", PUSH),
            ("getattr(__import__('os'),'sys'+'tem')('git push')", PUSH),
            ("import importlib; importlib.import_module('o'+'s').system('git push')", PUSH),
            ("import sys; sys.modules['os'].system('git push')", PUSH),
            ("import os; os.__dict__['system']('git push')", PUSH),
            ("[os.system][0]('git push')", PUSH),
            ("{'a':os.system}['a']('git push')", PUSH),
            ("import os; os.\uff53ystem('git push')", PUSH),
            ("os.system(f\"{'git'} push\")", PUSH),
            ("os.system(' '.join(['git','push']))", PUSH),
            ("subprocess.run('git push'.split())", RUN_PUSH),
            ("import shlex; subprocess.run(shlex.split('git push'))", RUN_PUSH),
            ("cmd=['git']; cmd.append('push'); subprocess.run(cmd)", RUN_PUSH),
            ("cmd=['git']; cmd+=['push']; subprocess.run(cmd)", RUN_PUSH),
            ("c='git'; c+=' push'; os.system(c)", PUSH),
            ("if (c:='git push'): os.system(c)", PUSH),
            ("os.system('gxt push'.replace('x','i'))", PUSH),
            ("os.system(b'git push'.decode())", PUSH),
            ("import os;os.execvp('git',['git','push'])", RUN_PUSH),
            ("import os;os.execlp('git','git','push')", RUN_PUSH),
            ("import os;os.spawnlp(os.P_WAIT,'git','git','push')", RUN_PUSH),
            ("import pty;pty.spawn(['git','push'])", RUN_PUSH),
            ("import asyncio; asyncio.create_subprocess_exec('git','push')", RUN_PUSH),
            ("import asyncio; asyncio.create_subprocess_shell('git push')", PUSH),
            ("import ctypes; ctypes.CDLL(None).system(b'git push')", PUSH),
            ("from sh import git; git('push')", RUN_PUSH),
            ("import sh; sh.git.push()", RUN_PUSH),
            ("import git; git.Repo('.').remote().push()", "git push"),
            ("exec('import os; os.system(\"git push\")')", PUSH),
            ('eval(\'__import__("os").system("git push")\')', PUSH),
            ("exec(compile('import os; os.system(\"git push\")','x','exec'))", PUSH),
            ("print(f\"{os.system('git push')}\")", PUSH),
            ("def f(x=os.system('git push')): pass", PUSH),
            ("def sh(*a): return subprocess.run(a)\nsh('git','push')", RUN_PUSH),
            ("def sh(c): return os.system(c)\nsh('git push')", PUSH),
            ("for c in ['ls', 'git push']: os.system(c)", "sh: ls", PUSH),
            ("x='ls'\nfor i in (1,2):\n    os.system(x)\n    x='git push'\n", "sh: ls", PUSH),
            ("c = 'ls' if x else 'git push'; os.system(c)", "sh: ls", PUSH),
            ("d = {'c': 'git push'}; os.system(d.get('c'))", PUSH),
            ("os.system.__call__('git push')", PUSH),
            ("os.system('\\u0067it\\40push')", PUSH),
            ("os.chdir('/x'); os.system('git push')", "sh: cd /x && git push"),
            ("subprocess.run(['git','push'],cwd='/r')", "sh: cd /r && git push"),
            (
                "subprocess.run(['sh'],input='git push')",
                "sh: sh <<'END_OF_INPUT'\ngit push\nEND_OF_INPUT",
            ),
            ("subprocess.run([sys.executable,'-m','pip','list'])", "run: python3 -m pip list"),
        ]
    ),
)
def test_python_that_starts_a_program_is_followed_into_it(code, expected):
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("os.system(cmd)", PROGRAM),
            ("os.system('hsup tig'[::-1])", PROGRAM),
            ("os.system(chr(103)+'it push')", PROGRAM, "sh: …it push"),
            ("os.system(f'git push {branch}')", PROGRAM, "sh: git push …"),
            ("os.system('git {}'.format('push'))", PROGRAM, "sh: git …"),
            ("os.system('git %s' % 'push')", PROGRAM, "sh: git …"),
            ("subprocess.run(cmd)", PROGRAM),
            ("cmd=['git','status']; cmd[1]='push'; subprocess.run(cmd)", PROGRAM),
            ("cmd=['git','status']; cmd.reverse(); subprocess.run(cmd)", PROGRAM),
            ("c='ls'; c,d='git push',1; os.system(c)", PROGRAM),
            ("d={'c':'ls'}; d['c']='git push'; os.system(d['c'])", PROGRAM),
            ("d={'c':'ls'}; d.update(c='git push'); os.system(d['c'])", PROGRAM),
            ("c = cmd or 'ls'; os.system(c)", PROGRAM, "sh: ls"),
            ("p=subprocess.Popen(['sh'],stdin=subprocess.PIPE)", PROGRAM),
            ("list(map(os.system,['git push']))", PROGRAM),
            ("functools.partial(os.system,'git push')()", PROGRAM),
            ("threading.Thread(target=os.system,args=('git push',)).start()", PROGRAM),
            ("(lambda s: __import__('os').system(s))('git push')", PROGRAM),
            ("import codecs; os.system(codecs.decode('tvg chfu','rot13'))", PROGRAM),
            ("import base64;exec(base64.b64decode('aW1wb3J0IG9z'))", CODE),
            ("exec(open('x.py').read())", "read /repo/x.py", CODE),
            ("eval(input())", CODE),
            ("__import__(name).system('git push')", CODE, PUSH),
            ("getattr(os, name)('git push')", CODE),
            ("().__class__.__base__.__subclasses__()[1]", CODE),
            (f"import os; {HOLE}", CODE),
            (f"{HOLE}('x')", CODE),
            ("'unterminated", UNREADABLE),
            ("print('''x''", UNREADABLE),
        ]
    ),
)
def test_python_whose_program_or_code_is_not_a_constant_is_undecided(code, expected):
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("open('.run/state.json','w').write('x')", "write /repo/.run/state.json"),
            ("open('x','a')", "append /repo/x"),
            ("open('x', mode='r+')", "write /repo/x"),
            ("open(*('x','w'))", "write /repo/x"),
            ("f = open; f('x','w')", "write /repo/x"),
            ("with open('x','w') as f: f.write('a')", "write /repo/x"),
            ("open('.git/hooks/pre-commit','w')", "write /repo/.git/hooks/pre-commit"),
            ("os.open('x',os.O_WRONLY|os.O_CREAT)", "write /repo/x"),
            ("from pathlib import Path; (Path('a')/'b').write_text('x')", "write /repo/a/b"),
            ("from pathlib import Path; Path('x').unlink()", "delete /repo/x"),
            ("from pathlib import Path; Path('x').open('w')", "write /repo/x"),
            ("from pathlib import Path; Path.home().joinpath('x').touch()", "write /home/me/x"),
            (
                "from pathlib import Path; Path('a').rename('b')",
                "delete /repo/a/**",
                "write /repo/b/**",
            ),
            ("from pathlib import Path; Path('a/b').parent.mkdir()", "write /repo/a"),
            ("open(os.path.join('out','a.txt'),'w')", "write /repo/out/a.txt"),
            ("open(os.path.expanduser('~/x'),'w')", "write /home/me/x"),
            ("open(os.environ['HOME']+'/x','w')", "write /home/me/x"),
            ("open(f'/tmp/{name}.txt','w')", "write /tmp/….txt"),
            ("os.chdir('/x'); open('a','w')", "write /x/a"),
            ("os.rename('a','b')", "delete /repo/a/**", "write /repo/b/**"),
            ("os.makedirs('a/b', exist_ok=True)", "write /repo/a/b"),
            ("os.symlink('a','b')", "write /repo/b"),
            ("os.chmod('x',0o644)", "attributes /repo/x"),
            ("os.chmod('x',0o777)", "attributes /repo/x", "run: chmod 777 /repo/x"),
            ("shutil.copy('a','b')", "read /repo/a", "write /repo/b"),
            ("shutil.copytree('a','b')", "read /repo/a", "write /repo/b/**"),
            ("shutil.move('a','b')", "delete /repo/a/**", "write /repo/b/**"),
            ("shutil.rmtree('/tmp/demo')", f"{RECURSIVE}, /tmp/demo", "delete /tmp/demo/**"),
            ("shutil.rmtree(d)", PATH, RECURSIVE),
            ("os.remove('x')", "delete /repo/x"),
            ("os.remove('/repo/x')", "delete /repo/x"),
            ("os.remove('/tmp/x')", "delete /tmp/x"),
            ("os.remove('/etc/passwd')", "delete /etc/passwd", f"{OUTSIDE}, /etc/passwd"),
            ("os.remove('../x')", "delete /x", f"{OUTSIDE}, /x"),
            ("os.remove(name)", PATH),
            ("open(name,'w')", PATH),
            ("for f in glob.glob('build/*.o'): os.remove(f)", "delete /repo/build/*.o"),
            ("for p in folder.rglob('*.py'): p.write_text('')", PATH),
            ("for f in os.listdir('build'): os.remove('build/'+f)", "delete /repo/build/*"),
            (
                "for root, _, files in os.walk('out'):\n  for f in files: os.remove(os.path.join(root, f))",
                "delete /repo/out/*",
                "delete /repo/out/…/*",
            ),
            (
                "from pathlib import Path\nfor p in Path('src').rglob('*.py'): p.write_text('')",
                "write /repo/src/…",
            ),
            (
                "for p, t in {'a':'1','b':'2'}.items(): open(p,'w').write(t)",
                "write /repo/a",
                "write /repo/b",
            ),
            ("for p, old in [('a','1'),('b','2')]: open(p,'w')", "write /repo/a", "write /repo/b"),
            (
                "def edit(p, old):\n    s=open(p).read()\n    open(p,'w').write(s)\nedit('a','1')\nedit('b','2')",
                "read /repo/a",
                "read /repo/b",
                "write /repo/a",
                "write /repo/b",
            ),
            (
                "p='a'\ns=open(p).read()\nopen(p,'w').write(s)\np='b'\nprint(open(p).read())",
                "read /repo/a",
                "write /repo/a",
                "read /repo/b",
            ),
            (
                "import sqlite3; sqlite3.connect('x.db').execute('DROP TABLE t')",
                "read /repo/x.db",
                "danger: destroys data in a database, drop table t",
                "write /repo/x.db",
            ),
            ("json.dump({}, open('x.json','w'))", "write /repo/x.json"),
            ("for l in fileinput.input('x', inplace=True): print(l)", "write /repo/x"),
            (
                "zipfile.ZipFile('a.zip').extractall('out')",
                "read /repo/a.zip",
                "write /repo/out/**",
            ),
        ]
    ),
)
def test_python_that_changes_files_names_them(code, expected):
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("os.environ['LOA_TEAM_MEMBER']=''", "identity LOA_TEAM_MEMBER"),
            ("os.environ['DRUM'+'LINE_ROLE']='lead'", "identity DRUMLINE_ROLE"),
            ("from os import environ as e; e['LOA_X']='1'", "identity LOA_X"),
            ("del os.environ['LOA_X']", "identity LOA_X"),
            ("os.environ.pop('LOA_X', None)", "identity LOA_X"),
            ("os.environ.update(LOA_X='1')", "identity LOA_X"),
            ("os.putenv('LOA_X','1')", "identity LOA_X"),
            ("os.unsetenv('LOA_X')", "identity LOA_X"),
            ("os.environ.clear()", "identity *"),
            ("subprocess.run(['ls'],env=dict(os.environ,LOA_X='1'))", "identity LOA_X", "run: ls"),
            ("subprocess.run(['ls'],env={**os.environ,'LOA_X':'1'})", "identity LOA_X", "run: ls"),
            ("e=os.environ.copy(); e['LOA_X']='1'", "identity LOA_X"),
            (
                "e={k:v for k,v in os.environ.items() if not k.startswith('LOA_')}; os.execve('ls',['ls'],e)",
                "run: ls",
            ),
            (
                "os.environ[name]='1'",
                "undecided: inline code changes a variable that cannot be told",
            ),
            ("os.environ['PATH']='/x'; print(os.environ['LOA_X'], os.getenv('LOA_Y'))",),
        ]
    ),
)
def test_python_that_changes_who_it_is_says_which_variable(code, expected):
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("print('rm -rf /')",),
            ("print(\"git push\", 'git commit -m x')",),
            ("x = 'git push'; print(x)",),
            ("import json,sys; print(json.load(sys.stdin)['a'])",),
            ("import json; print(json.load(open('package.json'))['v'])", "read /repo/package.json"),
            ("import sys; print(sys.version); [print(x) for x in sys.path]",),
            ("import platform; print(platform.system())",),
            ("import inspect, subprocess; print(inspect.signature(subprocess.run))",),
            ("print('''it's \"quoted\"''')  # don't",),
            ("x = {'a': 1}; print({k: v for k, v in x.items()}, x.pop('a'), x.copy())",),
            ("l=[1]; l.remove(1); l.reverse(); print(l)",),
            ("s='a b'; print(s.replace('a','b').split(), s[::-1])",),
            ("df.rename(columns={'a':'b'}).drop('x')",),
            ("import asyncio; asyncio.run(main())",),
            ("import time; print(f'{time.time():.2f} {{}} {1+1}')",),
            ("import os; print(os.environ['HOME'], os.path.exists('/etc/passwd'))",),
            ("import urllib.request as u; print(u.urlopen('http://localhost').read())",),
            ("from unittest import mock\nwith mock.patch('os.system'): pass",),
            ("import ast; ast.parse('1'); compile('1','x','eval')",),
            ("open('/dev/null','w')",),
            ("import re; m=re.compile(r'rm -rf (\\S+)'); print(m.match('x'))",),
            ("import sys\nfor line in sys.stdin:\n    print(line.strip())",),
            ("print 'python two'",),
            ("assert 1 == 1, 'os.system'",),
            ("import sqlite3; print(sqlite3.connect(':memory:').execute('select 1').fetchall())",),
            ("print(getattr(args, name), cls.__mro__, f.__code__.co_varnames)",),
            (f"print({HOLE})",),
            (f"for i in range({HOLE}): print('{OUTER}')",),
            ("help(os.remove); print(shutil.rmtree)",),
            ("d = {'system': 1}; print(d['system'])",),
            (
                "import hashlib; print(hashlib.md5(open('x','rb').read()).hexdigest())",
                "read /repo/x",
            ),
        ]
    ),
)
def test_harmless_python_is_left_alone(code, expected):
    assert told(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("require('child_process').execSync('git push')", PUSH),
            ("const {execSync:e}=require('child_process');e('git push')", PUSH),
            ("const cp=require('child_process'); cp['exec'+'Sync']('git push')", PUSH),
            ("import {execSync as e} from 'node:child_process'; e('git push')", PUSH),
            ("import('child_process').then(cp=>cp.execSync('git push'))", PUSH),
            ("process.mainModule.require('child_process').execSync('git push')", PUSH),
            ("require('child_process').exec('git push',(e,o)=>{console.log(o)})", PUSH),
            ("require('child_process').spawn('git',['push'],{stdio:'inherit'})", RUN_PUSH),
            ("require('child_process').spawn('git push',{shell:true})", PUSH),
            ("require('child_process').execSync.call(null,'git push')", PUSH),
            ("require('util').promisify(require('child_process').exec)('git push')", PUSH),
            ('(0,eval)(\'require("child_process").execSync("git push")\')', PUSH),
            ('new Function(\'require("child_process").execSync("git push")\')()', PUSH),
            ("console.log(`${require('child_process').execSync('git push')}`)", PUSH),
            ("const {exec}=require('child_process'); exec(`git ${'push'}`)", PUSH),
            ("await Bun.$`git push`", PUSH),
            ("new Deno.Command('git',{args:['push']}).outputSync()", RUN_PUSH),
            ("function sh(c){ return require('child_process').execSync(c) }\nsh('git push')", PUSH),
            ("require('child_process')[x]('git push')", CODE),
            ("new Function(atob('aaa'))()", CODE),
            ("\\u0065val('1')", UNREADABLE),
            ("require('child_process').execSync(c?'git push':'ls')", PUSH, "sh: ls"),
            ("const cp = await import('child_process'); cp.exec('git push')", PUSH),
            ("const c = {a:'git push'}; require('child_process').exec(c.a)", PUSH),
            ("const c = {a:'ls'}; c.a='git push'; require('child_process').exec(c.a)", PROGRAM),
            ("require('child_process').execSync(Buffer.from('Z2l0','base64').toString())", PROGRAM),
            ("const run = c => require('child_process').execSync(c); run('git push')", PROGRAM),
            ("require('fs').writeFileSync('x','y')", "write /repo/x"),
            ("require('fs').appendFileSync('x','y')", "append /repo/x"),
            ("fs.writeFileSync('a','b',{flag:'a'})", "append /repo/a"),
            ("const p='x'; fs.writeFileSync(`${p}/a.txt`,'1')", "write /repo/x/a.txt"),
            (
                "require('fs').rmSync('/home/user',{recursive:true})",
                f"{RECURSIVE}, /home/user",
                "delete /home/user/**",
            ),
            (
                "import {rm} from 'fs/promises'; await rm('x',{recursive:true})",
                f"{RECURSIVE}, /repo/x",
                "delete /repo/x/**",
            ),
            (
                "require('fs').unlinkSync('/etc/passwd')",
                "delete /etc/passwd",
                f"{OUTSIDE}, /etc/passwd",
            ),
            ("['a','b'].forEach(f=>fs.unlinkSync(f))", "delete /repo/a", "delete /repo/b"),
            ("fs.readdirSync('.').forEach(f=>fs.unlinkSync(f))", PATH),
            ("fs.readdirSync('d').forEach(f=>fs.unlinkSync('d/'+f))", "delete /repo/d/*"),
            ("names.forEach(f=>fs.unlinkSync(f))", PATH),
            ("process.env.LOA_X='1'; delete process.env.LOA_Y", "identity LOA_X", "identity LOA_Y"),
            ("Object.assign(process.env,{LOA_TEAM:'x'})", "identity LOA_TEAM"),
            ("console.log('rm -rf /', `git push`)",),
            ("const m=/git push '(.*)'/.exec(s); if(m) console.log(m[1])",),
            ("const re = /[/'\"]/; const d = a / b / c; console.log('it\\'s')",),
            ("console.log(require('./package.json').version, process.env.HOME)",),
            ("[1,2].map(x=>x*2).forEach(x=>console.log(x)); arr.push(1); delete o.x",),
            ("fetch('http://x').then(r=>r.json()).then(console.log)",),
            ("JSON.parse(require('fs').readFileSync('a.json','utf8'))", "read /repo/a.json"),
        ]
    ),
)
def test_javascript_is_told_from_its_calls(code, expected):
    assert told(code, "javascript") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("system('rm -rf /home/user')", "sh: rm -rf /home/user"),
            ("system 'git','push'", RUN_PUSH),
            ("system(qw(git push))", RUN_PUSH),
            ("my @c=('git','push'); system(@c)", RUN_PUSH),
            ('my $s="git"; system "$s push"', PUSH),
            ('exec "git"." push"', PUSH),
            ("print `git push`", PUSH),
            ("print qx{git push}", PUSH),
            ("open(P,'|git push')", PUSH),
            ("open(my $f,'-|','git','push')", RUN_PUSH),
            ("s/(.*)/`git push`/e", PUSH),
            ("eval 'system(\"git push\")'", PUSH),
            ("my $x = <<'E'; system($x);\ngit push\nE\n", "sh: git push\n"),
            ("eval $x", CODE),
            ("s/x/$y/ee", CODE),
            ("open(my $f,'>','x') or die; print $f 'y'", "write /repo/x"),
            ("open F,'>>x'", "append /repo/x"),
            ("open(F,'x')", "read /repo/x"),
            ("unlink 'a','b'", "delete /repo/a", "delete /repo/b"),
            ("unlink '/etc/passwd' if -e 'x'", "delete /etc/passwd", f"{OUTSIDE}, /etc/passwd"),
            ("for (qw(a b)) { unlink }", "delete /repo/a", "delete /repo/b"),
            ("unlink glob('*.o')", "delete /repo/*.o"),
            ("use File::Path; remove_tree('x')", f"{RECURSIVE}, /repo/x", "delete /repo/x/**"),
            ("rename 'a','b' or die", "delete /repo/a/**", "write /repo/b/**"),
            ("chmod 0777, 'x'", "attributes /repo/x", "run: chmod 777 /repo/x"),
            ("$ENV{LOA_X}=''; delete $ENV{LOA_Y}", "identity LOA_X", "identity LOA_Y"),
            ('print "rm -rf /\\n" if /git push/',),
            ("s/'/\"/g; s{a}{b}g; tr/a-z/A-Z/; y/a/b/",),
            ("print join(',', map { $_ * 2 } grep { $_ > 1 } @ARGV)",),
            ('my %h; $h{$_}++ for split /,/; print "$_: $h{$_}\\n" for sort keys %h',),
            ("print $1 if /system\\('(.*)'\\)/; print $#ARGV; eval { die }; print $@",),
            ("my $y = $h{s}; my $q = $h{y}; print $h->{q}",),
        ]
    ),
)
def test_perl_is_told_from_its_calls(code, expected):
    assert told(code, "perl") == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    table(
        [
            ("`rm -rf /home/user`", "sh: rm -rf /home/user"),
            ("%x(git push)", PUSH),
            ('puts "#{system("git push")}"', PUSH),
            ("c='git push'; `#{c}`", PUSH),
            ("Kernel.system 'git push'", PUSH),
            ("system('git', *%w[push])", RUN_PUSH),
            ("IO.popen(['git','push'])", RUN_PUSH),
            ("require 'open3'; Open3.capture3('git push')", PUSH),
            ("method(:system).call('git push')", PUSH),
            ("Object.send('sys'+'tem','git push')", PUSH),
            ("system <<~E\n  git push\nE\n", "sh:   git push\n"),
            ("open('|git push')", PUSH),
            ("send(x,'git push')", CODE),
            ("eval(Base64.decode64('x'))", CODE),
            ("spawn({'LOA_X'=>'1'},'ls')", "identity LOA_X", "sh: ls"),
            ("ENV['LOA_X']='1'; ENV.delete('LOA_Y')", "identity LOA_X", "identity LOA_Y"),
            (
                "require 'fileutils'; FileUtils.rm_rf('/home/user')",
                f"{RECURSIVE}, /home/user",
                "delete /home/user/**",
            ),
            ("File.write 'x', 'y'", "write /repo/x"),
            ("File.open('x','w') do |f|\n f.puts 1\nend", "write /repo/x"),
            ("Pathname.new('x').delete", "delete /repo/x"),
            ("%w[a b].each { |f| File.delete(f) }", "delete /repo/a", "delete /repo/b"),
            ("Dir['*.o'].each{|f| File.unlink f}", "delete /repo/*.o"),
            ("puts 'rm -rf /'; puts \"git push\"",),
            ('puts [1,2].sum / 2.0; puts $<.read.scan(/"(.*?)"/)',),
            ("h = {a: 1, 'b' => 2}; h.each { |k, v| puts \"#{k}=#{v}\" }",),
            ('x = a ? b : c; puts x % 3; puts "%s" % x; puts :system',),
        ]
    ),
)
def test_ruby_is_told_from_its_calls(code, expected):
    assert told(code, "ruby") == expected


@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        pytest.param(language, code, expected, id=f"{language}: {code}")
        for language, code, *expected in [
            ("php", "system('git push');", PUSH),
            ("php", "echo `git push`;", PUSH),
            ("php", "$f='system'; $f('git push');", PUSH),
            ("php", "call_user_func('system','git push');", PUSH),
            ("php", "exec('git push', $out, $rc);", PUSH),
            ("php", "eval(base64_decode('x'));", CODE),
            ("php", "file_put_contents('x','y',FILE_APPEND);", "append /repo/x"),
            ("php", "foreach(['a','b'] as $f) unlink($f);", "delete /repo/a", "delete /repo/b"),
            ("php", "putenv('LOA_X=1');", "identity LOA_X"),
            ("php", "echo 'system(1)'; print(\"git push\"); // it's"),
            ("lua", "os.execute('git push')", PUSH),
            ("lua", "os.execute[[git push]] --[[ it's ]]", PUSH),
            ("lua", "io.open('x','w'):write('y')", "write /repo/x"),
            ("lua", "load('os.execute(\"git push\")')()", PUSH),
            ("lua", "print('git push' .. 'x')"),
            ("r", "system('git push')", PUSH),
            ("r", "system2('git', c('push'))", RUN_PUSH),
            ("r", "system(paste('git', 'push'))", PUSH),
            ("r", "eval(parse(text='system(\"git push\")'))", PUSH),
            ("r", "unlink('x', recursive=TRUE)", f"{RECURSIVE}, /repo/x", "delete /repo/x/**"),
            ("r", "unlink('x')", "delete /repo/x"),
            ("r", "x <- c(1,2); print(mean(x)); cat('git push')"),
            ("julia", "run(`git push`)", PUSH),
            ("julia", 'rm("x"; recursive=true)', f"{RECURSIVE}, /repo/x", "delete /repo/x/**"),
            ("julia", 'println("git push", a\')'),
            ("groovy", '"git push".execute()', PUSH),
            ("groovy", "['git','push'].execute()", RUN_PUSH),
            ("groovy", "new File('x').text = 'y'", "write /repo/x"),
            ("groovy", "def f = new File('x'); f.delete()", "delete /repo/x"),
            ("groovy", "println 'git push'"),
            ("scala", 'import sys.process._; "git push".!', PUSH),
            ("scala", 'println("git push")'),
            ("elixir", 'System.cmd("git", ["push"])', RUN_PUSH),
            ("elixir", '"git push" |> String.to_charlist |> :os.cmd', PUSH),
            ("elixir", 'IO.puts "git push"'),
            ("haskell", 'System.Process.callCommand "git push"', PUSH),
            ("haskell", 'writeFile "x" "y"', "write /repo/x"),
            ("haskell", 'putStrLn "git push"'),
            ("applescript", 'do shell script "git push"', PUSH),
            ("applescript", 'display notification "git push"'),
            ("tcl", "exec git push", RUN_PUSH),
            ("tcl", "set c git; if {1} { exec $c push }", RUN_PUSH),
            ("tcl", "file delete -force x", f"{RECURSIVE}, /repo/x", "delete /repo/x/**"),
            ("tcl", "set env(LOA_X) 1", "identity LOA_X"),
            ("tcl", "eval $x", CODE),
            ("tcl", 'puts "git push"'),
            ("powershell", "git push", RUN_PUSH),
            ("powershell", "iex 'git push'", RUN_PUSH),
            (
                "powershell",
                "Remove-Item -Recurse -Force build",
                f"{RECURSIVE}, /repo/build",
                "delete /repo/build/**",
            ),
            ("powershell", "Set-Content -Path x -Value 'y'", "write /repo/x"),
            (
                "powershell",
                "$env:LOA_X='1'; Remove-Item Env:LOA_Y",
                "identity LOA_X",
                "identity LOA_Y",
            ),
            (
                "powershell",
                "Get-ChildItem | Where-Object { $_.Length -gt 1 }; Write-Host 'git push'",
            ),
            ("lisp", '(shell-command "git push")', PUSH),
            ("lisp", '(call-process "git" nil nil nil "push")', RUN_PUSH),
            ("lisp", '(delete-directory "x" t)', f"{RECURSIVE}, /repo/x", "delete /repo/x/**"),
            ("lisp", '(message "git push") ; it\'s'),
            ("cobol", "STOP RUN.", "undecided: inline code is in a language that cannot be read"),
        ]
    ],
)
def test_other_languages_are_told_from_their_calls(language, code, expected):
    assert told(code, language) == expected


HOSTILE = {
    "brackets that never close": "(",
    "calls in calls": "f(",
    "closed brackets": "()",
    "members of members": "a.",
    "empty strings": "''",
    "one sum of strings": "'a'+",
    "escapes": "'\\a",
    "backslashes": "\\",
    "patterns that never end": "/[",
    "here-documents that never end": "<<A\n",
    "strings in strings": "f'{f\"{",
    "templates in templates": "`${",
    "texts evaluated in texts": "eval('",
    "quotes that nest": "q{",
    "variables in strings": '"$a',
    "sigils": "$@",
    "a name that doubles": "x=x+x;",
    "a list that holds itself": "x.append(x);",
    "a function that calls itself": "def f(x): f(x)\n",
    "a loop in a loop": "for x in [1]: ",
    "programs": "os.system(x);x='a';",
    "unknown text": HOLE,
    "line ends": "\n",
    "comments that never end": "/*--[[{-#=",
    "braces": "{",
    "semicolons": ";",
}


@pytest.mark.parametrize("language", [*LANGUAGES, "tcl", "powershell", "lisp"])
@pytest.mark.parametrize("seed", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_of_64_kib_is_followed_to_its_end(seed, language):
    text = (seed * (65_536 // len(seed) + 1))[:65_536]
    assert isinstance(effects_of_code(text, language, Recorded()), list)


PIECES = (
    'import from as os system . run ( ) [ ] { } \' " ` """ f\' r" \\ ; , : = => -> := += | || & %w[ %x( q{ s/ <<~A'
    " for in of def f lambda x $x @x %h $ENV process.env LOA_X git push eval exec open 'w' require del delete"
    " local unlink .append( .join( .format( * ** ... ? ! # // /* */ -- --[[ ]] {- =begin @ ${ #{ $( send :a do |f|"
    " function const my if else return new Function 0o777 (shell-command exec set env( file"
)
UNSEEN = [" ", "\n", "A\n", HOLE, OUTER, "\0", "\u00e9"]


@given(
    st.lists(st.sampled_from([*PIECES.split(), *UNSEEN]), max_size=40).map("".join),
    st.sampled_from([*LANGUAGES, "tcl", "powershell", "lisp"]),
)
@settings(max_examples=tries(300), deadline=None)
def test_no_text_makes_the_reader_fail(text, language):
    assert isinstance(effects_of_code(text, language, Recorded()), list)
