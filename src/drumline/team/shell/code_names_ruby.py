"""What the calls of Ruby, Elixir and Julia do: `verb places = names`."""

from __future__ import annotations

_RUBY_DELETES = "rm remove rm_f safe_unlink"
_RUBY_TREES = "rm_r rm_rf rmtree remove_dir remove_entry remove_entry_secure"

RUBY = {
    "exact": f"""
words 0 = system exec spawn Process.spawn Process.exec Open3.capture2 Open3.capture2e Open3.capture3
words 0 = Open3.popen2 Open3.popen2e Open3.popen3 Open3.pipeline PTY.spawn sh TTY.Command.run
shell 0 = IO.popen Open3.pipeline_r `
eval 0 = eval instance_eval class_eval module_eval binding.eval RubyVM.InstructionSequence.compile
open 0 1 = open File.open File.new IO.open IO.sysopen Kernel.open Zlib.GzipWriter.open CSV.open
write 0 = File.write IO.write File.binwrite IO.binwrite File.truncate Dir.mkdir File.mkfifo
delete 0+ = File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink
move 0 1 = File.rename FileUtils.mv FileUtils.move mv
mode 1+ 0 = File.chmod FileUtils.chmod FileUtils.chmod_R
mode 2+ 9 = File.chown FileUtils.chown FileUtils.chown_R
names-in one = Dir.children Dir.entries Dir.each_child
link 0 1 = File.symlink File.link FileUtils.ln FileUtils.ln_s FileUtils.ln_sf FileUtils.symlink
delete 0+ = {" ".join(f"FileUtils.{name}" for name in _RUBY_DELETES.split())} rm
rmtree 0+ = {" ".join(f"FileUtils.{name}" for name in _RUBY_TREES.split())}
tree 0+ = FileUtils.mkdir_p FileUtils.makedirs FileUtils.mkdir mkdir_p
write 0+ = FileUtils.touch touch
copy 0 1 = FileUtils.cp FileUtils.copy FileUtils.copy_file FileUtils.install cp IO.copy_stream
copy 0 1 tree = FileUtils.cp_r FileUtils.copy_entry cp_r
read 0 = File.read IO.read File.readlines File.foreach IO.readlines load YAML.load_file File.binread
chdir 0 = Dir.chdir FileUtils.cd cd
env 0 = ENV.delete ENV.store ENV.delete_if
envs = ENV.update ENV.merge! ENV.replace
no-env = ENV.clear
same self = ENV.to_h ENV.to_hash
glob 0 = Dir.glob
file 0 = Pathname Pathname.new
join-path 0+ = File.join
resolve 0 = File.expand_path File.realpath File.absolute_path
parent 0 = File.dirname
home = Dir.home
here = Dir.pwd Dir.getwd Pathname.pwd
named 0 = method Kernel.method
connect 0 = SQLite3.Database.new
same 0 = String Array
""",
    "anywhere": f"""
rmtree 0+ = {_RUBY_TREES}
""",
    "methods": """
write self = write binwrite mkpath
delete self = unlink
sql 0 = execute exec_query execute_batch exec
join-text = join
split self 0 = split
same self = strip chomp to_s to_str freeze dup to_path
replace-text = sub gsub
""",
    "path_methods": """
delete self = delete unlink rmdir
rmtree self = rmtree
move self 0 = rename
append self = append
open self 0 = open
read self = read
join-path self 0+ = join +
same self = expand_path realpath
tree self = mkpath
""",
    "list_methods": """
grow one = push append
grow front = unshift prepend
grow any = pop shift reverse! sort! insert concat
""",
    "environments": "ENV",
    "globbers": "Dir",
    "senders": "send public_send __send__",
}
ELIXIR = {
    "exact": """
program 0 1 = System.cmd
shell 0 = System.shell os.cmd
opened-port 0 = Port.open erlang.open_port
eval 0 = Code.eval_string Code.eval_quoted
write 0 = File.write File.write! File.touch File.touch! File.mkdir File.mkdir! File.mkdir_p
write 0 = File.mkdir_p! file.write_file file.make_dir
delete 0 = File.rm File.rm! File.rmdir File.rmdir! file.delete
rmtree 0 = File.rm_rf File.rm_rf! file.del_dir_r
move 0 1 = File.rename File.rename! file.rename
copy 0 1 = File.cp File.cp! File.copy File.copy! file.copy
copy 0 1 tree = File.cp_r File.cp_r!
mode 0 1 = File.chmod File.chmod!
write 1 = File.ln_s File.ln
read 0 = File.read File.read! File.stream! Code.require_file Code.eval_file
write 0 = File.open! File.open
chdir 0 = File.cd File.cd!
env 0 = System.put_env System.delete_env os.putenv os.unsetenv
join-path 0+ = Path.join
resolve 0 = Path.expand
same 0 = String.to_charlist to_charlist to_string String.trim
split 0 = String.split OptionParser.split
""",
    "anywhere": "",
    "methods": "",
    "environments": "",
    "senders": "apply",
}
JULIA = {
    "exact": """
same 0 = run pipeline readchomp addenv setenv String string ignorestatus
rm 0 = rm
write 0 = write mkdir mkpath touch
open 0 1 = open
move 0 1 = mv
copy 0 1 tree = cp
mode 0 1 = chmod
write 1 = symlink download
read 0 = read include readlines readline
eval 0 = eval include_string Meta.parse Core.eval
chdir 0 = cd
join-path 0+ = joinpath
resolve 0 = expanduser abspath
here = pwd
home = homedir
""",
    "anywhere": """
opaque = ccall
""",
    "methods": "",
    "environments": "ENV",
}
