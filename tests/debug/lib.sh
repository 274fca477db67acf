# SPDX-License-Identifier: MIT
# Runs programs under gdb in batch mode, and compares their digests with those of runs without it.
# shellcheck shell=bash
. "$SRC/tests/output_lib.sh"
command -v gdb >/dev/null || skip "needs gdb (apt-get install gdb)"
cd "$T" || exit
export HOME=$T # gdb reads no file of the user

# compiles NAME...: tests/debug/NAME.c with debug information.
compiles() {
	local name
	for name; do
		gcc -g -O0 -pthread -o "$name" "$SRC/tests/debug/$name.c" || fail "$name cannot be compiled"
	done
}

# debug STATUS WORD...: runs eremite debug with -batch.
debug() {
	local status=$1
	shift
	rm -f "$T/summary"
	runs "$status" "$ERM" debug -batch "$@" </dev/null
}

# first OPTION...: keeps the digest of the run without gdb.
first() {
	rm -f "$T/summary"
	"$B/tests/watchdog" 100 "$ERM" run -q --summary=json:"$T/summary" "$@" >"$T/plain" 2>/dev/null </dev/null
	wanted=$(digest)
	[ -n "$wanted" ] || complain "there is no digest without gdb"
}

# same WHAT: the last run had that digest.
same() {
	[ "$(digest)" = "$wanted" ] || complain "another digest under gdb $*" "$(jq -c .digest_parts "$T/summary")"
}
