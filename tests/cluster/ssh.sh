# SPDX-License-Identifier: MIT
# Two machines that ssh(1) reaches, which are two servers on this one: ssh_start, then `ssh_ports` has their ports, and
# `ssh_command` is the ssh that logs in there. Needs root.
# shellcheck shell=bash

ssh_pids=()

# ssh_needs WHAT: skips the test where it cannot start a server; WHAT has passed until then.
ssh_needs() {
	[ "$(id -u)" = 0 ] || skip "sshd on a port of its own needs root; $1 have passed"
}

ssh_start() {
	local port
	mkdir -p "$T/ssh" /run/sshd && chmod 700 "$T/ssh"
	ssh-keygen -q -t ed25519 -N '' -f "$T/ssh/host" && ssh-keygen -q -t ed25519 -N '' -f "$T/ssh/user"
	cp "$T/ssh/user.pub" "$T/ssh/authorized"
	chmod 600 "$T"/ssh/*
	trap 'kill "${ssh_pids[@]}" 2>/dev/null' EXIT
	read -r -a ssh_ports <<<"$(python3 -c '
import socket
held = [socket.socket() for _ in range(2)]
for one in held:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))')"
	for port in "${ssh_ports[@]}"; do
		/usr/sbin/sshd -D -e -f /dev/null -p "$port" -o ListenAddress=127.0.0.1 -h "$T/ssh/host" -o PidFile=none \
			-o AuthorizedKeysFile="$T/ssh/authorized" -o StrictModes=no -o UsePAM=no -o PermitRootLogin=yes 2>"$T/ssh/log.$port" &
		ssh_pids+=($!)
		wait_line "$T/ssh/log.$port" "Server listening on 127.0.0.1 port $port." $!
	done
	ssh_command="ssh -i $T/ssh/user -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
}

# ssh_both_used: both machines were logged into.
ssh_both_used() {
	local port
	for port in "${ssh_ports[@]}"; do
		grep -q '^Accepted publickey' "$T/ssh/log.$port" || complain "the machine at $port did nothing" "$(cat "$T/ssh/log.$port")"
	done
}
