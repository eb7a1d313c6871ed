"""What the calls of JavaScript in Node, Deno and Bun do: `verb places = names`."""

from __future__ import annotations

_EXACT = """
shell 0 = child_process.exec child_process.execSync exec.sync shelljs.exec shell.exec execaCommand
shell 0 = Bun.$ $ zx.$ execa.command execa.$ execaCommandSync google.$
program 0 1 = child_process.spawn child_process.spawnSync child_process.execFile child_process.fork
program 0 1 = child_process.execFileSync execa execa.execa execa.sync cross-spawn cross-spawn.sync
program 0 1 = execa.execaSync
shell 0 = Bun.spawn Bun.spawnSync
with-options = Deno.Command Deno.run
eval 0 = eval execScript vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script
eval-text 0 = setTimeout setInterval setImmediate
eval last = Function
module 0 = require import module._load module.require process.mainModule.require
opaque = process.binding process.dlopen Reflect.get
same 0 = String util.promisify promisify Promise.resolve Array.from Object.freeze structuredClone
same 0 = JSON.stringify
alone 0 = Buffer.from
delete 0 = fs.unlink fs.rmdir fs.unlinkSync
rm 0 = fs.rm fs.rmSync fs.rmdirSync fs.rmdir Deno.remove Deno.removeSync
rmtree 0 = rimraf rimraf.sync rimraf.rimraf del fs.remove fs.removeSync fs.emptyDir fs.emptyDirSync
rmtree 0 = rimraf.rimrafSync
move 0 1 = fs.rename fs.renameSync fs.move fs.moveSync Deno.rename Deno.renameSync
copy 0 1 tree = fs.cp fs.copy fs.copySync fs.cpSync
copy 0 1 = fs.copyFile fs.copyFileSync Deno.copyFile Deno.copyFileSync
write 0 = fs.writeFile fs.mkdir fs.truncate fs.createWriteStream fs.mkdtemp fs.outputFile fs.ensureDir
write 0 = fs.writeJson fs.ensureFile fs.outputJson fs.writeJsonSync fs.outputFileSync fs.utimes
write 0 = Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync
write 0 = Deno.mkdir Deno.mkdirSync Deno.create
append 0 = fs.appendFile
mode 0 1 = fs.chmod fs.chmodSync Deno.chmod Deno.chmodSync
mode 0 9 = fs.chown fs.chownSync fs.lchown
link 0 1 = fs.symlink fs.link fs.symlinkSync fs.linkSync Deno.symlink Deno.link
names-in one = fs.readdirSync
open 0 1 = fs.open fs.openSync
read 0 = fs.readFile fs.readFileSync fs.createReadStream Deno.readTextFile Deno.readFile
rmtree 1+ = shell.rm shelljs.rm
move 0 1 = shell.mv shelljs.mv
copy 0 1 = shell.cp shelljs.cp
chdir 0 = process.chdir Deno.chdir shell.cd
env 0 = Deno.env.set Deno.env.delete Reflect.deleteProperty
envs = Object.assign
same 0 = Object.keys Object.values
pairs 0 = Object.entries
join-path 0+ = path.join path.posix.join
resolve 0+ = path.resolve
parent 0 = path.dirname
here = process.cwd Deno.cwd
home = os.homedir
file 0 = Bun.file URL
"""
_ANYWHERE = """
shell 0 = execSync execaCommand execaCommandSync
program 0 1 = spawnSync execFileSync execFile spawn fork
write 0 = writeFileSync writeFile mkdirSync truncateSync createWriteStream outputFileSync
append 0 = appendFileSync appendFile
delete 0 = unlinkSync
rm 0 = rmSync rmdirSync
rmtree 0 = rimraf rimrafSync removeSync emptyDirSync
move 0 1 = renameSync moveSync
copy 0 1 = copyFileSync copyFile
copy 0 1 tree = cpSync
mode 0 1 = chmodSync
link 0 1 = symlinkSync linkSync
open 0 1 = openSync
read 0 = readFileSync
eval last = runInThisContext runInNewContext _compile
"""
_METHODS = """
eval-text last = constructor
sql 0 = exec query run prepare execute $queryRaw $executeRaw raw
join-text = join
split self 0 = split
same self = trim trimEnd valueOf
decode = toString
replace-text = replace replaceAll
"""
_PATH_METHODS = """
delete self = delete unlink
"""
_LIST_METHODS = """
grow one = push
grow front = unshift
grow any = splice pop shift reverse sort fill
join-lists = concat
same self = slice flat
"""
TABLES = {
    "exact": _EXACT,
    "anywhere": _ANYWHERE,
    "methods": _METHODS,
    "path_methods": _PATH_METHODS,
    "list_methods": _LIST_METHODS,
    "environments": "process.env Bun.env import.meta.env",
    "environments_by_member": "process.env Bun.env import.meta.env",
    "constants": "process.execPath=node path.sep=/ os.devNull=/dev/null",
}
