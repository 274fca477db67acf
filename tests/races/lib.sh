#!/bin/bash
# SPDX-License-Identifier: MIT
#
# For scripts of races, programs with one known bug each (apps/race_*). A script says how the bug shows, and within how
# many seeds each policy finds it. Its schedule file, NAME.schedule, must show the bug every time.
#
#     EREMITE_RECORD=1 make check T=races    # records the schedule files anew, of the first seed that finds the bug

set -u
name=${0##*/} && name=${name%.test}
program=$B/apps/race_$name
kept=$SRC/tests/races/$name.schedule
. "$SRC/tests/lib.sh"

# once IMAGE OPTIONS...: runs it; sets $status, and $said to its only line or else eremite's last one.
once() {
	local image=$1
	shift
	status=0
	"$ERM" run --quiet "$@" "$image" >"$T/out" 2>"$T/err" || status=$?
	said=$(cat "$T/err" "$T/out" | tail -n 1)
}

# bug STATUS LINE: how the bug shows. LINE is a pattern for $said.
bug() {
	bug_status=$1 bug_line=$2
	once "$program"
	[ $status -eq 0 ] || complain "under fifo: status $status: $said"
	once "$program.fixed"
	[ $status -eq 0 ] || complain "fixed, under fifo: status $status: $said"
}

shows() {
	# shellcheck disable=SC2053
	[ $status -eq "$bug_status" ] && [[ $said == $bug_line ]]
}

# found POLICY SEEDS: at least one of seeds 1 to SEEDS shows the bug, all other runs end well, and the fixed program
# ends well with all seeds.
found() {
	local policy=$1 seeds=$2 seed hits=0 first=
	for ((seed = 1; seed <= seeds; seed++)); do
		once "$program" --sched "$policy" --sched-seed $seed
		if shows; then
			hits=$((hits + 1)) && first=${first:-$seed}
		elif [ $status -ne 0 ]; then
			complain "--sched $policy --sched-seed $seed: status $status: $said"
		fi
		once "$program.fixed" --sched "$policy" --sched-seed $seed
		[ $status -eq 0 ] || complain "fixed, --sched $policy --sched-seed $seed: status $status: $said"
	done
	echo "$policy: $hits of $seeds, first with seed ${first:-none}"
	[ $hits -gt 0 ] || complain "--sched $policy does not find it within $seeds seeds"
	if [ -n "${EREMITE_RECORD:-}" ] && [ -n "$first" ] && [ ! -f "$T/recorded" ]; then
		once "$program" --sched "$policy" --sched-seed "$first" --schedule-out "$T/recorded"
		{ head -n 1 "$T/recorded" && echo "# race_$name: --sched $policy --sched-seed $first" &&
			tail -n +2 "$T/recorded"; } >"$kept"
	fi
}

# The kept schedule shows the bug with one digest, and its replay records the same schedule.
finish() {
	local i want=
	for i in 1 2 3; do
		once "$program" --schedule "$kept" --schedule-out "$T/again" --summary=json:"$T/summary"
		shows || complain "$name.schedule: status $status: $said"
		diff <(grep -v '^#' "$kept") <(grep -v '^#' "$T/again") || complain "replaying $name.schedule gives another one"
		want=${want:-$(digest)}
		[ -n "$want" ] && [ "$(digest)" = "$want" ] || complain "another digest"
	done
	exit $failed
}
