"""Programs that stand before another one and its words, and which of their options take a value."""

from __future__ import annotations

# options that take a value, then how many words stand before the program
PREFIXES: dict[str, tuple[str, int]] = {
    "nohup": ("", 0),
    "setsid": ("", 0),
    "time": ("-f -o --format --output", 0),
    "gtime": ("-f -o", 0),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p -P -u --class --classdata --pid --pgid --uid", 0),
    "chrt": ("-T -P -D --sched-runtime --sched-period --sched-deadline", 1),
    "taskset": ("-p", 1),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k", 1),
    "doas": ("-u -C", 0),
    "pkexec": ("--user", 0),
    "gosu": ("", 1),
    "su-exec": ("", 1),
    "chroot": ("--userspec --groups", 1),
    "fakeroot": ("-l -s -i -b --lib --faked --fd-base", 0),
    "strace": (
        (
            "-o -e -p -s -E -u -a -I -O -P -S -b -X --trace --trace-path --output --attach --string-limit --env"
            " --user --signal --status --expr --interruptible --columns --detach-on --decode-fds --abbrev --inject"
            " --fault --read --write --kvm --secontext --summary-sort-by --summary-columns --summary-syscall-overhead"
        ),
        0,
    ),
    "ltrace": (
        "-o -e -p -s -u -n -a -A -D -F -l -w -x --output --library --where --config --indent --align",
        0,
    ),
    "valgrind": ("", 0),
    "unbuffer": ("", 0),
    "rlwrap": (
        "-f -H -P -S -b -g -l -m -M -O -p -q -s -t -w -z -C -D --file --history-filename --prompt-colour",
        0,
    ),
    "xvfb-run": (
        "-s -n -e -f -p -w --server-args --server-num --error-file --auth-file --wait --xauth-protocol",
        0,
    ),
    "dbus-run-session": ("--config-file --dbus-daemon", 0),
    "caffeinate": ("-t -w", 0),
    "numactl": (
        (
            "-m -N -C -i -p -l -w --membind --cpunodebind --physcpubind --interleave --preferred --weighted-interleave"
            " --preferred-many"
        ),
        0,
    ),
    "prlimit": ("-p -o", 0),
    "cgexec": ("-g", 0),
    "setpriv": (
        (
            "--reuid --regid --groups --ruid --euid --rgid --egid --inh-caps --ambient-caps --bounding-set --securebits"
            " --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --seccomp-filter"
        ),
        0,
    ),
    "systemd-run": (
        (
            "-p -u -t -M -H -E --unit --property --slice --uid --gid --setenv --working-directory --description --nice"
            " --service-type --host --machine --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive"
            " --on-calendar --path-property --socket-property --timer-property --background --capsule -C"
        ),
        0,
    ),
    "systemd-inhibit": ("--what --who --why --mode", 0),
    "proot": (
        "-r -b -w -k -i -q -R -S -m --rootfs --bind --mount --cwd --pwd --kernel-release --change-id --qemu",
        0,
    ),
    "unshare": (
        (
            "-S -G -R -w -l --root --wd --map-user --map-group --map-users --map-groups --setuid --setgid"
            " --propagation --setgroups --load-interp --monotonic --boottime"
        ),
        0,
    ),
    "nsenter": ("-t -S -G -N -W --target --setuid --setgid --net-socket --wdns", 0),
    "busybox": ("", 0),
    "toybox": ("", 0),
    "tini": ("-p -e", 0),
    "dumb-init": ("-r", 0),
    "faketime": ("-p --date-prog --exclude-monotonic -f", 1),
    "torsocks": ("-u -p -a -P --user --pass --address --port", 0),
    "proxychains": ("-f", 0),
    "ccache": ("", 0),
    "sem": ("-j -n -P --jobs --id --semaphoretimeout --st --semaphorename", 0),
    "chpst": ("-u -U -b -/ -e -m -d", 0),
    "cpulimit": ("-l -p -e -P -c --limit --pid --exe --path --cpu", 0),
    "run-one": ("", 0),
    "ts": ("-L -N -D -W -i -C -c", 0),
    "ssh-agent": ("-a -t -E -P", 0),
    "chronic": ("", 0),
    "ifne": ("", 0),
    "cronic": ("", 0),
    "eatmydata": ("", 0),
    "sshpass": ("-p -f -d -P", 0),
    "trickle": ("-u -d -w -t -l -n -L", 0),
    "with-contenv": ("", 0),
    "linux32": ("", 0),
    "linux64": ("", 0),
    "i386": ("", 0),
    "x86_64": ("", 0),
    "uname26": ("", 0),
    "dbus-launch": ("--config-file", 0),
    "tsp": ("-L -N -D -W -i -C -c -S", 0),
    "aa-exec": ("-p -n --profile --namespace", 0),
    "heaptrack": ("-o -p --output --pid", 0),
    "flatpak-spawn": (
        "--directory --env --env-fd --forward-fd --sandbox-expose --sandbox-expose-ro",
        0,
    ),
    "rr": ("-o -n -s -v --output-trace-dir --env --num-cpu-ticks --chaos", 1),
    "wsl": ("-d -u --distribution --user --cd --shell-type", 0),
    "wsl.exe": ("-d -u --distribution --user --cd --shell-type", 0),
    "ld.so": ("--library-path --preload --audit --argv0 --inhibit-rpath --glibc-hwcaps-prepend", 0),
    "s6-setuidgid": ("", 1),
    "setuidgid": ("", 1),
    "softlimit": ("-a -c -d -f -l -m -o -p -r -s -t", 0),
    "daemonize": ("-a -c -e -o -p -l -u -E", 0),
    "daemon": ("-n -u -F -P -C -e -o -O -E -L -M -A -r -D --name --user --chdir --env --output", 0),
    "bear": ("--output --config", 0),
    "scan-build": ("-o -k --use-cc --use-analyzer", 0),
}
