# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs whose set-ID bits would change ids: the emulator, which has no privileges to give, refuses them and says so;
# where the kernel ignores the bits (fs/exec.c bprm_fill_uid()), they run.

[ "$(id -u)" = 0 ] || skip "only root can make such files"
chmod 755 .
refused="ilp32run: *: set-user-ID or set-group-ID program: the emulator cannot change ids"

# file OWNER MODE: ./prog
file() {
	rm -f prog
	cp "$programs/state" prog
	chown "$1" prog
	chmod "$2" prog
}

file nobody:root 4755
expect 126 "$refused" "$emulator" ./prog hello
# by execve: EPERM
cp "$programs/state" plain
expect 1 "$refused" "$emulator" ./plain exec ./prog hello
file root:nogroup 2755
expect 126 "$refused" "$emulator" ./prog hello

# Nothing would change: the caller's own ids; set-group-ID without group execution is mandatory locking.
file root:root 6755
expect 0 "" "$emulator" ./prog hello
file root:nogroup 2745
expect 0 "" "$emulator" ./prog hello
if setpriv --no-new-privs true 2>/dev/null; then
	file nobody:nogroup 6755
	expect 0 "" setpriv --no-new-privs "$emulator" ./prog hello
fi
