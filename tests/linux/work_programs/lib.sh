# SPDX-License-Identifier: MIT
# Shared by work_programs.test and work_programs_all.test.
# shellcheck shell=bash

missing=()

# programs NAME...: true if all are installed; otherwise those that are not are missing.
programs() {
	local name status=0
	for name; do command -v "$name" >/dev/null || { missing+=("$name") && status=1; }; done
	return $status
}

# equal PATTERN COMMAND...: the command ends well and prints what matches the pattern (its lines joined by spaces), the same
# output, digest and virtual time in each way.
equal() {
	local pattern=$1 way first=''
	shift
	for way in '' '--engine process --jitter 1' '--no-cache --jitter 2'; do
		# shellcheck disable=SC2086
		"$B/tests/watchdog" 300 "$ERM" run -q --clock work --summary=json:summary $way "$@" </dev/null >out 2>&1 ||
			complain "$1 $way: status $?" "$(tail -3 out)"
		tr '\r\n' '  ' <out | grep -qE "$pattern" || tr '\r' '\n' <out | grep -qE "$pattern" ||
			complain "$1 $way: prints no line with $pattern" "$(tail -3 out)"
		take_summary summary
		[ -z "$first" ] && first="$run_digest $virtual_ns" && cp out first
		[ "$run_digest $virtual_ns" = "$first" ] && cmp -s first out || complain "$1 $way: differs" "$(diff first out | head -4)"
	done
	echo "$1: ${first#* } ns"
}

# finish: ends the script: it fails, or is skipped if a program was missing, or passes.
finish() {
	[ $failed = 0 ] || exit 1
	[ ${#missing[@]} = 0 ] || skip "not installed here: ${missing[*]}"
	exit 0
}
