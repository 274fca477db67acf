# SPDX-License-Identifier: MIT
#
# Sourced by the tests of the second boot door: runs one program by both doors and prints the TAP lines. Needs SRC and
# B; works in its own folder.

SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
B=${B:-$SRC/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$SRC" || exit 1
number=0 failures=0

# Ends the test as skipped.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 77
}

for tool in qemu-system-x86_64 "$@"; do
	command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done

ok() {
	echo "ok $((++number)) - $1"
}

# not_ok WHAT COMMAND: also shows $work/difference, if there is one.
not_ok() {
	echo "not ok $((++number)) - $1"
	[ ! -s "$work/difference" ] || sed 's/^/# /' "$work/difference"
	echo "# again: $2"
	failures=$((failures + 1))
}

finish() {
	echo "1..$number"
	[ $failures -eq 0 ]
	exit
}

# monitor_run FILE COMMAND...: writes what both doors must agree on for a run under the monitor: output, status, kernel
# calls, their chain, virtual time.
monitor_run() {
	local to=$1 status
	shift
	"$@" --summary=json:"$work/summary" "${monitor_words[@]}" >"$to" 2>"$work/monitor.err" </dev/null
	status=$?
	sed -n -e 's/.*"virtual_ns":[[:space:]]*\([0-9]*\).*/virtual \1/p' \
		-e 's/.*"events":[[:space:]]*\([0-9]*\),.*/events \1/p' \
		-e 's/.*"events":[[:space:]]*"\([0-9a-f]*\)".*/chain \1/p' "$work/summary" | sort >>"$to"
	echo "status $status" >>"$to"
}

# qemu_run FILE COMMAND...: writes the same for a run in QEMU, whose output ends with the line that eremite.summary
# requests.
qemu_run() {
	local to=$1 status
	shift
	"$@" >"$work/serial" 2>"$work/qemu.err"
	status=$?
	sed -e '$d' "$work/serial" | grep -v '^eremite: ' >"$to"
	tail -n 1 "$work/serial" | sed 's/ \(chain\|virtual\)/\n\1/g' | sort >>"$to"
	echo "status $status" >>"$to"
}

# same WHAT OPTIONS... -- IMAGE ARG...: runs it by both doors; OPTIONS must mean the same to both.
same() {
	local what=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	monitor_words=("$@")
	monitor_run "$work/monitor" "$ERM" run --quiet "${options[@]}"
	qemu_run "$work/qemu" scripts/run-qemu --timeout 120 --summary "${qemu_options[@]}" "${options[@]}" "$@"
	if diff -u --label monitor --label qemu "$work/monitor" "$work/qemu" >"$work/difference"; then
		ok "$what"
	else
		cat "$work/monitor.err" "$work/qemu.err" >>"$work/difference"
		not_ok "$what" "eremite run ${options[*]} $*; scripts/run-qemu --summary ${qemu_options[*]} ${options[*]} $*"
	fi
}

qemu_options=()
