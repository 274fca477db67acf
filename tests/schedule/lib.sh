# SPDX-License-Identifier: MIT
#
# For schedule scripts: record and replay, and compare. Each script ends with `finish`.

. "$SRC/tests/fault/lib.sh"
RAW=$B/tests/schedule/raw

# digest: of the run whose summary is in $T/summary.
digest() {
	sed -n 's/^.*"digest":[^"]*"\(sha256:[0-9a-f]*\)".*$/\1/p' "$T/summary"
}

# replays NAME ARG...: the run with these arguments, recorded, is the same when it is replayed, and writes the same file.
# Leaves the schedule in $T/NAME.
replays() {
	local name=$1 first want
	shift
	monitor --schedule-out "$T/$name" "$@"
	check_monitor || return
	first=$status want=$(digest)
	cp "$T/out" "$T/first.out"
	local arg others=()
	for arg; do [[ $arg == --sched* ]] || others+=("$arg"); done
	monitor --schedule "$T/$name" --schedule-out "$T/$name.again" "${others[@]}"
	check_monitor || return
	[ "$status" = "$first" ] || complain "status $status in the replay, $first before" "$command" "$said"
	[ -n "$want" ] && [ "$(digest)" = "$want" ] || complain "another digest in the replay" "$command" "$said"
	cmp -s "$T/out" "$T/first.out" || complain "another output in the replay" "$command"
	cmp "$T/$name" "$T/$name.again" || complain "the replay writes another schedule" "$command"
}

# thread_tests: the guest tests that have threads, one a line.
thread_tests() {
	grep -lE '^#include <(pthread|threads|semaphore)\.h>' "$SRC"/tests/guest/*.c | sed 's|.*/||; s|\.c$||'
}

# guest TEST: sets guest[] to its options, but not the schedule, and its program, as tests/run starts it.
guest() {
	local line
	line=$(sed -n 's|^.\* eremite-options: *||p' "$SRC/tests/guest/$1.c" | sed -E 's|\*/.*||; s/--sched(-seed)?[ =][^ ]+//g')
	read -r -a guest <<<"$line"
	guest+=("$B/tests/guest/$1")
}

# A policy each, with parameters that make a short program switch often.
POLICIES='fifo rr:quantum=2us random pct:depth=5,steps=500 pos surw'

# A number of the run's summary.
number() {
	sed -n "s/^.*\"$1\":[^0-9]*\([0-9]*\).*$/\1/p" "$T/summary" | head -n 1
}

# within NS DECISIONS ARG...: the run takes no more of either.
within() {
	local ns=$1 decisions=$2
	shift 2
	expect 0 exit - "$@"
	[ "$(number virtual_ns)" -le "$ns" ] || complain "it takes $(number virtual_ns) ns, more than $ns" "$command"
	[ "$(number decisions)" -le "$decisions" ] ||
		complain "it takes $(number decisions) decisions, more than $decisions" "$command"
}
