# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the steps `headers` and `musl`: unpack musl, add the port, configure it in ./musl.

unpack musl musl
"${sysroot_dir:?}/musl/port" "$PWD/musl"
# configure_musl LIBGCC
configure_musl() {
	(cd musl && ./configure --target=aarch64_ilp32-linux-musl --prefix=/usr --syslibdir=/lib --disable-wrapper \
		CC="${cross:?}gcc -mabi=ilp32" AR="${ar:?}" RANLIB="${ranlib:?}" CFLAGS="-O2" LIBCC="$1")
}
