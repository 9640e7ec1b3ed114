# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Without --engine a process moves to the fast engine when it has computed for a while, and nobody sees that.

prog=$programs/state
case $("$emulator" --help) in
*--engine=*dynarmic*) ;;
*) skip "built without dynarmic" ;;
esac

# moves COMMAND...: whether the host's process gets the library while COMMAND runs. Its output is in "out".
moves() {
	local moved=no
	"$@" >out &
	while kill -0 $! 2>/dev/null; do
		grep -q libdynarmic "/proc/$!/maps" 2>/dev/null && moved=yes
		sleep 0.05
	done
	wait $! || fail "$*: status $?"
	[ $moved = yes ]
}

expect 0 "" "$emulator" --engine=unicorn "$prog" compute 1
right=$(cat out)

moves "$emulator" "$prog" compute 2000 || fail "a process that computes stays on the first engine"
[ "$(cat out)" = "$right" ] || fail "computed $(cat out) instead of $right"
moves "$emulator" "$prog" exec "$prog" compute 2000 || fail "a program started by execve stays on the first engine"
[ "$(cat out)" = "$right" ] || fail "after execve computed $(cat out) instead of $right"
moves "$emulator" "$prog" compute 1 && fail "a short program has moved"
moves "$emulator" --engine=auto:0 "$prog" compute 200 || fail "--engine=auto:0 does not move at once"
moves "$emulator" --engine=auto:60 "$prog" compute 2000 && fail "--engine=auto:60 moves too early"
moves "$emulator" --engine=unicorn "$prog" compute 2000 && fail "moved against --engine=unicorn"

# The thread that watches is not the guest's.
for _ in 1 2 3; do
	expect 0 "" "$emulator" "$prog" threads
	[ "$(cat out)" = "1 listed, status 1" ] || fail "/proc shows: $(cat out)"
done
# Its user is that of the guest's threads (for others than root there is nothing to change).
expect 13 "" "$emulator" "$prog" group-priority
