# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Debian packages and source packages from a suite the machine is not set up for, without touching the
# machine's own apt: lists, cache, source entry, preferences and package status are ones of our own under a
# directory of the caller's. The mirror and the keyring are the ones the machine already uses for Debian's
# main archive; no host name is written anywhere. No root needed. Source this file from bash.
#
#   own_apt_suite                        print the machine's Debian code name (e.g. to name it as SUITE)
#   own_apt_init DIR SUITE deb|deb-src   make DIR ready: entry for SUITE (main), lists fetched and verified
#   own_apt_version DIR PACKAGE          print the version DIR's lists offer (binary or source package)
#   own_apt_download DIR OUTDIR PKG...   download the .debs of PKG... into OUTDIR
#   own_apt_closure DIR OUTDIR PKG...    the same, with all that they depend on, themselves and in turn
#   own_apt_fetch_source DIR OUTDIR PKG  download source package PKG into OUTDIR, print the name of its .dsc
#   own_apt_source DIR DEST PKG          the same, and unpack it, patches applied, as DEST (must not exist);
#                                        the downloaded files stay in DIR/src/PKG
#
# OWN_APT_ARCH is the architecture of the binary packages, by default the machine's own. A directory is for one.
# PKG may be PKG=VERSION. All return 0 or non-zero with one line on stderr. Lists are fetched again when older than
# OWN_APT_MAX_AGE minutes (default 720) and when a download fails, since a suite moves on under old lists.

own_apt_fail() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	return 1
}

own_apt_suite() {
	local codename
	# shellcheck disable=SC1091
	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	[ -n "$codename" ] || own_apt_fail "/etc/os-release names no release" || return 1
	printf '%s\n' "$codename"
}

# own_apt_keyring FILE URI: the Signed-By file that the machine's source FILE gives for mirror URI, if any.
# apt-get indextargets does not tell it.
own_apt_keyring() {
	case $1 in
	*.sources) # deb822: stanzas between empty lines; comments may stand anywhere
		grep -v '^#' "$1" | awk -v uri="${2%/}" '
			BEGIN { RS = ""; FS = "\n" }
			{
				found = 0; key = ""
				for (i = 1; i <= NF; i++) {
					n = split($i, word, /[ \t]+/)
					field = tolower(word[1])
					for (j = 2; j <= n; j++) {
						sub(/\/$/, "", word[j])
						if (field == "uris:" && word[j] == uri) found = 1
					}
					if (field == "signed-by:") key = word[2]
				}
				if (found && key != "") { print key; exit }
			}'
		;;
	*) # one line: deb [signed-by=FILE other=value] URI suite component...
		sed -n 's/^deb\(-src\)\{0,1\}[ \t]*\[\([^]]*\)\][ \t]*\([^ \t]*\).*/\3 \2/p' "$1" |
			awk -v uri="${2%/}" '
			{
				sub(/\/$/, "", $1)
				for (i = 2; $1 == uri && i <= NF; i++)
					if (sub(/^signed-by=/, "", $i)) { print $i; exit }
			}'
		;;
	esac
}

# The machine's mirrors of Debian's main archive, each "URI|KEYRING", one a line. apt itself reads its
# configuration (deb822 and one-line form alike) and tells origin and label, which set the security archive,
# backports and foreign archives apart. Further arguments go to apt-get.
own_apt_mirrors() {
	local uri file
	apt-get "$@" indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)|$(SOURCESENTRY)' 2>/dev/null |
		awk -F '|' '
			NF == 4 && $1 == "Debian" && $2 == "Debian" && $3 !~ /^cdrom:/ {
				sub(/:[0-9]+$/, "", $4)
				if (!seen[$3 "|" $4]++) print $3 "|" $4
			}' |
		while IFS='|' read -r uri file; do
			printf '%s|%s\n' "$uri" "$(own_apt_keyring "$file" "$uri")"
		done
}

# The same on a machine without lists (a fresh container image): fetch the lists of the machine's own entries,
# but into DIR. own_apt_fresh_mirrors DIR
own_apt_fresh_mirrors() {
	local conf=$1/machine.conf
	mkdir -p "$1/machine-lists/partial"
	# The machine's sources, all else as in DIR.
	sed -e '/^Dir::Etc/d' -e 's|/lists"|/machine-lists"|' "$1/apt.conf" >"$conf"
	apt-get -c "$conf" -qq update >"$1/log" 2>&1
	own_apt_mirrors -c "$conf"
	rm -rf "$1/machine-lists"
}

# own_apt DIR COMMAND ARG...: apt-get or apt-cache with every path of DIR. The machine's apt.conf (proxies and
# the like) stays in force, save its hooks, which work on the machine's own directories.
own_apt() {
	local dir=$1 command=$2
	shift 2
	"$command" -c "$dir/apt.conf" "$@"
}

own_apt_conf() {
	cat >"$1/apt.conf" <<CONF
Dir::State "$1/state";
Dir::State::lists "$1/lists";
Dir::State::status "$1/status";
Dir::Cache "$1/cache";
Dir::Cache::archives "$1/archives";
Dir::Etc::sourcelist "$1/sources.list";
Dir::Etc::sourceparts "$1/none";
Dir::Etc::preferences "$1/none";
Dir::Etc::preferencesparts "$1/none";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Install-Recommends "false";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
CONF
	[ -z "${OWN_APT_ARCH:-}" ] || cat >>"$1/apt.conf" <<CONF
APT::Architecture "$OWN_APT_ARCH";
#clear APT::Architectures;
APT::Architectures { "$OWN_APT_ARCH"; };
CONF
}

own_apt_update() {
	local dir=$1
	rm -f "$dir/updated"
	# --error-on=any does not exist in all versions, so the listing of the result decides below.
	own_apt "$dir" apt-get -qq update >"$dir/log" 2>&1 || return 1
	own_apt "$dir" apt-get indextargets --format '$(ORIGIN)|$(LABEL)' | grep -x 'Debian|Debian' >/dev/null || return 1
	touch "$dir/updated"
}

own_apt_init() {
	local dir=$1 suite=$2 type=$3 uri keyring mirrors tries=() candidate
	local default_keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	mkdir -p "$dir"/{state,lists/partial,cache,archives/partial,none,src} || return 1
	dir=$(cd "$dir" && pwd) || return 1
	: >"$dir/status"
	own_apt_conf "$dir"

	# Two scripts may want the same lists at once; the second then finds them ready.
	exec {own_apt_lock}>"$dir/lock"
	flock "$own_apt_lock"
	own_apt_init_locked
	local rc=$?
	exec {own_apt_lock}>&-
	return $rc
}

# Uses the caller's variables: dir, suite, type, uri, keyring, mirrors, tries, candidate, default_keyring.
own_apt_init_locked() {
	if grep -qs "^$type .* $suite main\$" "$dir/sources.list" &&
		[ -n "$(find "$dir/updated" -mmin "-${OWN_APT_MAX_AGE:-720}" 2>/dev/null)" ]; then
		return 0
	fi

	mirrors=$(own_apt_mirrors)
	[ -n "$mirrors" ] || mirrors=$(own_apt_fresh_mirrors "$dir")
	while IFS='|' read -r uri keyring; do
		[ -n "$uri" ] || continue
		# Signed-By can also hold a key itself or a fingerprint: not a file, so take Debian's keyring.
		[ -r "$keyring" ] || keyring=
		tries+=("$uri|$keyring")
		# The machine's keyring may hold the keys of its own release alone.
		[ "$keyring" = "$default_keyring" ] || [ ! -r "$default_keyring" ] ||
			tries+=("$uri|$default_keyring")
	done <<<"$mirrors"
	[ ${#tries[@]} -gt 0 ] ||
		own_apt_fail "apt is set up for no mirror of Debian's main archive" || return 1

	for candidate in "${tries[@]}"; do
		uri=${candidate%|*} keyring=${candidate##*|}
		rm -rf "$dir/lists"
		mkdir -p "$dir/lists/partial"
		printf '%s %s%s %s main\n' "$type" "${keyring:+[signed-by=$keyring] }" "$uri" "$suite" \
			>"$dir/sources.list"
		own_apt_update "$dir" && return 0
	done
	rm -f "$dir/sources.list"
	own_apt_fail "no lists of Debian $suite ($type) from this machine's mirror:" \
		"$(grep -m 1 '^[EW]:' "$dir/log" || tail -n 1 "$dir/log")"
}

own_apt_version() {
	local dir=$1 package=$2 version
	if grep -q '^deb-src ' "$dir/sources.list"; then
		version=$(own_apt "$dir" apt-cache showsrc --only-source "$package" 2>/dev/null |
			sed -n 's/^Version: //p' | sort -V | tail -n 1)
	else
		version=$(own_apt "$dir" apt-cache show --no-all-versions "$package" 2>/dev/null |
			sed -n 's/^Version: //p' | head -n 1)
	fi
	[ -n "$version" ] || own_apt_fail "no package $package in the lists under ${dir##*/}" || return 1
	printf '%s\n' "$version"
}

# own_apt_retry DIR COMMAND...: once more with fresh lists when it fails.
own_apt_retry() {
	local dir=$1
	shift
	"$@" >"$dir/log" 2>&1 && return 0
	own_apt_update "$dir" && "$@" >"$dir/log" 2>&1 && return 0
	own_apt_fail "download failed: $(grep -m 1 '^[EW]:' "$dir/log" || tail -n 1 "$dir/log")"
}

own_apt_download() {
	local dir out=$2
	dir=$(cd "$1" && pwd) || return 1
	shift 2
	mkdir -p "$out" || return 1
	out=$(cd "$out" && pwd) || return 1
	own_apt_download_in() { (cd "$out" && own_apt "$dir" apt-get -q download "$@"); }
	own_apt_retry "$dir" own_apt_download_in "$@"
}

# No package is installed as far as DIR's status knows, so apt counts up everything. OUTDIR is its own place for
# packages, which keeps what is already there.
own_apt_closure() {
	local dir out=$2
	dir=$(cd "$1" && pwd) || return 1
	shift 2
	mkdir -p "$out/partial" || return 1
	out=$(cd "$out" && pwd) || return 1
	own_apt_retry "$dir" own_apt "$dir" apt-get -q -y --download-only -o "Dir::Cache::archives=$out" \
		-o Debug::NoLocking=1 install "$@"
}

own_apt_fetch_source() {
	local dir out=$2 package=$3 dsc
	dir=$(cd "$1" && pwd) || return 1
	mkdir -p "$out" || return 1
	out=$(cd "$out" && pwd) || return 1
	own_apt_fetch_source_in() {
		rm -f "$out"/*.dsc # so that the one there is afterwards is the one fetched
		(cd "$out" && own_apt "$dir" apt-get -q --only-source --download-only source "$package")
	}
	own_apt_retry "$dir" own_apt_fetch_source_in || return 1
	dsc=$(cd "$out" && ls -- *.dsc 2>/dev/null)
	[ -n "$dsc" ] || own_apt_fail "no .dsc of $package came" || return 1
	printf '%s\n' "$dsc"
}

own_apt_source() {
	local dir=$1 dest=$2 package=$3 files dsc
	[ ! -e "$dest" ] || own_apt_fail "$dest exists already" || return 1
	files=$dir/src/${package%%=*}
	dsc=$(own_apt_fetch_source "$dir" "$files" "$package") || return 1
	# apt has checked the files against the signed lists, dpkg-source need not know the uploader's key.
	dpkg-source --no-check -x "$files/$dsc" "$dest" >"$dir/log" 2>&1 ||
		own_apt_fail "unpacking $dsc failed: $(tail -n 1 "$dir/log")"
}
