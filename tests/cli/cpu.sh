# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --cpu: what the program sees of the CPU, and what it can execute, on each engine, before and after a move and an execve.

prog=$programs/state

# shows CPU HWCAP MIDR: AT_HWCAP and MIDR_EL1 of a program, and of one that it executes
shows() {
	local command
	for command in "" "$prog exec"; do
		# shellcheck disable=SC2086
		expect 0 "" "$emulator" "${engine[@]}" --cpu="$1" $command "$prog" cpu
		[ "$(cat out)" = "$2 $3" ] || fail "${engine[*]} --cpu=$1: $(cat out)"
	done
}

engines=$("$emulator" --help | sed -n 's/^ *--engine=.*: auto,//p')
for name in ${engines//,/ } auto:0; do
	engine=(--engine="$name")
	# A real kernel on these, with the event stream and without.
	shows cortex-a57 8ff 411fd073
	shows cortex-a72,-evtstrm 8fb 410fd083
	shows armv8-a,+atomics 907 f0510
	expect 0 "" "$emulator" "${engine[@]}" --cpu=thunderx2 "$prog" ldadd
	[ "$(cat out)" = "40 then 42" ] || fail "$name: ldadd: $(cat out)"
	expect 132 "*Illegal instruction*" bash -c '"$@"; exit $?' - "$emulator" "${engine[@]}" --crash-report=never --cpu=cortex-a72 "$prog" exec "$prog" ldadd
done

expect 126 "ilp32run: --cpu=max,+ssbs: no engine has ssbs" "$emulator" --cpu=max,+ssbs "$prog" cpu
expect 2 'ilp32run: --cpu: no "vax"; there are: max,*
*' "$emulator" --cpu=vax "$prog" cpu
expect 2 'ilp32run: --cpu: no feature "foo"; there are: fp asimd *
*' "$emulator" --cpu=max,+foo "$prog" cpu
expect 2 'ilp32run: --cpu: every CPU that runs Linux has asimd
*' "$emulator" --cpu=max,-asimd "$prog" cpu
