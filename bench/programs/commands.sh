# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# commands.sh COUNT BUSYBOX...: short commands one after the other, as scripts have them: half of them the shell's
# own, half programs.
count=$1
shift
i=0
while [ "$i" -lt "$count" ]; do
	case $((i % 4)) in
	0) "$@" true || exit 1 ;;
	1) x=$((i * 7 % 13)) ;;
	2) "$@" basename "/usr/lib/file$x.c" .c >/dev/null || exit 1 ;;
	3) [ "$x" -ge 0 ] && y=${x}abc && y=${y%abc} ;;
	esac
	i=$((i + 1))
done
echo "$i $y"
