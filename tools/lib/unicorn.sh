# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Which Unicorn is good enough, and Debian's packages of it for any architecture. Source this file from bash, behind
# apt-own.sh.

# The version measured best; older ones have a coarser TLB. Below the least version every store takes a slow
# path (about 40 times slower), and interfaces the engine needs are missing.
unicorn_best=2.1.4
unicorn_least=2.1.1

# at_least VERSION LEAST: Debian version order, so 2.1.4-4 and 2.0.1.post1-1 compare as they should
at_least() { dpkg --compare-versions "$1" ge "$2"; }

# The version of the headers under DIR/include ("2.1.4"), empty without them
header_version() {
	sed -n 's/^#define UC_API_\(MAJOR\|MINOR\|PATCH\) \+\([0-9]\+\).*/\2/p' \
		"$1/include/unicorn/unicorn.h" 2>/dev/null | paste -sd .
}

# unicorn_ready DIR: a complete copy of the best version is in DIR
unicorn_ready() {
	local have
	have=$(header_version "$1")
	[ -n "$have" ] && [ -e "$1/lib/libunicorn.so" ] && at_least "$have" "$unicorn_best"
}

# unicorn_debs DEPS SUITE LEAST WORK: the binary packages of SUITE, if at least LEAST, as WORK/unicorn (include/, lib/).
# They need only a libc that Debian 12 has. apt's lists are under DEPS/apt; OWN_APT_ARCH as in apt-own.sh.
unicorn_debs() {
	local apt=$1/apt/$2 least=$3 work=$4 version lib deb
	own_apt_init "$apt" "$2" deb || return 1
	version=$(own_apt_version "$apt" libunicorn-dev) || return 1
	at_least "$version" "$least" || return 1
	# The package is libunicorn2t64 since the 64-bit time_t transition, libunicorn2 before.
	lib=$(own_apt "$apt" apt-cache depends --important libunicorn-dev |
		sed -n 's/^ *Depends: \(libunicorn[^ ]*\)$/\1/p' | head -n 1)
	[ -n "$lib" ] || return 1
	own_apt_download "$apt" "$work" libunicorn-dev "$lib" || return 1
	mkdir -p "$work/root" "$work/unicorn/lib" || return 1
	for deb in "$work"/*.deb; do
		dpkg-deb -x "$deb" "$work/root" || return 1
	done
	cp -a "$work"/root/usr/include "$work/unicorn/" &&
		cp -a "$work"/root/usr/lib/*/libunicorn.{so*,a} "$work/unicorn/lib/" &&
		cp "$work"/root/usr/share/doc/libunicorn-dev/copyright "$work/unicorn/"
}
