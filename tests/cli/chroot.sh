# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# execve below another root directory, where nothing of the host is: no library, no /proc, no emulator.

[ -e "$(dirname "$emulator")/ilp32run-static" ] || skip "the statically linked form was not built"
in_jail() {
	unshare --map-root-user --user "$@"
}
in_jail true 2>/dev/null || skip "no user namespaces here"

mkdir -p jail/bin
cp "$programs/state" jail/bin/prog
printf '#!/bin/prog hello\n' >jail/script
chmod +x jail/script

expect 0 "" in_jail "$emulator" jail/bin/prog chroot jail /bin/prog hello from the jail
[ "$(cat out)" = "hello from the jail" ] || fail "chroot: $(cat out)"
expect 0 "" in_jail "$emulator" jail/bin/prog chroot jail /bin/prog exec /script
[ "$(cat out)" = "hello /script" ] || fail "script in the jail: $(cat out)"
# Options and the trace come along.
expect 0 "" in_jail "$emulator" --strace=trace jail/bin/prog chroot jail /bin/prog hello
grep -q '^write(1, "hello' trace || fail "no trace from the jail: $(cat trace)"
# Errors are the kernel's.
expect 2 "" in_jail "$emulator" jail/bin/prog chroot jail /bin/none

# Libraries of somebody else in the jail are not looked at.
mkdir -p jail/lib64 jail/lib
printf 'not a dynamic linker\n' >jail/lib64/ld-linux-x86-64.so.2
cp jail/lib64/ld-linux-x86-64.so.2 jail/lib/ld-linux-aarch64.so.1
chmod +x jail/lib*/ld*
expect 0 "" in_jail "$emulator" jail/bin/prog chroot jail /bin/prog hello
