"""Every way we know to change a file that is not ours to change, as a table of shell and Python.

In each, {target} is a file that is there, {folder} its folder, {inside} a folder that may be written
and {outsider} a process of the same user outside, which holds {target} open for writing as {number}.
"""

import sys

from tests.runtimes.cell import CALLS

SHELL = {
    "redirect": "echo x > {target}",
    "append": "echo x >> {target}",
    "new file": "echo x > {folder}/new",
    "cp over": "echo x > {inside}/mine; cp {inside}/mine {target}",
    "mv over": "echo x > {inside}/mine; mv -f {inside}/mine {target}",
    "mv away": "mv {target} {inside}/gone",
    "rm": "rm -f {target}",
    "rm folder": "rm -rf {folder}",
    "rename folder": "mv -T {folder} {folder}-gone",
    "rename folder into ours": "mv -T {folder} {inside}/gone",
    "new folder": "mkdir {folder}/new",
    "new pipe": "mkfifo {folder}/new",
    "new link": "ln -s /etc/passwd {folder}/new",
    "link over": "ln -sfn /etc/passwd {target}",
    "hard link out, then write": "ln {target} {inside}/mine && echo x > {inside}/mine",
    "hard link in": "echo x > {inside}/mine; ln -f {inside}/mine {target}",
    "through a link to the file": "ln -s {target} {inside}/mine; echo x > {inside}/mine",
    "through a link to the folder": "ln -s {folder} {inside}/mine; echo x > {inside}/mine/kept.txt",
    "truncate": "truncate -s 0 {target}",
    "dd": "echo x | dd of={target} conv=notrunc status=none",
    "sed -i": "sed -i s/nobody/anybody/ {target}",
    "tee": "echo x | tee {target} > /dev/null",
    "install": "echo x > {inside}/mine; install {inside}/mine {target}",
    "tar": "echo x > {inside}/kept.txt; tar -C {inside} -cf - kept.txt | tar -C {folder} -xf -",
    "/proc/self/root": "echo x > /proc/self/root{target}",
    "/proc/self/cwd": "cd /; echo x > /proc/self/cwd{target}",
    "from the folder itself": "cd {folder} && echo x > kept.txt",
    "a child of a child": "sh -c 'sh -c \"echo x > {target}\"'",
    "nohup and a session of its own": "setsid -w nohup sh -c 'echo x > {target}'",
    "env -i": "env -i /bin/sh -c 'echo x > {target}'",
    "python": f"{sys.executable} -c \"open('{{target}}', 'w').write('x')\"",
    "sqlite3": f"{sys.executable} -c \"import sqlite3; sqlite3.connect('{{folder}}/new').execute('create table x(y)')\"",
}

PYTHON = {
    "open for truncation": "os.close(os.open({target!r}, os.O_WRONLY | os.O_TRUNC))",
    "open to read and truncate": "os.close(os.open({target!r}, os.O_RDONLY | os.O_TRUNC))",
    "truncate(2)": "os.truncate({target!r}, 0)",
    "open below a folder's descriptor": """
folder = os.open({folder!r}, os.O_RDONLY | os.O_DIRECTORY)
os.write(os.open("kept.txt", os.O_WRONLY, dir_fd=folder), b"x")""",
    "reopen a descriptor": """
reading = os.open({target!r}, os.O_RDONLY)
os.write(os.open(f"/proc/self/fd/{{reading}}", os.O_WRONLY), b"x")""",
    "reopen a path descriptor": """
path = os.open({target!r}, os.O_PATH)
os.write(os.open(f"/proc/self/fd/{{path}}", os.O_WRONLY), b"x")""",
    "shared memory mapping": """
import mmap
opened = os.open({target!r}, os.O_RDWR)
mmap.mmap(opened, 5)[:] = b"xxxxx" """,
    "mapping made writable": """
import mmap
opened = os.open({target!r}, os.O_RDONLY)
held = mmap.mmap(opened, 5, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
held[:] = b"xxxxx" """,
    "rename over, by descriptors": """
open({inside!r} + "/mine", "w").write("x")
ours, theirs = (os.open(each, os.O_RDONLY) for each in ({inside!r}, {folder!r}))
os.rename("mine", "kept.txt", src_dir_fd=ours, dst_dir_fd=theirs)""",
    "exchange": """
open({inside!r} + "/mine", "w").write("x")
must(libc.renameat2(-100, ({inside!r} + "/mine").encode(), -100, {target!r}.encode(), 2))""",
    "exchange folders": """
os.mkdir({inside!r} + "/mine")
must(libc.renameat2(-100, ({inside!r} + "/mine").encode(), -100, {folder!r}.encode(), 2))""",
    "nameless file, linked in": """
opened = os.open({folder!r}, os.O_TMPFILE | os.O_RDWR)
os.link(f"/proc/self/fd/{{opened}}", {folder!r} + "/new", src_dir_fd=opened)""",
    "file handle": """
handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
mounted = ctypes.c_int()
must(libc.name_to_handle_at(-100, {target!r}.encode(), handle, ctypes.byref(mounted), 0))
root = os.open({folder!r}, os.O_RDONLY)
os.write(must(libc.open_by_handle_at(root, handle, os.O_WRONLY)), b"x")""",
    "two forks": """
import signal
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open({target!r}, "w").write("x")
    else:
        os.wait()
    os._exit(0)
os.wait()""",
}

NEVER = {  # ways that need a power no confined process has, inside its checkout as well
    "block device": "os.mknod({inside!r} + '/disk', 0o600 | 0o060000, os.makedev(254, 0))",
    "character device": "os.mknod({inside!r} + '/memory', 0o600 | 0o020000, os.makedev(1, 1))",
    "bind mount": "mount({inside!r}.encode(), {folder!r}.encode(), None, 4096, None)",
    "bind mount in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
mount({inside!r}.encode(), {folder!r}.encode(), None, 4096, None)""",
    "make the mounts writable": """
make_writable("/")
open({target!r}, "w").write("x")""",
    "make the hole writable": """
make_writable({folder!r})
open({target!r}, "w").write("x")""",
    "make the mounts writable in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
make_writable("/")
open({target!r}, "w").write("x")""",
    "unmount in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
must(libc.umount2({folder!r}.encode(), 2))
open({target!r}, "w").write("x")""",
    "clone of the mounts without the hole": """
unshare(NEW_USER | NEW_MOUNTS)
clone = call(428, -100, {above!r}.encode(), 1)
os.write(os.open(os.path.relpath({target!r}, {above!r}), os.O_WRONLY, dir_fd=clone), b"x")""",
    "clone of the hole, made writable": """
unshare(NEW_USER | NEW_MOUNTS)
clone = call(428, -100, {folder!r}.encode(), 1)
call(442, clone, b"", 0x1000, struct.pack("QQQQ", 0, 1, 0, 0), 32)
os.write(os.open("kept.txt", os.O_WRONLY, dir_fd=clone), b"x")""",
    "file handle in new namespaces": """
unshare(NEW_USER | NEW_MOUNTS)
handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
mounted = ctypes.c_int()
must(libc.name_to_handle_at(-100, {target!r}.encode(), handle, ctypes.byref(mounted), 0))
root = os.open({above!r}, os.O_RDONLY)
os.write(must(libc.open_by_handle_at(root, handle, os.O_WRONLY)), b"x")""",
    "chroot": """
os.chroot("/")
open({target!r}, "w").write("x")""",
    "chroot in a user namespace": """
unshare(NEW_USER)
os.chroot("/")
open({target!r}, "w").write("x")""",
    "enter an outsider's mounts": """
must(libc.setns(os.open("/proc/{outsider}/ns/mnt", os.O_RDONLY), 0))
open({target!r}, "w").write("x")""",
    "an outsider's root": 'open("/proc/{outsider}/root" + {target!r}, "w").write("x")',
    "an outsider's folder": 'open("/proc/{outsider}/cwd/kept.txt", "w").write("x")',
    "an outsider's open file": 'open("/proc/{outsider}/fd/{number}", "w").write("x")',
    "an outsider's descriptor, taken": """
pidfd = os.pidfd_open({outsider})
os.write(call(438, pidfd, {number}, 0), b"x")""",
    "an outsider's memory": 'open("/proc/{outsider}/mem", "r+b")',
    "an outsider, traced": "must(libc.ptrace(16, {outsider}, 0, 0))",
    "an outsider, written to": """
local = ctypes.create_string_buffer(b"x", 8)
vector = struct.pack("PN", ctypes.addressof(local), 1)
must(libc.process_vm_writev({outsider}, vector, 1, struct.pack("PN", 4096, 1), 1, 0))""",
    "an outsider, ended": "os.kill({outsider}, 9)",
    "an outsider, limited": """
import resource
resource.prlimit({outsider}, resource.RLIMIT_CPU, (1, 1))""",
    "a 32-bit call": """
import mmap
code = bytes.fromhex("b805000000" "bb00000000" "cd80" "c3")  # open, numbered as for i386
held = mmap.mmap(-1, 4096, prot=7)
held.write(code)
number = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(held)))()
assert number == -14, number  # -14: the call was understood""",
}

ATTACKS = {
    **{name: ["sh", "-c", script] for name, script in SHELL.items()},
    **{
        name: [sys.executable, "-c", CALLS.replace("{", "{{").replace("}", "}}") + script]
        for name, script in PYTHON.items()
    },
}
POWERS = {
    name: [sys.executable, "-c", CALLS.replace("{", "{{").replace("}", "}}") + script]
    for name, script in NEVER.items()
}
