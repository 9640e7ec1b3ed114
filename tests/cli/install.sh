# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `cmake --install` puts everything below the prefix, and what is there runs without the build tree: both
# engines, the program after an execve, and the manual page.

build=$(dirname "$emulator")
[ -f "$build/cmake_install.cmake" ] || skip "the emulator is not in a build tree"
prefix=$PWD/prefix
DESTDIR='' cmake --install "$build" --prefix "$prefix" >log 2>&1 || fail "$(tail -3 log)"
grep '^-- Installing: ' log | sed 's/^-- Installing: //' >files
[ -s files ] || fail "nothing was installed"
! grep -v "^$prefix/" files || fail "these lie outside the prefix"

cp "$programs/state" program
installed=$prefix/bin/ilp32run
# Elsewhere than in the build: no path back into it.
mv prefix moved
installed=${installed/\/prefix\//\/moved\/}
! readelf -d "$installed" | grep -E 'R(UN)?PATH' | grep -F "$build" || fail "a path into the build tree"
engines=$("$emulator" --help | sed -n 's/^ *--engine=.*: auto,//p')
[ -n "$engines" ] || fail "no engines in --help"
for engine in ${engines//,/ }; do
	expect 0 "" env -u LD_LIBRARY_PATH "$installed" --engine="$engine" ./program hello
	[ "$(cat out)" = hello ] || fail "$engine: $(cat out)"
	expect 0 "" env -u LD_LIBRARY_PATH "$installed" --engine="$engine" ./program exec ./program hello
	[ "$(cat out)" = hello ] || fail "$engine, after execve: $(cat out)"
done
cmp moved/share/man/man1/ilp32run.1 "$here/../../docs/ilp32run.1" || fail "the manual page is not there"
