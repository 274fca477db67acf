# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the tests of eremite search share.
. "$SRC/tests/output_lib.sh"
cd "$T" || exit 1
apps=$B/apps
digests=$T.digests
mkdir "$digests"
trap 'rm -rf "$digests"' EXIT

# search STATUS ARG...: runs eremite search, and checks its status. Lines about the progress, which come every 30 seconds,
# are left out of what it says.
search() {
	local want=$1
	shift
	runs "$want" "$ERM" search "$@"
	sed -i -E '/^eremite: search: [0-9]+ of [0-9]+ tries/d' "$T/err"
}

# inside EARLY: the last search has made all tries but the first EARLY in guests (any: some), and says nothing else. The
# first try is none, nor are the two that make a profile, and before these in a Linux program the three that find points.
inside() {
	local runs count='[1-9][0-9]*'
	runs=$(sed -E 's/.* --runs ([0-9]+) .*/\1/' <<<"$command")
	[ "$1" = any ] || count=$((runs - $1))
	grep -qxE "eremite: search: $count tries were made in guests" "$T/err" && [ "$(wc -l <"$T/err")" = 1 ] ||
		complain "not all tries but $1 were made in guests" "$command" "$(head -5 "$T/err")"
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
