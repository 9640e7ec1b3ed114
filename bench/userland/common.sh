# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What sysroot/steps/common.sh is to the steps of the ILP32 userland, for the same steps run by
# bench/userland/build with another compiler: they are linked beside this file and source it.

set -eu -o pipefail
# shellcheck disable=SC2034 # for the steps
out=${out:?} work=${work:?} cross=${cross?} jobs=${jobs:?} sysroot_dir=${sysroot_dir:?}

fail() {
	printf 'bench/userland: %s\n' "$*" >&2
	exit 1
}

# unpack PACKAGE DIR: the source package that the ILP32 userland was built from, with Debian's patches.
unpack() {
	dpkg-source --no-check -x "$work/download/$1/$(cat "$work/download/$1/dsc")" "$2"
}

# shellcheck disable=SC2034
cc=$out/usr/bin/musl-gcc
# shellcheck disable=SC2034
ar=${cross}ar ranlib=${cross}ranlib

# put PROGRAM...: install and strip; the name before a colon, the place under OUT after it.
put() {
	local pair
	for pair; do
		install -D -m 755 "${pair%%:*}" "$out/${pair#*:}"
		"${cross}strip" "$out/${pair#*:}"
	done
}
