"""What the calls of Groovy, Scala, Haskell and AppleScript do: `verb places = names`."""

from __future__ import annotations

GROOVY = {
    "exact": """
file 0 = File Paths.get Path.of Path
eval 0 = evaluate Eval.me GroovyShell.evaluate
delete 0 = Files.delete Files.deleteIfExists
move 0 1 = Files.move
copy 0 1 = Files.copy
write 0 = Files.write Files.writeString Files.createFile Files.createDirectory Files.createDirectories
write 0 = os.write os.write.over os.makeDir
append 0 = os.write.append
delete 0 = os.remove
rmtree 0 = os.remove.all FileUtils.deleteDirectory FileUtils.deleteQuietly
shell 0 = Process
list = Seq List Array Vector
words 0 = ProcessBuilder os.proc
""",
    "anywhere": """
write 0 = FileWriter FileOutputStream PrintWriter
words 0 = ProcessBuilder
""",
    "methods": """
shell self = execute
shell 0 = exec
sql 0 = executeUpdate
rmtree self = deleteDir
write self = withWriter withPrintWriter setText createNewFile mkdirs
delete self = deleteOnExit
split self 0 = split
join-text = join
same self = trim toString
eval 0 = evaluate
grow one = add
""",
    "path_methods": """
delete self = delete
write self = write mkdir bytes
append self = append leftShift withWriterAppend
move self 0 = renameTo
write self = newWriter newOutputStream
""",
    "properties": """
shell self = ! !! lineStream run
""",
    "environments": "",
}
HASKELL = {
    "exact": """
shell 0 = callCommand system spawnCommand readCreateProcess shell System.Process.system
program 0 1 = readProcess callProcess rawSystem spawnProcess readProcessWithExitCode proc executeFile
write 0 = writeFile createDirectory createDirectoryIfMissing TIO.writeFile BS.writeFile
append 0 = appendFile
delete 0 = removeFile removeDirectory removeLink
rmtree 0 = removeDirectoryRecursive removePathForcibly
move 0 1 = renameFile renameDirectory renamePath
copy 0 1 = copyFile
env 0 = setEnv unsetEnv
chdir 0 = setCurrentDirectory
read 0 = readFile
open 0 1 = openFile withFile
""",
    "anywhere": """
shell 0 = callCommand
program 0 1 = readProcess callProcess
write 0 = writeFile
delete 0 = removeFile
rmtree 0 = removeDirectoryRecursive removePathForcibly
""",
    "environments": "",
}
APPLESCRIPT = {
    "exact": """
shell 0 = script
""",
    "anywhere": "",
    "environments": "",
}
