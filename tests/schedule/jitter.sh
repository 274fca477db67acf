# SPDX-License-Identifier: MIT
#
# For scripts that compare runs with and without --jitter; source it after lib.sh.

bind=(--bind "$B/tests/linux:$B/tests/linux:ro")

# linux_thread_tests: the programs of tests/linux that have threads, one a line.
linux_thread_tests() {
	grep -l '^#include <pthread\.h>' "$SRC"/tests/linux/*.c | sed "s|.*/|$B/tests/linux/|; s|\.c$||"
}

# jitters SEEDS ARG...: the run with these arguments has the same digest, end and output without --jitter and with each
# of the seeds, such as "1 2".
jitters() {
	local seeds=$1 seed want
	shift
	monitor "$@"
	check_monitor || return
	want="$run_digest status $status"
	cp "$T/out" "$T/first.out"
	cp "$T/summary" "$T/first.summary"
	for seed in $seeds; do
		monitor --jitter "$seed" "$@"
		check_monitor || continue
		[ "$run_digest status $status" = "$want" ] ||
			complain "another digest or status with --jitter" "$command" "$want" "$run_digest status $status" "$(cat "$T/err")"
		cmp -s "$T/out" "$T/first.out" || complain "other output with --jitter" "$command" "$(diff "$T/first.out" "$T/out" | head -5)"
	done
}
