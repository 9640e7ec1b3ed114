# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What becomes of output for the user that cannot be written: the guest goes on, and one line tells.

expect 0 "" "$emulator" --strace=whole "$programs/state" calls 1000
[ "$(grep -c '^getppid() ' whole)" = 1000 ] || fail "$(grep -c '^getppid() ' whole) lines of 1000"
[ "$(tail -1 whole)" = "+++ exited with 0 +++" ] || fail "the end is missing: $(tail -1 whole)"

# RLIMIT_FSIZE is 10 KiB; the guest writes to no file, so SIGXFSZ is none of its business.
(
	ulimit -f 10
	exec 3>&1
	"$emulator" --strace=limited "$programs/state" calls 1000 2>err | cat >piped
	[ "${PIPESTATUS[0]}" = 0 ] || fail "limited trace: status ${PIPESTATUS[0]}"
	[ "$(cat piped)" = "done" ] || fail "limited trace: $(cat piped)"
) || exit 1
[ "$(cat err)" = "ilp32run: the trace is incomplete: File too large" ] || fail "limited trace: $(cat err)"
[ "$(stat -c %s limited)" = 10240 ] || fail "limited trace: $(stat -c %s limited) bytes"

if [ -e /dev/full ]; then
	expect 0 "ilp32run: the trace is incomplete: No space left on device" \
		"$emulator" --strace=/dev/full "$programs/state" calls 10
	[ "$(cat out)" = "done" ] || fail "full device: $(cat out)"
fi

# Nobody reads: SIGPIPE is not for the guest either.
{
	"$emulator" --strace "$programs/state" calls 10000 >out
	echo $? >status
} 2>&1 | head -1 >/dev/null
[ "$(cat status)" = 0 ] || fail "trace into a closed pipe: status $(cat status)"
[ "$(cat out)" = "done" ] || fail "trace into a closed pipe: $(cat out)"

# No thread can be made, so not that of LeakSanitizer either: the limit is named.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	cp "$emulator" "$programs/state" .
	(
		ulimit -u 1
		expect 126 "ilp32run: cannot create a thread: the number of processes has reached RLIMIT_NPROC (ulimit -u)" \
			env ASAN_OPTIONS=detect_leaks=0 setpriv --reuid=65533 --clear-groups ./ilp32run ./state hello
	) || exit 1
fi
