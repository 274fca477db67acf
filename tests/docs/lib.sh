# SPDX-License-Identifier: MIT
# Types the commands of a document in the order given, in a fresh directory, as a user does.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"

ports=$(python3 -c '
import socket
all = [socket.socket() for _ in range(4)]
for one in all:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in all))')
read -r web published secure guest <<<"$ports"

# fresh FOLDER: a directory that has what a clone has after `make demo`, and a home of its own.
fresh() {
	mkdir -p "$T/$1/home" "$T/bin" && cd "$T/$1" || exit 1
	ln -s "$B" build
	for name in scripts tests apps; do ln -s "$SRC/$name" $name; done
	ln -sf "$ERM" "$T/bin/eremite"
	ln -sf "$B/eremite-cc" "$T/bin/eremite-cc"
}

# commands DOCUMENT: its commands, one a line; a here-document stays a line's continuation. Ports are free ones of this host,
# and what is outside is a server on it, because a host of tests may have no name server.
commands() {
	awk '
		function flush() { if (command != "") { printf "%s%c", command, 0 } command = "" }
		here && /^    EOF$/ { command = command "\nEOF"; here = 0; flush(); next }
		here { sub(/^    /, ""); command = command "\n" $0; next }
		/^ {4,6}\$ / { flush(); sub(/^ *\$ /, ""); command = $0; here = /<<.EOF.$/; next }
		/^ {4,6}> / { sub(/^ *> /, ""); command = command "\n" $0; next }
		{ flush() }
		END { flush() }' "$1" |
		sed -z -E "s/\b8080\b/$published/g; s/\b8443\b/$secure/g; s|:8000\b|:$guest|g; s|\b8000\b|$guest|g
			s|https://example.org/|http://10.0.2.2:$web/|g; s|example.org:443/tcp|10.0.2.2:$web/tcp|g"
}

# typed DOCUMENT: types them in one shell in this directory, each with 120 seconds. A command fails with the statuses of what
# does not exist or cannot be run, and of eremite's own errors.
typed() {
	local count=0 command number=0
	{
		echo 'set -m; PS1=; shopt -s expand_aliases'
		echo 'make() { [ $# = 0 ] || [[ $1 = demo || $1 = check* || $1 = bench* || $1 = bundle || $1 = deb ]] || command make "$@"; }'
		echo 'xdg-open() { [ -s "$1" ]; }'
		while IFS= read -r -d '' command; do
			number=$((number + 1))
			case $command in
			*'--tty'*' vi '*) command="python3 $SRC/tests/docs/on_terminal.py '~' ':q!\\r' $(printf '%q' "${command%%#*}")" ;;
			*'--tty'*' less '*) command="python3 $SRC/tests/docs/on_terminal.py : q $(printf '%q' "${command%%#*}")" ;;
			*'--tty'*) command="python3 $SRC/tests/docs/on_terminal.py '# ' 'exit\\r' $(printf '%q' "${command%%#*}")" ;;
			'eremite run --publish '*) command="${command%%  *} &" ;; # a server, which the reader stops
			esac
			if needs=$(missing "$command"); then
				echo "echo 'not typed, without $needs' >&9"
				continue
			fi
			printf '%s\n' "$command" >"$T/command.$number"
			printf '. %q; s=$?; printf "%%s\\t%%s\\n" $s %q >&9; (exit $s)\n' "$T/command.$number" "$number"
		done
		echo 'kill $(jobs -p) 2>/dev/null; wait'
	} < <(commands "$1") >"$T/typing"
	HOME=$PWD/home PATH=$T/bin:$PATH "$B/tests/watchdog" 900 bash "$T/typing" 9>"$T/statuses" >"$T/output" 2>&1 </dev/null
	while IFS=$'\t' read -r status number; do
		count=$((count + 1))
		[[ $status = not* ]] && echo "$status" && continue
		case $status in
		125 | 126 | 127) complain "status $status of a command of $1" "$(cat "$T/command.$number")" "$(grep -a '^eremite: \|: line ' "$T/output" | tail -3)" ;;
		esac
	done <"$T/statuses"
	number=$(commands "$1" | tr -cd '\0' | wc -c)
	[ "$count" = "$number" ] && [ "$count" -gt 0 ] ||
		complain "$count of $number commands of $1 were typed" "$(tail -5 "$T/output")"
	echo "$count commands of ${1#"$SRC/"}"
}

# missing COMMAND: a program that it needs, and that `make demo` does not install; fails if nothing is missing.
missing() {
	local need
	for need in gdb tshark wireshark qemu-system-x86_64 less openssl ssh-keygen curl cmake pytest snakemake vi; do
		case " $1 " in
		*" $need "* | *"scripts/run-qemu"*)
			[[ $1 != *scripts/run-qemu* ]] || need=qemu-system-x86_64
			command -v $need >/dev/null || { echo "$need" && return 0; }
			[[ $1 != *scripts/run-qemu* ]] || return 1
			;;
		esac
	done
	[ "$need" = wireshark ] || [[ $1 != wireshark* ]] || { echo "a display" && return 0; }
	return 1
}
