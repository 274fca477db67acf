# SPDX-License-Identifier: MIT
#
# For fault and determinism scripts: run the monitor, check how it ends, and report failures with the command that
# reproduces them. Each script ends with `finish`. Invariant: the death of the monitor never counts as that of a guest.

. "$SRC/tests/lib.sh"
MONITOR=${MONITOR:-$ERM}
GUESTS=$B/tests/fault
LIMIT=${LIMIT:-120} # seconds after which a run hangs, on a loaded host, too

# has_ended STATUS: sets status, end ("none" without a summary), said (the monitor's own lines), and what take_summary sets,
# of the run that left $T/err and $T/summary.
has_ended() {
	status=$1
	take_summary "$T/summary"
	end=${end:-none} said=
	[ ! -s "$T/err" ] || said=$(grep -a '^eremite' "$T/err")
}

# monitor ARG...: runs it into $T/out, $T/err and $T/summary; sets what has_ended does.
monitor() {
	: >"$T/summary"
	command="$MONITOR run --summary=json:$T/summary $*"
	ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS:-} UBSAN_OPTIONS=exitcode=99 "$B/tests/watchdog" "$LIMIT" "$MONITOR" run \
		--summary=json:"$T/summary" "$@" >"$T/out" 2>"$T/err"
	has_ended $?
}

# Fails if the sanitizers reported an error, or if the monitor was killed or hung. No guest may cause that.
check_monitor() {
	if [ -s "$T/err" ] && grep -aqE 'AddressSanitizer|LeakSanitizer|runtime error:|stack smashing|corrupted size|free\(\)' "$T/err"; then
		complain "the monitor itself is in error" "$command" "$(grep -aE 'Sanitizer|runtime error' "$T/err" | head -5)"
	elif [ $status -eq 124 ] || [ $status -eq 137 ] && [ "$end" = none ]; then
		complain "the monitor hangs" "$command"
	elif [ "$end" = none ] && [ $status -gt 125 ]; then
		complain "the monitor died with status $status" "$command" "$said"
	else
		return 0
	fi
	return 1
}

# monitor_until FILE PATTERN ARG...: as monitor, but the run is stopped by SIGTERM as soon as $T/FILE, out or err, has a
# line with the pattern. So it stops after that place in the program, also on a loaded host.
monitor_until() {
	local file=$1 pattern=$2 pid
	shift 2
	: >"$T/summary"
	: >"$T/$file"
	command="$MONITOR run --summary=json:$T/summary $*, and SIGTERM when it writes '$pattern'"
	"$B/tests/watchdog" --foreground "$LIMIT" "$MONITOR" run --summary=json:"$T/summary" "$@" >"$T/out" 2>"$T/err" <&0 &
	pid=$!
	stop_when "$pattern" "$T/$file" $pid
	wait $pid
	has_ended $?
}

# stop_when PATTERN FILE PID: waits until the file has a line with the pattern, or the process has ended, and sends it
# SIGTERM.
stop_when() {
	wait_line "$2" "$1" "$3"
	kill -s TERM "$3" 2>/dev/null
}

# interrupted FILE PATTERN ARG...: a run that monitor_until stops.
interrupted() {
	monitor_until "$@"
	[ "$status $end" = '143 interrupted' ] && [[ $said =~ 'stopped by signal 15' ]] ||
		complain "status $status and end '$end' instead of 143 and 'interrupted'" "$command" "$said"
}

# expect STATUS END PATTERN ARG...: PATTERN matches the monitor's last message; '-' if it must print none.
expect() {
	local want_status=$1 want_end=$2 pattern=$3
	shift 3
	monitor "$@"
	check_monitor || return
	local last=${said##*$'\n'}
	if [ "$status $end" != "$want_status $want_end" ]; then
		complain "status $status and end '$end' instead of $want_status and '$want_end'" "$command" "$said"
	elif [ "$pattern" = - ] && [ -n "$said" ]; then
		complain "says something where there is nothing to say" "$command" "$said"
	elif [ "$pattern" != - ] && ! [[ $last =~ $pattern ]]; then
		complain "does not say '$pattern'" "$command" "$said"
	elif [ "$want_end" = error ] && [ "$(grep -ac . "$T/err")" != 1 ]; then
		complain "more than one line" "$command" "$(cat "$T/err")"
	fi
}

# refuse PATTERN COMMAND...: status 125 and one line, before anything runs.
refuse() {
	local pattern=$1
	shift
	"$B/tests/watchdog" "$LIMIT" "$@" >"$T/out" 2>"$T/err"
	local status=$?
	if [ $status -ne 125 ]; then
		complain "status $status instead of 125" "$*" "$(head -5 "$T/err")"
	elif [ "$(grep -ac . "$T/err")" != 1 ] || ! grep -aqE -- "^eremite: .*$pattern" "$T/err"; then
		complain "does not say '$pattern' in one line" "$*" "$(head -5 "$T/err")"
	fi
}

# No process of this test may be left.
check_processes() {
	local left
	left=$(pgrep -f "eremite.*$T") || return 0
	# shellcheck disable=SC2086 # numbers; what was killed may take a while to end on a loaded host
	wait_end $left
	left=$(pgrep -af "eremite.*$T") || return 0
	complain "processes are left behind" "$left"
}

finish() {
	check_processes
	exit $failed
}
