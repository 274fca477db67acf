# SPDX-License-Identifier: MIT
# Shared by tests that change an image while eremite uses it.
# shellcheck shell=bash

gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -shared -fPIC -o "$T/at_call.so" "$SRC/tests/image/at_call.c" ||
	fail "cannot build at_call.so"

# at CALL[:NUMBER] COMMAND ARG...: runs eremite with the arguments; the shell runs COMMAND before that call of the function
# (at_call.c). Output is in $T/out and $T/err; sets status.
at() {
	local call=$1 what=$2 number=1
	shift 2
	[[ $call != *:* ]] || number=${call#*:}
	command="in $PWD, before call $number of ${call%:*} '$what': $B/eremite $*"
	AT_CALL=${call%:*} AT_NUMBER=$number AT_DO=$what LD_PRELOAD=$T/at_call.so \
		"$B/tests/watchdog" 120 "$B/eremite" "$@" >"$T/out" 2>"$T/err"
	status=$?
}
