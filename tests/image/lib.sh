# SPDX-License-Identifier: MIT
# Shared by the tests of images that the monitor reads.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"

# image TREE OPTION...: makes $T/TREE.eri of the directory TREE.
image() {
	mkfs.erofs --quiet -x-1 "${@:2}" "$T/$1.eri" "$1" >"$T/mkfs" 2>&1 || fail "mkfs.erofs fails: $(cat "$T/mkfs")"
}

# extract ARG...: runs eremite extract, with output in $T/out and $T/err; sets status.
extract() {
	command="in $PWD: $B/eremite extract $*"
	"$B/tests/watchdog" 60 "$B/eremite" extract "$@" >"$T/out" 2>"$T/err"
	status=$?
}

# ends STATUS [PATTERN]: the last command had this status, and printed one line with the pattern, or else nothing, besides
# what it wrote, if the status is 0.
ends() {
	if [[ $1 = 0 && $command = *" extract "* ]]; then
		[ "$(grep -cE '^eremite: .*: wrote [0-9]+ files?, [0-9]+ director(y|ies) and [0-9]+ symbolic links? to ' "$T/err")" = 1 ] ||
			complain "does not say what it wrote" "$command" "$(head -5 "$T/err")"
		sed -i '/: wrote [0-9]* files*, /d' "$T/err"
	fi
	[ "$status" = "$1" ] || complain "status $status instead of $1" "$command" "$(head -5 "$T/err")"
	if [ $# = 1 ]; then
		[ ! -s "$T/err" ] || complain "says something" "$command" "$(head -5 "$T/err")"
	else
		grep -aqE -- "$2" "$T/err" || complain "does not say '$2'" "$command" "$(head -5 "$T/err")"
		[ "$(wc -l <"$T/err")" = 1 ] || complain "says more than one line" "$command" "$(head -5 "$T/err")"
	fi
}

# lacks FILE...: these files do not exist.
lacks() {
	local file
	for file; do
		[ ! -e "$file" ] && [ ! -L "$file" ] || complain "$file is there" "$command"
	done
}

# listing FOLDER: its objects, with types, permissions, times, links and contents.
listing() {
	(cd "$1" && find . -type d -printf '%p %y %m %T@\n' -o -printf '%p %y %m %T@ %n %l\n' | sort &&
		find . -type f -print0 | sort -z | xargs -0r sha256sum)
}

# same FOLDER FOLDER: both have the same listing.
same() {
	diff <(listing "$1") <(listing "$2") >"$T/diff" || complain "$1 and $2 differ" "$command" "$(head -10 "$T/diff")"
}
