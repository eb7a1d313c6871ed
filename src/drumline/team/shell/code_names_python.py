"""What Python's calls do: `verb places = names`."""

from __future__ import annotations

_EXACT = """
open 0:file 1:mode = open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open aiofiles.open
open 0:file 1:mode = zipfile.ZipFile ZipFile tarfile.TarFile bz2.BZ2File gzip.GzipFile wave.open file
open 0:file 1:mode = tokenize.open h5py.File shelve.open
open 0:path 1:flags = os.open
shell 0:args = subprocess.run subprocess.call subprocess.Popen subprocess.check_call
shell 0:args = subprocess.check_output asyncio.create_subprocess_shell invoke.run fabric.run
shell 0:command = os.system os.popen os.popen2 os.popen3 commands.getoutput pexpect.run pexpect.spawn
shell 0:argv = pty.spawn
replaced 0 1 = os.execv os.execvp os.execve os.execvpe os.posix_spawn os.posix_spawnp
replaced 0 1+ = os.execl os.execlp
replaced 0 1+ e = os.execle os.execlpe
replaced 1 2 = os.spawnv os.spawnvp os.spawnve os.spawnvpe
replaced 1 2+ = os.spawnl os.spawnlp
replaced 1 2+ e = os.spawnle os.spawnlpe
program 0 1+ = asyncio.create_subprocess_exec
eval 0 = exec eval execfile timeit.timeit timeit.repeat cProfile.run profile.run pdb.run code.interact
same 0 = compile str bytes list tuple sorted set reversed os.fspath iter
same 0 = textwrap.dedent vars contextlib.closing
module 0 = __import__ importlib.import_module importlib.__import__
member 0 1 = getattr
opaque = operator.attrgetter operator.methodcaller types.FunctionType types.CodeType
everything globals = globals locals
delete 0:path = os.remove os.unlink os.rmdir os.removedirs
move 0:src 1:dst = os.rename os.renames os.replace shutil.move
write 0:path = os.mkdir os.makedirs os.truncate os.mkfifo os.mknod os.utime
mode 0:path 1:mode = os.chmod os.lchmod
mode 0:path 9 = os.chown os.lchown shutil.chown os.chflags
link 0:src 1:dst = os.symlink os.link
copy 0:src 1:dst = shutil.copy shutil.copy2 shutil.copyfile
mode 1:dst 9 = shutil.copymode shutil.copystat
copy 0:src 1:dst tree = shutil.copytree distutils.dir_util.copy_tree
rmtree 0:path = shutil.rmtree distutils.dir_util.remove_tree send2trash
tree 1:extract_dir = shutil.unpack_archive
write 0 = numpy.save np.save numpy.savetxt np.savetxt numpy.savez np.savez shutil.make_archive
write 0:filename = logging.FileHandler
write filename = logging.basicConfig
edit 0:files = fileinput.input fileinput.FileInput
write 1:filename = urllib.request.urlretrieve urlretrieve wget.download
write 1:f = torch.save joblib.dump
write 0:path = pathlib.Path.touch
chdir 0:path = os.chdir os.fchdir contextlib.chdir
env 0 = os.putenv os.unsetenv os.environ.pop os.environ.setdefault os.environ.__setitem__
env 0 = os.environ.__delitem__ os.environb.pop os.environ.unsetenv
envs = os.environ.update os.environ.__ior__
no-env = os.environ.clear
same self = os.environ.copy
connect 0:database = sqlite3.connect duckdb.connect
file 0 = Path pathlib.Path PosixPath pathlib.PosixPath PurePath pathlib.PurePath py.path.local
home = Path.home pathlib.Path.home
here = Path.cwd pathlib.Path.cwd os.getcwd os.getcwdb
join-path 0+ = os.path.join posixpath.join
resolve 0 = os.path.expanduser os.path.abspath os.path.realpath os.path.normpath
parent 0 = os.path.dirname
split 0 = shlex.split
glob 0 = glob.glob glob.iglob
map = dict
names-in one = os.listdir
walk = os.walk
number = enumerate
zip = zip
list = itertools.chain
read 0 = runpy.run_path linecache.getlines
"""
_ANYWHERE = """
shell 0:args = Popen check_output check_call getoutput getstatusoutput create_subprocess_shell
shell 0 = system popen
program 0 1+ = create_subprocess_exec
rmtree 0:path = rmtree remove_tree
eval 0 = runcode runsource run_code exec_
sql 0 = execute executescript executemany read_sql read_sql_query
"""
_METHODS = """
write self = write_text write_bytes touch mkdir
delete self = unlink rmdir
move self 0:target = rename
mode self 0:mode = chmod lchmod
link 0:target self = symlink_to hardlink_to link_to
tree 0:path = extractall
write 0 = to_csv to_json to_excel to_parquet to_pickle to_feather to_html savefig
read self = read_text read_bytes
open self 0:mode strict = open
join-text = join
split self 0 = split rsplit
same self = strip rstrip lstrip lower encode expandvars copy removeprefix __str__
decode = decode
format self { = format format_map
replace-text = replace
glob self 0 = glob
glob-deep = rglob
paths-in = iterdir
join-path self 0+ = joinpath
same self = absolute as_posix expanduser resolve __fspath__ relative_to
parent self = with_name
pairs self = items
item = get
env 0 = unsetenv
"""
_PATH_METHODS = """
move self 0:target = replace rename
same self = strip
"""
_LIST_METHODS = """
grow one = append
grow all = extend
grow any = insert pop remove reverse sort clear __setitem__
"""
_PROPERTIES = """
parent self = parent
"""
TABLES = {
    "exact": _EXACT,
    "anywhere": _ANYWHERE,
    "methods": _METHODS,
    "path_methods": _PATH_METHODS,
    "list_methods": _LIST_METHODS,
    "properties": _PROPERTIES,
    "environments": "os.environ os.environb environ posix.environ",
    "constants": "sys.executable=python3 os.sep=/ os.devnull=/dev/null os.curdir=.",
}
