# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The ABI as a table: each part, the profile asked for, and what two profiles differ in.

# Lines of the CSV part whose header begins with $1, header first.
part() {
	tr -d '\r' <out | sed -n "/^$1,/,/^\$/p" | sed '/^$/d'
}

# has TEXT: a whole line that begins so is in the output
has() {
	tr -d "\r" <out | grep "^$1" >match || fail "no line $1"
}

expect 0 "" "$emulator" --abi-table=csv
[ "$(part number | head -1)" = "number,name,state,arguments,ampere-4.14,openeuler-5.10,openeuler-6.6,modern,hist-lp64ish,hist-single64" ] ||
	fail "columns: $(part number | head -1)"
has '64,write,"yes (by the row)","fd fd, in bytes buf\[count\], u32 count",1,1,1,1,1,1'
has '435,clone3,.*,0,1,1,1,0,0'
has '62,llseek,.*,1,1,1,1,0,0'
has '62,lseek,.*,0,0,0,0,1,1'
# From the kernels: task sizes, and the layout and number that only ILP32 has.
has 'task_size,number,.*,4294967296,4294963200,4294963200,4294963200,4294967296,4294967296'
has 'timespec,8,16,tv_nsec,4,4,1,8,8,'
has 'timespec@hist-lp64ish,16,16,tv_nsec,8,8,1,8,8,'
has 'TCGETS,0x5401,1,0x5401,out,'
for name in number fact structure ioctl; do
	[ "$(part $name | wc -l)" -gt 20 ] || fail "part $name: $(part $name | wc -l) lines"
done

expect 0 "" "$emulator" --abi-table=csv --abi v9
[ "$(part number | head -1)" = "number,name,state,arguments,ampere-4.14" ] || fail "columns of v9"
! grep -q '^435,' out || fail "4.14 has clone3"

expect 0 "" "$emulator" --abi-table
has ' 64  write  *yes (by the row)  *(fd fd, in bytes buf\[count\], u32 count)$'
has '435  clone3 .* \[openeuler-5.10, openeuler-6.6, modern\]$'
has 'timespec: 8 bytes, 16 on the host'
has '0x00005401  TCGETS '

expect 0 "" "$emulator" --abi-table=csv --abi-diff=ampere-4.14,openeuler-5.10
has '435,clone3,.*,0,1$'
has 'min_sigstack,number,.*,5120,2048$'
! grep -q '^64,\|^structure,\|^max_phdrs_size,' out || fail "what is the same is among the differences"
expect 0 "" "$emulator" --abi-diff modern,ampere-4.14
has '435  clone3 .* \[modern\]$'
has 'min_sigstack: 2048, 5120$'
expect 0 "" "$emulator" --abi-table=csv --abi-diff=modern,modern
[ "$(tr -d '\r' <out | grep -c .)" = 2 ] || fail "a profile differs from itself: $(cat out)"

# The format by an option of its own.
"$emulator" --abi-table=csv --abi v9 >right
expect 0 "" "$emulator" --csv --abi v9 --abi-table
cmp -s out right || fail "--csv and --abi-table=csv differ"
expect 0 "" "$emulator" --abi-diff=ampere-4.14,openeuler-5.10 --csv
has 'min_sigstack,number,.*,5120,2048$'
expect 2 '*--csv: only with --abi-table or --abi-diff*' "$emulator" --csv

expect 2 '*--abi-table: no "x"; there are: text,csv*' "$emulator" --abi-table=x
expect 2 '*--abi-diff: no "modern"; there are: *v9*' "$emulator" --abi-diff=modern
expect 2 '*--abi-diff: no "x"; there are: *' "$emulator" --abi-diff=modern,x
expect 2 '*--abi-table and --abi-diff run no program*' "$emulator" --abi-table "$programs/state" hello
[ ! -e /dev/full ] || expect 1 "ilp32run: cannot write to standard output: *" \
	bash -c '"$1" --abi-table >/dev/full' - "$emulator"
