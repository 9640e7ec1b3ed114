# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs cut short. The kernel checks the headers only: what is missing of a segment is found missing when
# the page is touched. For the page where the bss begins that is the kernel itself, whose clear_user()
# fails beyond the point of no return: SIGSEGV (fs/binfmt_elf.c padzero). For others it is the program:
# SIGBUS. Both without a word in the exec call's parent but the status.

size=$(stat -c %s "$programs/state")
[ "$size" -gt 8192 ] || fail "the program is too small to be cut"
"$emulator" "$programs/state" hello >out || fail "the whole program does not run"

# bytes NAME N: the first N bytes of the program
bytes() {
	head -c "$2" "$programs/state" >"$1"
	chmod +x "$1"
}

bytes bss 4096
expect 139 "ilp32run: ./bss: killed by SIGSEGV while it was loaded, as the kernel does: segment *: its bss cannot be zeroed" \
	"$emulator" ./bss
# The same by a guest's execve: the caller is gone already.
expect 139 "ilp32run: ./bss: killed by SIGSEGV *" "$emulator" "$programs/state" exec ./bss
# Neither a mask nor SIG_IGN helps against it.
expect 139 "ilp32run: ./bss: killed by SIGSEGV *" env --block-signal=SEGV --ignore-signal=SEGV \
	"$emulator" ./bss

bytes headers 52
expect 126 "ilp32run: ./headers: truncated: program headers *" "$emulator" ./headers
bytes header 20
expect 126 "ilp32run: ./header: truncated: ELF header *" "$emulator" ./header
bytes empty 0
expect 126 "ilp32run: ./empty: empty file" "$emulator" ./empty
