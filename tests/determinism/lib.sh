# SPDX-License-Identifier: MIT
#
# For determinism scripts: run a guest under changed circumstances and compare its digest.

. "$SRC/tests/fault/lib.sh"
guest=$B/tests/determinism/mixed
run=0

# digest_in SUMMARY: the digest of a run that ended by itself; nothing for other runs.
digest_in() {
	grep -q '"end":[^"]*"exit"' "$1" && digest "$1"
}

# same WHAT: the summary in $T/summary has the digest in $want. If not, reports the differences.
same() {
	local got
	got=$(digest_in "$T/summary" 2>/dev/null)
	run=$((run + 1))
	if [ -z "$got" ]; then
		complain "$1: no digest" "$(cat "$T/err")"
	elif [ "$got" != "$want" ]; then
		complain "$1: another digest" "$(diff "$T/first.summary" "$T/summary" | grep -v 'wall\|setup\|guest\|teardown' | head -12)" \
			"$(diff "$T/first.out" "$T/out" | head -10)"
	fi
	rm -f "$T/summary" "$T/out" "$T/err"
}
