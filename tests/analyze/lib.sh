# SPDX-License-Identifier: MIT
#
# For the scripts about eremite analyze.

. "$SRC/tests/lib.sh"
cd "$T" || exit 1
apps=$B/apps

# analyze STATUS ARG...: runs eremite analyze, with output in $T/out and $T/err, and checks its status.
analyze() {
	local want=$1 got
	shift
	command="in $PWD: $ERM analyze $*"
	timeout -k 5 300 "$ERM" analyze -q "$@" >"$T/out" 2>"$T/err"
	got=$?
	[ "$got" = "$want" ] || complain "status $got instead of $want" "$command" "$(head -5 "$T/err")" "$(head -20 "$T/out")"
}

# prints PATTERN: the last analysis printed a line with the pattern.
prints() {
	grep -aqE -- "$1" "$T/out" || complain "does not print '$1'" "$command" "$(head -30 "$T/out")"
}

# says PATTERN: the last analysis said this on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# results FILTER: what jq makes of the results in $T/results.
results() {
	jq -r "$1" "$T/results"
}

# found NAME ARG...: eremite search with these arguments finds a failure; its results are in $T/NAME.json.
found() {
	local name=$1
	shift
	timeout -k 5 200 "$ERM" search -q --results=json:"$T/$name.json" "$@" >"$T/search" 2>&1
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

# pair PATTERN: "OP OBJECT LINE" of the first event and of the second, on one line with ' / ' between them.
pair() {
	local have
	have=$(results '[.pair[] | "\(.op) \(.object // "-") \(.line // "-" | split("/") | last)"] | join(" / ")')
	[ "$(results .distance)" = 1 ] || complain "the distance is $(results .distance)" "$command"
	[[ $have =~ ^$1$ ]] || complain "the pair is '$have' instead of '$1'" "$command"
}
