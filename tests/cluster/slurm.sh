# SPDX-License-Identifier: MIT
# A Slurm of two nodes on this machine, from Debian's packages, in the test's directory: slurm_start, then sbatch and the
# others work; what runs is ended by its process numbers when the test ends. Needs root.
# shellcheck shell=bash

slurm=$T/slurm # configuration, state and logs
slurm_pids=()

# slurm_needs: skips the test where Slurm cannot run.
slurm_needs() {
	local program
	for program in munged slurmctld slurmd sbatch scontrol squeue; do
		command -v "$program" >/dev/null ||
			skip "needs Slurm: apt-get install --no-install-recommends slurmctld slurmd slurm-client munge"
	done
	[ "$(id -u)" = 0 ] || skip "slurmd needs root"
}

# free_ports COUNT: numbers of TCP ports that nobody uses now.
free_ports() {
	python3 - "$1" <<-'END'
		import socket, sys
		held = [socket.socket() for _ in range(int(sys.argv[1]))]
		for one in held:
		    one.bind(("127.0.0.1", 0))
		print(*(one.getsockname()[1] for one in held))
	END
}

# slurm_configure: two nodes with one processor each.
slurm_configure() {
	local ports
	read -r -a ports <<<"$(free_ports 3)"
	cat >"$slurm/slurm.conf" <<-END
		ClusterName=test
		SlurmctldHost=$(hostname -s)(127.0.0.1)
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$slurm/munge/socket
		CredType=cred/munge
		SlurmctldPort=${ports[0]}
		SlurmctldPidFile=$slurm/slurmctld.pid
		SlurmdPidFile=$slurm/slurmd.%n.pid
		StateSaveLocation=$slurm/state
		SlurmdSpoolDir=$slurm/spool.%n
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SlurmdParameters=config_overrides
		MpiDefault=none
		ReturnToService=2
		SlurmdTimeout=${slurm_timeout:-30}
		MinJobAge=600
		KillWait=10
		MailProg=/bin/true
		${slurm_more:-}
		NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1 RealMemory=1024
		NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1 RealMemory=1024
		PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
	END
}

# slurm_node NAME: starts slurmd of a node.
slurm_node() {
	slurmd -D -N "$1" -f "$slurm/slurm.conf" >"$slurm/slurmd.$1.log" 2>&1 &
	slurm_pids+=($!)
	printf -v "slurm_pid_$1" '%s' $!
}

slurm_start() {
	mkdir -p "$slurm/munge" "$slurm/state" "$slurm/spool.n1" "$slurm/spool.n2"
	chmod 755 "$T" "$slurm" && chmod 700 "$slurm/munge"
	head -c 1024 /dev/urandom >"$slurm/munge/key" && chmod 400 "$slurm/munge/key"
	trap slurm_end EXIT
	munged --foreground --force --key-file="$slurm/munge/key" --socket="$slurm/munge/socket" \
		--pid-file="$slurm/munge/pid" --seed-file="$slurm/munge/seed" >"$slurm/munge.log" 2>&1 &
	slurm_pids+=($!)
	slurm_configure
	export SLURM_CONF=$slurm/slurm.conf
	slurm_wait "munged" test -S "$slurm/munge/socket"
	slurmctld -D -f "$slurm/slurm.conf" >"$slurm/slurmctld.log" 2>&1 &
	slurm_pids+=($!)
	slurm_node n1
	slurm_node n2
	slurm_wait "two idle nodes" slurm_is_idle
}

slurm_is_idle() {
	[ "$(sinfo -h -N -o %t 2>/dev/null | grep -c '^idle')" = 2 ]
}

# slurm_wait WHAT COMMAND...: waits until a command succeeds, as long as all that was started runs.
slurm_wait() {
	local what=$1 pid
	shift
	until "$@"; do
		for pid in "${slurm_pids[@]}"; do
			kill -0 "$pid" 2>/dev/null || fail "Slurm has ended while waiting for $what: $(tail -n 3 "$slurm"/*.log)"
		done
		sleep 0.2
	done
}

# slurm_end: cancels what runs, and ends all that was started, the last one first.
slurm_end() {
	local pid
	timeout 20 scancel --quiet --partition=main 2>/dev/null
	for ((pid = ${#slurm_pids[@]} - 1; pid >= 0; pid--)); do
		kill "${slurm_pids[pid]}" 2>/dev/null
		wait "${slurm_pids[pid]}" 2>/dev/null
	done
}

# slurm_done JOB...: waits until jobs have ended, and prints the state of each.
slurm_done() {
	local job
	for job; do
		slurm_wait "job $job" slurm_has_ended "$job"
	done
	for job; do
		slurm_states "$job"
	done
}

# slurm_requeued JOB...: waits until jobs have left their nodes and are in the queue again, and until the second of that is over: Slurm
# has revoked all credentials of the job that were made until then, and would refuse it if it began in that second.
slurm_requeued() {
	local job second
	for job; do
		slurm_wait "job $job in the queue" slurm_is_queued "$job"
	done
	second=$(date +%s)
	until [ "$(date +%s)" -gt "$second" ]; do sleep 0.1; done
}

slurm_is_queued() {
	[[ "$(slurm_states "$1")" = "1 PENDING" ]]
}

# slurm_states JOB: the states of a job, or of the tasks of its array.
slurm_states() {
	scontrol -o show job "$1" | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p' | sort | uniq -c | sed 's/^ *//'
}

slurm_has_ended() {
	local states
	states=$(scontrol -o show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\) .*/\1/p')
	[ -n "$states" ] && ! grep -qvE '^(COMPLETED|FAILED|TIMEOUT|CANCELLED|NODE_FAIL|BOOT_FAIL|DEADLINE|OUT_OF_MEMORY)$' <<<"$states"
}
