# SPDX-License-Identifier: MIT
# Shared by the tests of sealed images.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"
LIMIT=${LIMIT:-120} # seconds after which a command hangs, on a loaded host, too
cd "$T" || exit 1

# pack FILE ARG...: makes an image.
pack() {
	local file=$1
	shift
	"$B/tests/watchdog" "$LIMIT" "$ERM" pack -q -o "$file" "$@" >"$T/pack.out" 2>"$T/pack.err" ||
		fail "cannot pack $file: $(head -5 "$T/pack.err")"
}

# edit FROM TO CODE [--unsigned]: makes another image from one (edit.py).
edit() {
	python3 "$SRC/tests/image/edit.py" "$@" 2>"$T/edit.err" || fail "cannot edit $1: $(tail -3 "$T/edit.err")"
}

# verify STATUS ARG...: runs eremite verify, with output in $T/out and $T/err, and checks its status.
verify() {
	local want=$1 got
	shift
	command="in $PWD: $ERM verify $*"
	"$B/tests/watchdog" "$LIMIT" "$ERM" verify "$@" >"$T/out" 2>"$T/err"
	got=$?
	[ "$got" = "$want" ] || complain "status $got instead of $want" "$command" "$(head -5 "$T/err")" "$(head -5 "$T/out")"
}

# prints PATTERN...: the last command printed a line with each pattern.
prints() {
	local pattern
	for pattern; do
		grep -aqE -- "$pattern" "$T/out" || complain "does not print '$pattern'" "$command" "$(head -20 "$T/out")"
	done
}

# says PATTERN: the last command printed this on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# lacks PATTERN: the last command printed no such line.
lacks() {
	! grep -aqE -- "$1" "$T/out" || complain "prints '$1'" "$command" "$(head -20 "$T/out")"
}
