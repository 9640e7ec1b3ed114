# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the steps that build applications, in place of common.sh.

# shellcheck source=sysroot/steps/common.sh
. "$(dirname "$0")/common.sh"

# compile FLAGS FILE.c...: objects beside the sources, several at once.
compile() {
	local flags=$1
	shift
	# shellcheck disable=SC2016 # expanded by the inner shell
	printf '%s\0' "$@" | flags=$flags cc=$cc xargs -0 -n 1 -P "$jobs" \
		sh -c '$cc $flags -c "$1" -o "${1%.c}.o" || exit 255' compile
}

# put_library FILE SONAME: the shared library under its soname, with the development link.
put_library() {
	put "$1:usr/lib/$2"
	ln -sf "$2" "$out/usr/lib/${2%%.so*}.so"
}
