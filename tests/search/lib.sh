# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the tests of eremite search share.
. "$SRC/tests/lib.sh"
cd "$T" || exit 1
apps=$B/apps
digests=$T.digests
mkdir "$digests"
trap 'rm -rf "$digests"' EXIT

# search STATUS ARG...: runs eremite search, with output in $T/out and $T/err, and checks its status.
search() {
	local want=$1 got
	shift
	command="in $PWD: $ERM search $*"
	timeout -k 5 300 "$ERM" search "$@" >"$T/out" 2>"$T/err"
	got=$?
	[ "$got" = "$want" ] || complain "status $got instead of $want" "$command" "$(head -5 "$T/err")" "$(head -5 "$T/out")"
}

# prints PATTERN: the last search printed a line with the pattern.
prints() {
	grep -aqE -- "$1" "$T/out" || complain "does not print '$1'" "$command" "$(head -20 "$T/out")"
}

# says PATTERN: the last search said this on standard error.
says() {
	grep -aqE -- "$1" "$T/err" || complain "does not say '$1'" "$command" "$(head -5 "$T/err")"
}

# results FILTER: what jq makes of the results in $T/results.
results() {
	jq -r "$1" "$T/results"
}

# repeats INDEX STATUS: the command of a way to fail, run alone, ends with this status, with one digest. The summaries lie
# outside the working directory, which a program may list.
repeats() {
	local line before=
	line=$(results ".distinct[$1].command")
	for _ in 1 2; do
		eval "\"\$ERM\" run --summary=json:\"\$digests/summary\" ${line#eremite run }" >/dev/null 2>&1
		[ $? = "$2" ] || complain "the command ends otherwise: $line"
		digest=$(jq -r .digest "$digests/summary")
		[ -z "$before" ] || [ "$before" = "$digest" ] || complain "the command has two digests: $line"
		before=$digest
	done
}
