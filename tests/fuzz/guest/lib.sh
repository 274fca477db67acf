# SPDX-License-Identifier: MIT
# Runs calls that a seed chooses in a guest, on both engines.
# shellcheck shell=bash
source "$SRC/tests/lib.sh"

# calls OPTION... -- SEED ROUNDS PROCESSES STEPS KIND: each run ends with status 0, with one output and one digest. A run that
# does not end within the limit hangs.
calls() {
	local options=() command status engine
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	rm -f "$T/first" "$T/first.out"
	for engine in ${engines:-kvm process}; do
		[ "$engine" = process ] || [ -w /dev/kvm ] || continue
		command=("$MONITOR" run --memory 256M --timeout "${LIMIT:-300}" --engine "$engine" "${options[@]}" --summary="json:$T/again"
			"$B/tests/fuzz/guest/calls" "$@")
		status=0
		ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 "${command[@]}" >"$T/again.out" 2>"$T/again.err" </dev/null || status=$?
		[ $status = 0 ] && ! grep -aqE 'Sanitizer|runtime error:' "$T/again.err" ||
			complain "status $status: ${command[*]}" "$(tail -3 "$T/again.out")" "$(tail -25 "$T/again.err")"
		if [ -e "$T/first" ]; then
			cmp -s "$T/first.out" "$T/again.out" || complain "another output: ${command[*]}" "$(diff "$T/first.out" "$T/again.out")"
			[ "$(digest "$T/first")" = "$(digest "$T/again")" ] || complain "another digest: ${command[*]}"
		else
			mv "$T/again" "$T/first"
			mv "$T/again.out" "$T/first.out"
		fi
	done
}
