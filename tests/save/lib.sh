# SPDX-License-Identifier: MIT
# Shared by the tests of --save.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"
LIMIT=${LIMIT:-120} # seconds after which a run hangs, on a loaded host, too

# run ARG...: runs eremite in this folder, with output in $T/out and $T/err; sets status.
run() {
	command="in $PWD: $ERM run --env PATH=/usr/bin:/bin $*"
	"$B/tests/watchdog" "$LIMIT" "$ERM" run --env PATH=/usr/bin:/bin "$@" >"$T/out" 2>"$T/err"
	status=$?
}

# fresh NAME: makes an empty folder and enters it.
fresh() {
	rm -rf "${T:?}/$1" && mkdir -p "$T/$1" && cd "$T/$1" || exit 1
}

# ends STATUS: the last run had this status.
ends() {
	[ "$status" = "$1" ] || complain "status $status instead of $1" "$command" "$(head -5 "$T/err")"
}

# says PATTERN: the last run printed this on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# is_silent: the last run printed nothing on standard error.
is_silent() {
	[ ! -s "$T/err" ] || complain "says something" "$command" "$(head -5 "$T/err")"
}

# holds FILE TEXT: FILE exists and contains TEXT.
holds() {
	[ "$(cat "$1" 2>&1)" = "$2" ] || complain "$1 holds '$(cat "$1" 2>&1)' instead of '$2'" "$command"
}

# lacks FILE...: these files do not exist.
lacks() {
	local file
	for file; do
		[ ! -e "$file" ] && [ ! -L "$file" ] || complain "$file is there" "$command"
	done
}

# listing FOLDER: its objects, with types, modes, link counts and contents.
listing() {
	(cd "$1" && find . -mindepth 1 \( -type d -printf '%p %y %m\n' \) -o -printf '%p %y %m %n %l\n' | sort &&
		find . -type f -print0 | sort -z | xargs -0r sha256sum)
}
