# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by every step. A step runs in an empty directory with
#   out, work      the output directory and its work area
#   cross          prefix of the cross tools           jobs  how many compilations at once
#   sysroot_dir    the folder of these scripts         gcc_major  the compiler's major version

set -eu -o pipefail
# shellcheck disable=SC2034 # for the steps
out=${out:?} work=${work:?} cross=${cross:?} jobs=${jobs:?} sysroot_dir=${sysroot_dir:?} gcc_major=${gcc_major:?}

fail() {
	printf 'sysroot: %s\n' "$*" >&2
	exit 1
}

# unpack PACKAGE DIR: the source package with Debian's patches. apt has checked its hashes against the signed
# lists; dpkg-source would need the uploader's key.
unpack() {
	dpkg-source --no-check -x "$work/download/$1/$(cat "$work/download/$1/dsc")" "$2"
}

# The finished compiler, for the steps after `wrapper`.
# shellcheck disable=SC2034
cc=$out/bin/ilp32-musl-gcc
# shellcheck disable=SC2034
ar=${cross}ar ranlib=${cross}ranlib

# put PROGRAM...: install and strip; the name before a colon, the place under OUT after it.
put() {
	local pair
	for pair; do
		install -D -m 755 "${pair%%:*}" "$out/${pair#*:}"
		${cross}strip "$out/${pair#*:}"
		is_ilp32 "$out/${pair#*:}"
	done
}

# An ELF32 AArch64 file, whose dynamic relocations are all of the P32 set.
is_ilp32() {
	${cross}readelf -h "$1" | grep 'Class: *ELF32' >/dev/null || fail "$1 is not ELF32"
	${cross}readelf -h "$1" | grep 'Machine: *AArch64' >/dev/null || fail "$1 is not for AArch64"
	! ${cross}readelf -rW "$1" | grep 'R_AARCH64_' | grep -v 'R_AARCH64_P32_' ||
		fail "$1 has relocations of the 64-bit set"
}
