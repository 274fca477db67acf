# SPDX-License-Identifier: MIT
#
# For schedule scripts: record and replay, and compare. Each script ends with `finish`.

. "$SRC/tests/fault/lib.sh"
RAW=$B/tests/schedule/raw

# replays NAME ARG...: records the run with these arguments; its replay is the same and writes the same file. Leaves the
# schedule in $T/NAME.
replays() {
	local name=$1 first want
	shift
	monitor --schedule-out "$T/$name" "$@"
	check_monitor || return
	first=$status want=$run_digest
	cp "$T/out" "$T/first.out"
	local arg others=()
	for arg; do [[ $arg == --sched* || $arg == --from=* ]] || others+=("$arg"); done
	monitor --schedule "$T/$name" --schedule-out "$T/$name.again" "${others[@]}"
	check_monitor || return
	[ "$status" = "$first" ] || complain "status $status in the replay, $first before" "$command" "$said"
	[ -n "$want" ] && [ "$run_digest" = "$want" ] || complain "another digest in the replay" "$command" "$said"
	cmp -s "$T/out" "$T/first.out" || complain "another output in the replay" "$command"
	cmp "$T/$name" "$T/$name.again" || complain "the replay writes another schedule" "$command"
}

# thread_tests: the guest tests that have threads, one a line.
thread_tests() {
	grep -lE '^#include <(pthread|threads|semaphore)\.h>' "$SRC"/tests/guest/*.c | sed 's|.*/||; s|\.c$||'
}

# guest TEST [full]: sets guest[] to the test's options, except the schedule, and its program, as tests/run starts it.
# Without `full` it uses the test's "arguments when repeated", with which it does less.
guest() {
	local line smaller=()
	line=$(sed -n 's|^.\* eremite-options: *||p' "$SRC/tests/guest/$1.c" | sed -E 's|\*/.*||; s/--sched(-seed)?[ =][^ ]+//g')
	read -r -a guest <<<"$line"
	[ "${2:-}" = full ] || read -r -a smaller <<<"$(sed -n 's|^.\* arguments when repeated: *||p' "$SRC/tests/guest/$1.c" | sed 's|\*/.*||')"
	guest+=("$B/tests/guest/$1" "${smaller[@]}")
}

# Each policy, with parameters that make a short program switch often.
POLICIES='fifo rr:quantum=2us random pct:depth=5,steps=500 pos surw'

# within NS MOST ARG...: the run takes at most NS of virtual time, and at most MOST decisions.
within() {
	local ns=$1 most=$2
	shift 2
	expect 0 exit - "$@"
	[ "${virtual_ns:-$((ns + 1))}" -le "$ns" ] || complain "it takes $virtual_ns ns, more than $ns" "$command"
	[ "${decisions:-$((most + 1))}" -le "$most" ] || complain "it takes $decisions decisions, more than $most" "$command"
}
