# SPDX-License-Identifier: MIT
# Shared by the tests that pack runs into images.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"

# pack IMAGE ARG...: packs a run into $T/IMAGE, with the program's output in $T/out and messages in $T/err; sets status.
pack() {
	command="in $PWD: $B/eremite pack -o $T/$*"
	"$B/tests/watchdog" 300 "$B/eremite" pack -o "$T/$1" "${@:2}" >"$T/out" 2>"$T/err"
	status=$?
}

# run IMAGE ARG...: runs $T/IMAGE in an empty directory, with the options in `with` and a summary in $T/summary; sets
# status and run_digest.
with=()
run() {
	command="$B/eremite run ${with[*]} $T/$*"
	rm -f "$T/summary"
	(mkdir -p "$T/nowhere" && cd "$T/nowhere" &&
		"$B/tests/watchdog" 300 "$B/eremite" run --summary=json:"$T/summary" "${with[@]}" "$T/$1" "${@:2}" >"$T/out" 2>"$T/err")
	status=$?
	take_summary "$T/summary"
}

# manifest IMAGE [FILTER]: the manifest of $T/IMAGE, or what jq makes of it.
manifest() {
	rm -rf "$T/manifest" && "$B/eremite" extract "$T/$1" "$T/manifest" .eremite/manifest.json || fail "no manifest in $1"
	jq -r "${2-.}" "$T/manifest/.eremite/manifest.json"
}

# ends STATUS [PATTERN]: the last command had this status, and its messages have a line with the pattern.
ends() {
	[ "$status" = "$1" ] || complain "status $status instead of $1" "$command" "$(head -5 "$T/err")"
	[ $# = 1 ] || grep -aqE -- "$2" "$T/err" || complain "does not say '$2'" "$command" "$(head -5 "$T/err")"
}

# says TEXT: the program printed exactly this.
says() {
	[ "$(cat "$T/out")" = "$1" ] || complain "prints '$(head -c 200 "$T/out")' instead of '$1'" "$command"
}

# repeats IMAGE [STEP]: a run of the image has the digest that is sealed in it.
repeats() {
	local sealed
	sealed=$(manifest "$1" ".steps[] | select(.name == \"${2-main}\") | .digest")
	with=(${2:+--step "$2"})
	run "$1"
	with=()
	[ -n "$sealed" ] && [ "$run_digest" = "$sealed" ] ||
		complain "$1 has the digest $sealed, and its run has $run_digest" "$command" "$(head -5 "$T/err")"
}

# left_nothing: packing has left no temporary directory in $T.
left_nothing() {
	[ -z "$(find "$T" -maxdepth 1 -name '.eremite-pack-*')" ] || complain "leaves $(ls -d "$T"/.eremite-pack-*)" "$command"
}
