# SPDX-License-Identifier: MIT
#
# For the scripts about eremite analyze.

. "$SRC/tests/output_lib.sh"
cd "$T" || exit 1
apps=$B/apps

# analyze STATUS ARG...: runs eremite analyze, and checks its status.
analyze() {
	local want=$1
	shift
	runs "$want" "$ERM" analyze -q "$@"
}

# found NAME ARG...: eremite search with these arguments finds a failure; its results are in $T/NAME.json.
found() {
	local name=$1
	shift
	"$B/tests/watchdog" 200 "$ERM" search -q --results=json:"$T/$name.json" "$@" >"$T/search" 2>&1
	[ "$(jq '.distinct | length' "$T/$name.json")" -gt 0 ] || complain "eremite search $* finds nothing" "$(tail -3 "$T/search")"
}

# replays SIDE STATUS: the command of a side repeats it, with one digest.
replays() {
	local line digests got
	line=$(results ".$1.command")
	[ "$(results ".$1.replays")" = true ] || complain "the $1 schedule does not replay" "$command"
	for _ in 1 2; do
		eval "\"\$ERM\" run --summary=json:summary ${line#eremite run }" >/dev/null 2>&1
		got=$?
		[ "$got" = "$2" ] || complain "status $got instead of $2: $line" "$command"
		jq -r .digest summary
	done >"$T/digests"
	digests=$(sort -u "$T/digests" | wc -l)
	[ "$digests" = 1 ] || complain "two replays of the $1 schedule differ" "$command"
}

# decides: in all runs that kept the failing order the program failed in the same way, and in all that kept the passing
# order it passed, and it says so.
decides() {
	local have
	have=$(results '[.flips[]] | (map(select(.order == "failing")) | last), (map(select(.order == "passing")) | last)
		| "\(.kept) \(.failed) \(.passed) \(.otherwise)"' | tr '\n' ' ')
	[ "$have" = "20 20 0 0 20 0 20 0 " ] || complain "the orders decide in $have of 20 and 20 runs" "$command" "$(grep -A40 '^flip check' "$T/out")"
	results '.flip_verdict[]' | grep -q 'decides' || complain "the verdict is $(results .flip_verdict)" "$command"
}

# pair PATTERN: "OP OBJECT LINE" of the first event and of the second, on one line with ' / ' between them.
pair() {
	local have
	have=$(results '[.pair[] | "\(.op) \(.object // "-") \(.line // "-" | split("/") | last)"] | join(" / ")')
	[ "$(results .distance)" = 1 ] || complain "the distance is $(results .distance)" "$command"
	[[ $have =~ ^$1$ ]] || complain "the pair is '$have' instead of '$1'" "$command"
}
