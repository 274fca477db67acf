# SPDX-License-Identifier: MIT
# Shared by tests that change an image while eremite uses it.
# shellcheck shell=bash

gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC -o "$T/at_call.so" "$SRC/tests/image/at_call.c" ||
	fail "cannot build at_call.so"

# at 'FUNCTION DEPTH NUMBER COMMAND'... -- ARG...: runs eremite with the arguments, and the shell commands at these calls
# (at_call.c). Output is in $T/out and $T/err; sets status.
at() {
	local number=0 settings=()
	command="in $PWD:"
	while [ "$1" != -- ]; do
		settings+=("AT_$((++number))=$1")
		command+=" at '$1':"
		shift
	done
	shift
	command+=" $B/eremite $*"
	rm -f "$T"/at_done.*
	env "${settings[@]}" AT_DONE="$T/at_done" LD_PRELOAD="$T/at_call.so" \
		"$B/tests/watchdog" 120 "$B/eremite" "$@" >"$T/out" 2>"$T/err"
	status=$?
	[ "$(find "$T" -maxdepth 1 -name 'at_done.*' | wc -l)" = "$number" ] || complain "there is no such call" "$command" "$(head -5 "$T/err")"
}
