# SPDX-License-Identifier: MIT
# Runs a command, and looks at what it prints, says and writes as results. For scripts whose commands have much output.
# shellcheck shell=bash
. "$SRC/tests/lib.sh"

# runs STATUS COMMAND...: runs it for at most five minutes, with output in $T/out and $T/err, and checks its status.
runs() {
	local want=$1 got
	shift
	command="in $PWD: $*"
	"$B/tests/watchdog" 300 "$@" >"$T/out" 2>"$T/err"
	got=$?
	[ "$got" = "$want" ] || complain "status $got instead of $want" "$command" "$(head -5 "$T/err")" "$(head -20 "$T/out")"
}

# prints PATTERN: the command printed a line with the pattern.
prints() {
	grep -aqE -- "$1" "$T/out" || complain "does not print '$1'" "$command" "$(head -30 "$T/out")"
}

# says PATTERN: the command said this on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# results FILTER: what jq makes of the results in $T/results.
results() {
	jq -r "$1" "$T/results"
}
