# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# execve where the emulator's own needs could show: it executes itself.

[ -e "$(dirname "$emulator")/ilp32run-static" ] ||
	skip "without the statically linked form a dynamic linker needs a descriptor number"

cp "$programs/state" prog
printf '#!%s hello\n' "$PWD/prog" >script
echo text >text
chmod +x script text

# execve needs no descriptor number (fs/exec.c do_open_execat gives a file, not a number).
for limit in 16 64 4096; do
	(
		# Soft only, and both: where no number above the limit can be had.
		ulimit -S -n $limit
		expect 0 "" "$emulator" ./prog full ./prog hello soft
		[ "$(cat out)" = "hello soft" ] || fail "full table, soft limit $limit: $(cat out)"
		ulimit -H -n $limit
		expect 0 "" "$emulator" ./prog full ./prog full ./prog hello twice
		[ "$(cat out)" = "hello twice" ] || fail "full table, limit $limit: $(cat out)"
		expect 0 "" "$emulator" ./prog full ./script
		[ "$(cat out)" = "hello ./script" ] || fail "script, full table: $(cat out)"
		# The kernel's own errors stay what they are.
		expect 2 "" "$emulator" ./prog full ./none
		expect 8 "" "$emulator" ./prog full ./text
	) || exit 1
done
