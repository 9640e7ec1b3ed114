# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ABI profiles from files: where their errors are, what the tables make of them, and that an execve keeps them.

prog=$programs/state
try="Try 'ilp32run --help'."

# wrong TEXT: the file my.abi is refused with that line
wrong() {
	expect 2 "ilp32run: --abi: $1
$try" "$emulator" --abi=my.abi "$prog" hello
}

printf '# mine\nbase v9\n\ncall 64 = none\n' >my.abi
expect 0 "" "$emulator" --abi my.abi "$prog" hello
[ ! -s out ] || fail "write still there: $(cat out)"
expect 0 "" "$emulator" --abi ./my.abi --strace=trace "$prog" hello
grep -q '^write(.*= -1 ENOSYS' trace || fail "trace: $(cat trace)"

printf 'base modern\nmember stat.st_foo = 8\n' >my.abi
wrong 'my.abi:2: structure stat has no member st_foo'
printf 'base modern\n\n\ncall 5 = frobnicate\n' >my.abi
wrong 'my.abi:4: no call is named frobnicate'
printf 'member stat.st_size = 8 @ 2' >my.abi
wrong 'my.abi:1: structure stat: members st_dev and st_size would overlap at offset 2'
rm my.abi
wrong 'my.abi: No such file or directory'
expect 2 "*--abi-diff: my.abi: No such*" "$emulator" --abi-diff=modern,my.abi

# Neither the file nor its directory need be there when the next program begins.
printf 'base modern\ncall 64 = none\n' >gone.abi
expect 0 "" "$emulator" --abi gone.abi "$prog" exec "$prog" exec "$prog" hello
[ ! -s out ] || fail "not kept by execve: $(cat out)"
mkdir -p jail/bin
cp "$prog" jail/bin/prog
if [ -e "$(dirname "$emulator")/ilp32run-static" ] && unshare --map-root-user --user true 2>/dev/null; then
	expect 0 "" unshare --map-root-user --user "$emulator" --abi gone.abi jail/bin/prog chroot jail /bin/prog hello
	[ ! -s out ] || fail "not kept by execve in another root: $(cat out)"
fi

# Tables and differences have the file's profile under its name.
printf 'base modern\nname mine\nmin_sigstack = 77\nmember timespec.tv_sec = 8\ncall 5 = none\ncall 700 = read\n' >my.abi
expect 0 "" "$emulator" --abi-table=csv --abi my.abi
tr -d '\r' <out >table
grep -qx 'number,name,state,arguments,mine' table || fail "columns: $(head -1 table)"
grep -q '^700,read,.*,1$' table || fail "no call 700"
! grep -q '^5,' table || fail "call 5 is there"
grep -q '^min_sigstack,number,.*,77$' table || fail "min_sigstack"
grep -q '^timespec@mine,16,16,tv_sec,0,8,' table || fail "timespec: $(grep timespec table)"
grep -q '^itimerspec@mine,32,32,' table || fail "itimerspec"
grep -q '^timeval,8,16,' table || fail "timeval"
expect 0 "" "$emulator" --abi-diff modern,my.abi
grep -q '^  5  setxattr .* \[modern\]$' out || fail "call 5: $(cat out)"
grep -q '^700  read .* \[mine\]$' out || fail "call 700"
grep -q '^min_sigstack: 2048, 77$' out || fail "min_sigstack"
grep -q '^timespec: 8 bytes' out || fail "timespec of modern"
grep -q '^timespec@mine: 16 bytes' out || fail "timespec of mine"
! grep -q '^timeval' out || fail "timeval is no difference"
expect 0 "" "$emulator" --abi-diff my.abi,my.abi
! grep -q '^ *[0-9]' out || fail "a profile differs from itself: $(cat out)"

# The historic ones are such files.
expect 0 "" "$emulator" --abi-table --abi hist-lp64ish
grep -q '^ 62  lseek .*(fd fd, u64 offset, int whence)$' out || fail "lseek: $(grep '^ 62' out)"
grep -q '^stat@hist-lp64ish: 128 bytes' out || fail "stat"
expect 0 "" "$emulator" --abi-diff hist-single64,hist-lp64ish
grep -q '^timespec@hist-lp64ish: 16' out || fail "timespec is a difference"
! grep -q '^sigaction' out || fail "sigaction is the same in both"
