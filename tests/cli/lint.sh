# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --lint: each sin of the program is found once, with its kind, call and place; a clean program has none.

prog=$programs/lint

expect 0 "" "$emulator" --lint "$prog"
[ "$(cat out)" = 0 ] || fail "the clean program: $(cat out)"

# found KIND CALL FUNCTION TEXT: one line of that content
found() {
	local n
	n=$(grep -c "^ilp32run: lint: $1: $2: .*$4.*; at 0x[0-9a-f]* $3+0x[0-9a-f]* ($prog)\$" lines)
	[ "$n" = 1 ] || fail "$1 of $2 in $3: $n times in
$(cat lines)"
}

"$emulator" --lint "$prog" sin 2>err >out || fail "status $?"
parent=$(grep -n 'uses at 13 places' err) || fail "not 13 places: $(cat err)"
# The child's finding stands before the parent's summary.
child=$(grep -n 'uses at 1 places' err) || fail "no child: $(cat err)"
[ "${child%%:*}" -lt "${parent%%:*}" ] || fail "order"
head -13 err >lines
found upper-half read upper_half 'count in x2 is 0x1234567800000000'
found pointer read pointer_garbage 'buf in x1 is 0x12345678.*bits above 31'
found pointer read pointer_signed 'buf in x1 is 0xffffffff80001000, a sign-extended address'
found pad-register ftruncate64 pad_register 'x1.* is 0x4d'
found reserved timer_create reserved_timer 'byte 40 of struct sigevent'
found size rt_sigprocmask size_of_mask 'set has 16 bytes.* has 8'
found size set_robust_list size_of_list 'len has 24 bytes.* has 12'
found size setsockopt size_of_option 'optval has 16 bytes.* has 8'
found alignment fstat64 misaligned 'statbuf is 0x.*not aligned to 8'
found deprecated tkill deprecated 'use tgkill'
found profile faccessat2 some_profiles 'not in ampere-4.14'
found no-call 'syscall 1000' no_call 'number 1000 is no call of modern'
found upper-half write many_times 'count in x2'
grep -q 'lint: process [0-9]*: 17 uses at 13 places: upper-half 6, pointer 2, pad-register 1, reserved 1, size 3, alignment 1, deprecated 1, profile 1, no-call 1$' err ||
	fail "summary: $(grep places err)"
grep -q '^ilp32run: lint:      5 upper-half: write at 0x' err || fail "no count of 5"

# As JSON in a file: a line for each finding and one for the whole, of each process.
expect 0 "" "$emulator" --lint=lint.json --lint-format json "$prog" sin
[ "$(wc -l <lint.json)" = 16 ] || fail "lines: $(cat lint.json)"
grep -q '"kind": "upper-half", "call": "write", "number": 64, "pc": "0x.*", "function": "many_times", "file": ".*/lint", "offset": [0-9]*, "detail": ".*", "count": 5}$' lint.json ||
	fail "many_times: $(grep many_times lint.json)"
if command -v python3 >/dev/null; then
	python3 -c '
import json, sys
lines = [json.loads(line) for line in open("lint.json")]
assert sum("kind" in line for line in lines) == 14
assert [line["places"] for line in lines if "places" in line] == [1, 13]
assert sum(line.get("count", 0) for line in lines) == 18
' || fail "not JSON, or not this"
fi

# What execve executes is looked at, too, with the same output; strace looks on beside it.
expect 0 "" "$emulator" --lint=again --strace=trace "$programs/state" exec "$prog" sin
grep -q 'many_times' again || fail "not after an execve: $(cat again)"
grep -q '^\(\[pid *[0-9]*\] \)*faccessat2(' trace || fail "no trace: $(cat trace)"

# With garbage that the emulator puts there itself the program is as clean as before, and does the same.
expect 0 "" "$emulator" --lint --inject-upper-garbage "$prog"
[ "$(cat out)" = 0 ] || fail "with garbage: $(cat out)"
expect 2 '*--lint-format: no "xml"; there are: text,json*' "$emulator" --lint-format=xml "$prog"
expect 126 'ilp32run: cannot write lint to /nowhere/x: No such file or directory' "$emulator" --lint=/nowhere/x "$prog"
