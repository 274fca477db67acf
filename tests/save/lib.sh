# SPDX-License-Identifier: MIT
# What the tests of --save have in common.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"
LIMIT=${LIMIT:-120} # seconds after which a run hangs, on a loaded host, too

# run ARG...: eremite run in this folder, into $T/out and $T/err; sets status.
run() {
	command="in $PWD: $ERM run --env PATH=/usr/bin:/bin $*"
	timeout -k 5 "$LIMIT" "$ERM" run --env PATH=/usr/bin:/bin "$@" >"$T/out" 2>"$T/err"
	status=$?
}

# fresh NAME: an empty folder, in which the test goes on.
fresh() {
	rm -rf "${T:?}/$1" && mkdir -p "$T/$1" && cd "$T/$1" || exit 1
}

# ends STATUS: the last run did.
ends() {
	[ "$status" = "$1" ] || complain "status $status instead of $1" "$command" "$(head -5 "$T/err")"
}

# says PATTERN: the last run did, on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# is_silent: the last run said nothing on standard error.
is_silent() {
	[ ! -s "$T/err" ] || complain "says something" "$command" "$(head -5 "$T/err")"
}

# holds FILE TEXT: FILE is there with that text.
holds() {
	[ "$(cat "$1" 2>&1)" = "$2" ] || complain "$1 holds '$(cat "$1" 2>&1)' instead of '$2'" "$command"
}

# lacks FILE...: there are no such files.
lacks() {
	local file
	for file; do
		[ ! -e "$file" ] && [ ! -L "$file" ] || complain "$file is there" "$command"
	done
}

# listing FOLDER: all that is in it, with types, modes, numbers of links and contents.
listing() {
	(cd "$1" && find . -mindepth 1 \( -type d -printf '%p %y %m\n' \) -o -printf '%p %y %m %n %l\n' | sort &&
		find . -type f -print0 | sort -z | xargs -0r sha256sum)
}
