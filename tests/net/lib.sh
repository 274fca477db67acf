# SPDX-License-Identifier: MIT
# Shared by the scripts of this folder: a program that is a peer on the host or in the guest (peer.py).
# shellcheck shell=bash
source "$SRC/tests/lib.sh"

mkdir -p "$T/program"
cp "$SRC/tests/net/peer.py" "$T/program"
peer=(/usr/bin/python3 -S -E "$T/program/peer.py")

# begin NAME COMMAND...: starts a program that prints `port N` when it is ready; sets `port` and `pid`.
begin() {
	local name=$1
	shift
	"$@" >"$T/$name" 2>"$T/$name.err" &
	pid=$!
	wait_line "$T/$name" '^port ' $pid || fail "$name did not start: $(cat "$T/$name.err")"
	port=$(sed -n 's/^port //p' "$T/$name")
}

# guest OPTION... [-- ARGUMENT...]: runs the peer in a guest; sets `status`.
guest() {
	local options=()
	while [ "${1---}" != -- ]; do
		options+=("$1")
		shift
	done
	status=0
	if [ $# -gt 0 ]; then
		shift
		set -- "${peer[@]}" "$@"
	fi
	"$B/tests/watchdog" --foreground 60 "$ERM" run "${options[@]}" "$@" >"$T/out" 2>"$T/err" || status=$?
}

# expect STATUS TEXT WHAT: the last guest ended with the status, and its output or messages have the text.
expect() {
	{ [ "$status" = "$1" ] && grep -qF -- "$2" "$T/out" "$T/err"; } ||
		complain "$3: status $status" "$(cat "$T/out")" "$(tail -5 "$T/err")"
}

# A network namespace that is empty. One for users comes with it where that is needed: there, root may not list the
# directories of others, which the program sees.
alone=()
unshare -rn true 2>/dev/null && alone=(unshare -rn)
unshare -n true 2>/dev/null && alone=(unshare -n)

# repeat NAME: replays a recording three times, twice with jitter, where there is no network. Each replay has the digest
# and the output of the recorded run, in first and first.out.
repeat() {
	for options in "" "--jitter 1" "--jitter 2"; do
		status=0
		# shellcheck disable=SC2086 # options are words
		"${alone[@]}" "$B/tests/watchdog" --foreground 60 "$ERM" run $options --summary="json:$T/again" --replay "$T/$1" </dev/null \
			>"$T/out" 2>"$T/err" || status=$?
		[ $status = 0 ] && [ "$(digest "$T/again")" = "$(digest "$T/first")" ] ||
			complain "the replay of $1 ($options) differs: status $status" "$(tail -3 "$T/err")" \
				"$(diff <(jq .digest_parts "$T/first") <(jq .digest_parts "$T/again"))"
		cmp -s "$T/out" "$T/first.out" || complain "the replay of $1 prints something else"
	done
}
