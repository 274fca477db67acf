# SPDX-License-Identifier: MIT
#
# For tests of servers and their clients in one guest. What runs in the guest is a script of tests/peers/guest, in /peers.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"

# needs PACKAGE=FILE...: the test is skipped where a file is missing, and names the packages to install. It installs
# nothing itself: Debian's packages of servers start them.
needs() {
	local need missing=()
	for need; do [ -e "${need#*=}" ] || missing+=("${need%%=*}"); done
	[ ${#missing[@]} -eq 0 ] || skip "programs are missing: apt-get install --no-install-recommends ${missing[*]}"
}

guest() {
	"$B/tests/watchdog" 120 "$ERM" run -q --bind "$SRC/tests/peers/guest:/scripts:ro" --bind "$T/peers:/peers" --workdir /peers \
		--no-env --env PATH=/usr/sbin:/usr/bin:/sbin:/bin --env HOME=/peers --env LC_ALL=C.UTF-8 "$@"
}

# peers SCRIPT: runs tests/peers/guest/SCRIPT three times, with --jitter, and with a random schedule. Each run prints
# standard input (without carriage returns), and the first four have one digest. In each run /peers begins as $T/peers.
peers() {
	local script=$1 name=${1%.*} shell=/bin/bash options i=0
	case $script in
	*.py) shell=/usr/bin/python3 ;;
	*.mjs) shell=/usr/bin/node ;;
	esac
	cat >"$name.expected"
	mkdir -p peers
	for options in '' '' '' '--jitter 1' '--sched=random --sched-seed=1'; do
		i=$((i + 1))
		# shellcheck disable=SC2086 # the options are words
		guest $options --summary=json:"$T/$name.$i" "$shell" "/scripts/$script" >"$name.out" 2>"$name.err" </dev/null ||
			complain "$script $options ends with $?" "$(tail -5 "$name.err")"
		tr -d '\r' <"$name.out" >"$name.text"
		diff "$name.expected" "$name.text" || fail "$script $options prints something else (< expected): $(tail -5 "$name.err")"
		[[ $options != --sched* ]] || continue
		[ -n "$(digest "$name.$i")" ] && [ "$(digest "$name.$i")" = "$(digest "$name.1")" ] ||
			fail "$script $options: run $i has another digest"
	done
}
