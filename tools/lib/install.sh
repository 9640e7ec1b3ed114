# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Packages of the machine itself. Source this file from bash; say and die are the caller's: a message, and one with
# which the script ends.

# drop_provided PACKAGE...: print those that no installed package provides under that name either
drop_provided() {
	dpkg-query -W -f '${db:Status-Status}|${Provides}\n' | sed -n 's/^installed|//p' |
		tr ',' '\n' | awk -v wanted="$*" '
			{ provided[$1] = 1 }
			END {
				n = split(wanted, name, " ")
				for (i = 1; i <= n; i++) if (!(name[i] in provided)) print name[i]
			}'
}

# install_packages PACKAGE...: those of them that are missing, from the machine's own sources
install_packages() {
	local missing=() package as_root=()
	local -A installed=()
	while read -r status package; do
		[ "$status" = installed ] && installed[$package]=1
	done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
	for package; do
		[ -n "${installed[$package]:-}" ] || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	mapfile -t missing < <(drop_provided "${missing[@]}")
	[ ${#missing[@]} -gt 0 ] || return 0

	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null ||
			die "needs root (or sudo) to install: ${missing[*]}"
		as_root=(sudo)
	fi
	say "installing ${missing[*]}"
	# An update that fails (one foreign source down) matters only if the installation then fails.
	# The lock (9) must not live on in a daemon that a package starts.
	"${as_root[@]}" apt-get -qq update 9>&- || say "apt-get update failed, going on with the lists at hand"
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600 \
		-o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}" 9>&- >/dev/null ||
		die "apt-get install failed"
}
