# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: what is wrong gets one line that says so, and the right status.

try="Try 'ilp32run --help'."
prog=$programs/state

# wrong TEXT OPTION...: refused as wrong use
wrong() {
	local text=$1
	shift
	expect 2 "$text
$try" "$emulator" "$@"
}

wrong 'ilp32run: --engine: no "foo"; there are: auto,*' --engine=foo "$prog" hello
for time in "" . 1. .5 -1 1e3 99999999999999999999; do
	wrong "ilp32run: --engine: no \"auto:$time\"; there are: auto,*" "--engine=auto:$time" "$prog" hello
done
wrong 'ilp32run: --abi: no "foo"; there are: *modern*' --abi foo "$prog" hello
wrong 'ilp32run: --seed: not a number: 1x' --seed=1x "$prog" hello
wrong 'ilp32run: --seed: not a number: -1' --seed=-1 "$prog" hello
wrong 'ilp32run: --arena: not a page address: 4097' --arena=4097 "$prog" hello
wrong 'ilp32run: --strace: the file name is empty' --strace= "$prog" hello
wrong 'ilp32run: --set-env: not VAR=VALUE: A' -E A "$prog" hello
wrong 'ilp32run: --unset-env: not the name of a variable: A=B' -U A=B "$prog" hello
wrong 'ilp32run: --unset-env: not the name of a variable: ' -U '' "$prog" hello
wrong '*: unrecognized option *--bogus*' --bogus "$prog" hello
wrong '*--report*an argument' --report=x "$prog" hello
wrong "*requires an argument*" --seed
wrong 'ilp32run: no program given'
# An abbreviation means something else as soon as there is another option.
wrong 'ilp32run: --str: options cannot be abbreviated; is --strace meant?' --str "$prog" hello
wrong 'ilp32run: --see=1: options cannot be abbreviated; is --seed meant?' --see=1 "$prog" hello
wrong 'ilp32run: --eng: options cannot be abbreviated; is --engine meant?' --eng auto "$prog" hello

expect 127 "ilp32run: the program's name is empty" "$emulator" ''
expect 127 "ilp32run: ./none: no such file" "$emulator" ./none
expect 127 "ilp32run: none: not found in PATH" /usr/bin/env PATH=/nowhere "$emulator" none
expect 126 "ilp32run: sysroot /nowhere: No such file or directory" "$emulator" -L /nowhere "$prog" hello
expect 126 "ilp32run: sysroot $prog: Not a directory" "$emulator" -L "$prog" "$prog" hello
expect 126 "ilp32run: cannot lay out the guest's address space at *: *" "$emulator" --arena=0 "$prog" hello
expect 126 "ilp32run: cannot lay out the guest's address space at *: *" \
	"$emulator" --arena=0xfffffffffffff000 "$prog" hello
[ ! -e /dev/full ] || expect 1 "ilp32run: cannot write to standard output: *" \
	bash -c '"$1" --help >/dev/full' - "$emulator"

# Scripts that name nobody, or one whom the host runs.
printf '#!' >nobody
printf '#! \t' >blanks
printf '#!/bin/sh\n' >host
printf '#!./host\n' >nested
chmod +x nobody blanks host nested
expect 126 "ilp32run: ./nobody: #! line names no interpreter" "$emulator" ./nobody
expect 126 "ilp32run: ./blanks: #! line names no interpreter" "$emulator" ./blanks
foreign="is not an AArch64 ILP32 program, but one that the host runs itself"
expect 126 "ilp32run: ./host: #! interpreter /bin/sh $foreign" "$emulator" ./host
expect 126 "ilp32run: ./nested: #! interpreter /bin/sh $foreign" "$emulator" ./nested
expect 126 "ilp32run: /bin/sh: $foreign" "$emulator" /bin/sh

# Values that are right, each with and without "=" and in the next program, too.
for options in "--engine=auto" "--engine auto" "--engine=auto:0.25" "--engine=auto:3600" "--abi=ampere-4.14" \
	"--abi ampere-4.14" "--no-aslr" "--seed=7" "--seed 0x7" "-L /" "--sysroot=/" "-0 name" "--report" "-E A=1 -U A"; do
	# shellcheck disable=SC2086
	expect 0 "" "$emulator" $options "$prog" exec "$prog" hello
	[ "$(cat out)" = hello ] || fail "$options: $(cat out)"
done
expect 0 "" env -i A=1 B=2 "$emulator" -U A -E C=3 "$prog" exec "$prog" environment
[ "$(sort out)" = "B=2
C=3" ] || fail "environment: $(cat out)"

# The manual page has the options that --help has, and no others.
"$emulator" --help | sed -nE 's/^  (-.,)? +(--[^ ]+).*/\1\2/p' >in-help
sed -nE '/^\.SH OPTIONS/,/^\.SH "?EXIT/{
	/^\.TP/{n
		s/^\.[A-Z]+ //; s/\\f[A-Z]//g; s/\\-/-/g; s/[" ]//g
		p
	}
}' "$here/../../docs/ilp32run.1" | sed -E 's/^(-.),(--)/\1,\2/; s/^(-.)(--)/\1,\2/' >in-manual
[ -s in-help ] || fail "no options in --help"
diff in-help in-manual || fail "--help (<) and the manual page (>) differ"

# A program of the sysroot by name and by PATH, through links that are absolute in it.
mkdir -p root/usr/bin
cp "$prog" root/usr/bin/prog
ln -s /usr/bin root/bin
ln -s /bin/prog root/usr/bin/other
for name in /usr/bin/prog /bin/prog /bin/other; do
	expect 0 "" "$emulator" -L root "$name" exec "$name" hello
done
expect 0 "" /usr/bin/env PATH=/nowhere:/bin "$emulator" -L root other hello
