"""What the calls of Perl, PHP, Lua and R do: `verb places = names`."""

from __future__ import annotations

PERL = {
    "exact": """
words 0 = system exec
shell 0 = readpipe
eval 0 = eval evalbytes
perl-open = open
open 1 2 = sysopen
delete 0+ = unlink rmdir
move 0 1 = rename move File.Copy.move mv
copy 0 1 = copy File.Copy.copy cp
write 0 = mkdir truncate dbmopen
tree 0+ = make_path mkpath File.Path.make_path
rmtree 0+ = rmtree remove_tree File.Path.remove_tree File.Path.rmtree
mode 1+ 0 = chmod
mode 2+ 9 = chown utime
link 0 1 = symlink link
chdir 0 = chdir
glob 0 = glob
same 0 = sort reverse
words 2 = open2 IPC.Open2.open2
words 3 = open3 IPC.Open3.open3
read 0 = do require
resolve 0 = Cwd.abs_path abs_path realpath
join-path 0+ = catfile File.Spec.catfile
write 0 = write_file store nstore
env 0 = POSIX.setenv
here = getcwd cwd
""",
    "anywhere": """
rmtree 0+ = remove_tree rmtree
words 3 = open3
words 2 = open2
sql 0 = do prepare selectall_arrayref
open 0 1 = IO.File
""",
    "methods": """
write self = spew spew_utf8 spew_raw touch
append self = append append_utf8
delete self = remove unlink
file 0 = path
sql 0 = do execute
""",
    "environments": "$ENV %ENV",
    "on_topic": "unlink rmdir eval",
}
PHP = {
    "exact": """
shell 0 = exec shell_exec system passthru popen proc_open
program 0 1 = pcntl_exec
eval 0 = eval assert create_function
opaque = preg_replace_callback_eval
write 0 = file_put_contents mkdir touch tempnam ftruncate
open 0 1 = fopen gzopen bzopen
delete 0 = unlink rmdir
move 0 1 = rename move_uploaded_file
copy 0 1 = copy
mode 0 1 = chmod
mode 0 9 = chown chgrp lchown
link 0 1 = symlink link
names-in one = scandir
read 0 = file_get_contents readfile file include require include_once require_once
chdir 0 = chdir
glob 0 = glob
env 0 = putenv apache_setenv
list = array
same 0 = strval trim realpath escapeshellcmd array_values
here = getcwd
parent 0 = dirname
sql 0 = pg_query mysql_query sqlite_query
sql 1 = mysqli_query
connect 0 = SQLite3
""",
    "anywhere": """
""",
    "methods": """
sql 0 = query exec prepare unprepared statement
""",
    "environments": "$_ENV $_SERVER",
    "senders": "call_user_func call_user_func_array array_map array_walk",
}
LUA = {
    "exact": """
shell 0 = os.execute io.popen
open 0 1 = io.open
delete 0 = os.remove lfs.rmdir posix.unlink
move 0 1 = os.rename
write 0 = lfs.mkdir io.output lfs.touch
read 0 = io.lines dofile loadfile io.input
eval 0 = load loadstring
module 0 = require
env 0 = posix.setenv os.setenv
chdir 0 = lfs.chdir
same 0 = ipairs pairs tostring
""",
    "anywhere": """
shell 0 = execute popen
""",
    "methods": "",
    "environments": "",
}
R = {
    "exact": """
shell 0:command = system shell pipe
program 0:command 1:args = system2
program 0:command 1:args = processx.run run callr.rcmd sys.exec_wait
rm 0:x = unlink
rmtree 0 = unlink_recursive fs.dir_delete
delete 0+ = file.remove fs.file_delete file_delete
move 0:from 1:to = file.rename
copy 0:from 1:to tree = file.copy
write 0+ = file.create dir.create
write 1:con = writeLines
write 1:file = write write.csv write.table write.csv2 saveRDS dput dump readr.write_csv write_csv
write file = save cat
write 0:file = sink pdf png save.image svg jpeg
write 1:destfile = download.file
write 0:filename = ggsave
append 0 = file.append
mode 0 1:mode = Sys.chmod
write 1:to = file.symlink file.link
open 0:description 1:open = file gzfile bzfile
read 0:file = source readLines readRDS read.csv load read.table scan
envs = Sys.setenv
env 0+ = Sys.unsetenv
chdir 0 = setwd
same text = parse str2lang str2expression
eval 0 = eval evalq
list = c list
paste = paste
paste 0 = paste0
join-path 0+ = file.path
glob 0 = Sys.glob
same 0 = as.character path.expand normalizePath shQuote invisible suppressMessages suppressWarnings
here = getwd
""",
    "anywhere": """
""",
    "methods": "",
    "environments": "",
    "senders": "do.call",
}
