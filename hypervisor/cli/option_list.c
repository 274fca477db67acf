/* SPDX-License-Identifier: MIT */
#include "cli/option_list.h"

const struct argp_option option_list[] = {
	{"seed", KEY_SEED, "N", 0, "Seed of every random number in the guest: 64 bits, decimal or 0x (default 0)", 1},
	{"epoch", KEY_EPOCH, "TIME|now|source-date", 0,
         "Time at which the guest starts, such as 2026-11-25 or 2026-11-25T12:00:00Z; now is the host's time, and "
         "source-date is SOURCE_DATE_EPOCH or else the date in debian/changelog, which are printed (default "
         "2000-01-01T00:00:00Z; with --net host: now; with --file-times=host: a second later)",
         1},
	{"uptime", KEY_UPTIME, "SECONDS", 0,
         "Time since the boot at which the guest starts: CLOCK_MONOTONIC and /proc/uptime count from there (default "
         "600)",
         1},
	{"memory", KEY_MEMORY, "SIZE", 0,
         "The guest's RAM, 16M to 256G; the host allocates it as the guest uses it (default 4G)", 1},
	{"cpu", KEY_CPU, "v2|v3|v4", 0,
         "Processor model of a Linux program: v2 has SSE4.2, v3 adds AVX2, FMA and BMI, v4 adds AVX-512; the host must "
         "have them (default v3)",
         1},
	{"cpus", KEY_CPUS, "N", 0,
         "Number of processors that a Linux program sees, 1 to 64; its threads still run one at a time (default 1)", 1},
	{"layout-seed", KEY_LAYOUT_SEED, "N", 0,
         "Seed of where the memory of a Linux program is: 64 bits, decimal or 0x; 0 is Linux's layout without "
         "randomisation (default seed: drawn by --seed)",
         1},
	{"engine", KEY_ENGINE, "auto|kvm|process", 0,
         "What runs the guest: KVM, or plain processes, which work on any x86-64 Linux (default auto: KVM if it can be "
         "used). The results are the same",
         1},
	{"argv0", KEY_ARGV0, "NAME", 0, "The program's argv[0] (default: IMAGE as typed)", 1},
	{"env", 'e', "K[=V]", 0,
         "Set an environment variable; without =V, copy the host's value; repeatable. Nothing else is inherited", 1},
	{"no-env", KEY_NO_ENV, NULL, 0,
         "Omit the default environment, which is "
         "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "
         "HOME=/home/guest LANG=C.UTF-8 TZ=UTC",
         1},
	{"tty", KEY_TTY, "COLUMNSxROWS", OPTION_ARG_OPTIONAL,
         "Give the program a terminal, which is yours: keys, ^C and TERM go to it (default size: yours)", 1},
	{"stdin", KEY_STDIN, "lines|live", 0,
         "How standard input arrives: lines, each read waits for a line or the end; live, poll and read see what has "
         "come, and the run depends on when it came (default lines; live with --net host or --publish)",
         1},
	{"net", KEY_NET, "none|host[:allow=LIST][:deny=LIST]", 0,
         "Let the program reach the network outside, as far as the lists of HOST|CIDR[:PORT[-PORT]][/tcp|/udp] permit; "
         "10.0.2.2 is this host's loopback. Seed and epoch are then the host's unless given (default none: only the "
         "guest's own loopback)",
         1},
	{"publish", KEY_PUBLISH, "[ADDR:]HOSTPORT:GUESTPORT[/udp]", 0,
         "Let programs of the host reach a port of the guest (default ADDR 127.0.0.1; HOSTPORT 0 takes a free one); "
         "repeatable",
         1},
	{"net-time", KEY_NET_TIME, "wall|jump", 0,
         "Whether virtual time waits for an open connection to the outside, or jumps to the next timer (default wall)",
         1},
	{"net-fault", KEY_NET_FAULT, "LIST", 0,
         "Have connections and datagrams fail, inside the guest and outside: refuse, reset, short, loss, dup, reorder "
         "and dns-fail, each with a rate such as 0.1%; only=30% of connections have them; delay=1ms..50ms and "
         "dns-delay=2s delay, and partition=2s..5s lets nothing pass from second 2 to second 5, with /half between "
         "two sides, with /oneway from one to the other; drawn from seed=N (default 0)",
         1},
	{"root", KEY_ROOT, "DIR|FILE", 0, "Root file system: a directory, or an EROFS file", 2},
	{"out", KEY_OUT, "DIR", 0, "Write the files that the program leaves in /out to this directory", 2},
	{"save", KEY_SAVE, "DIR", OPTION_ARG_OPTIONAL,
         "When a Linux program has ended, apply its changes below this host directory (default: the current directory)",
         2},
	{"bind", KEY_BIND, "HOST:GUEST[:ro]", 0,
         "Show a Linux program a directory or file of the host; it changes a copy in memory, or nothing with :ro; "
         "repeatable",
         2},
	{"replace", KEY_REPLACE, "GUEST=HOST", 0,
         "Of an image, show this file or directory of the host in place of what the image has at GUEST; repeatable", 2},
	{"step", KEY_STEP, "NAME", 0,
         "Of an image with several steps, run this one (default: all, one after the other)", 2},
	{"data", KEY_DATA, "DIR", 0,
         "Directory with the files that an image needs but does not contain; they are found by their contents", 2},
	{"workdir", KEY_WORKDIR, "DIR", 0,
         "Working directory in which a Linux program starts (default: the current directory, or / with --root)", 2},
	{"user", KEY_USER, "UID:GID[,GID...]", 0,
         "User and group of a Linux program, and its supplementary groups, as numbers; files do not ask for them "
         "(default "
         "0:0)",
         2},
	{"files-out", KEY_FILES_OUT, "FILE", 0,
         "Write a list of the host's files that a Linux program has read: SHA-256, size, path", 2},
	{"strict-files", KEY_STRICT_FILES, NULL, 0,
         "End the run when a Linux program asks for a file of the host that this user may not read", 2},
	{"file-times", KEY_FILE_TIMES, "WHEN", 0,
         "Modification times of the host's files that a Linux program sees: bytecode (the default): 1990-01-01, but "
         "for a Python source the time in its bytecode; epoch: 1970-01-01; host: the host's times of regular files; or "
         "one "
         "time for all files, such as 2000-01-01T00:00:00Z",
         2},
	{"unknown-syscall", KEY_UNKNOWN_SYSCALL, "probe|stop|enosys", 0,
         "What an unimplemented system call of a Linux program does: probe (the default): calls that programs probe "
         "fail with ENOSYS, others end the run; stop: each ends the run; enosys: each fails with ENOSYS",
         2},
	{"sched", KEY_SCHED, "NAME[:P=V,...]", 0,
         "Policy that schedules threads (default fifo); --sched help lists them", 3},
	{"sched-seed", KEY_SCHED_SEED, "N", 0,
         "Seed of the policy's random choices: 64 bits, decimal or 0x (default 0)", 3},
	{"from", KEY_FROM, "start|main|call:N|marker:NAME", 0,
         "Where the policy starts; until then fifo schedules: at the start (the default), right before main(), before "
         "the "
         "N-th kernel call, or at eremite_marker(\"NAME\")",
         3},
	{"preempt", KEY_PREEMPT, "WHAT", 0,
         "Also switch threads of a Linux program before locked instructions (atomics), before N stores of each file, "
         "without libraries of C and C++ (own:N,SEED) or with them (sites:N,SEED), before N loads and stores "
         "(accesses:N,SEED), or before those in a list of --shared-out (shared:FILE) or of a search (at:LIST); "
         "repeatable",
         3},
	{"schedule", KEY_SCHEDULE, "FILE", 0, "Replay this schedule; exit with status 122 if it does not fit", 3},
	{"schedule-near", KEY_SCHEDULE_NEAR, "FILE", 0,
         "Follow this schedule as far as it fits, and drop what does not", 3},
	{"schedule-out", KEY_SCHEDULE_OUT, "FILE", 0, "Write the schedule of the run to this file", 3},
	{"shared-out", KEY_SHARED_OUT, "FILE", 0,
         "With --preempt accesses: write the instructions that touched memory which two threads used to this file, for "
         "--preempt shared",
         3},
	{"record", KEY_RECORD, "DIR", 0,
         "Record what comes from outside in this new directory: standard input, typed keys, and the network, also as a "
         "packet capture",
         4},
	{"redact", KEY_REDACT, "REGEX", 0,
         "With --record: keep no byte that this POSIX extended regular expression matches, in what comes, what is "
         "sent, "
         "the environment and the arguments; a match has at most 16 KiB and no newline; repeatable",
         4},
	{"tls-keylog", KEY_TLS_KEYLOG, NULL, 0,
         "With --record: set SSLKEYLOGFILE, and add the keys of TLS connections that the program writes there to the "
         "packet capture, so that it can be read decrypted",
         4},
	{"replay", KEY_REPLAY, "DIR", 0,
         "Repeat a recorded run without any network or terminal; exit with status 122 if the program does something "
         "else",
         4},
	{"replay-net", KEY_REPLAY_NET, "DIR", 0,
         "Run with the peers of a recorded run instead of a network: each gives its recorded answers; options, program "
         "and arguments that you give replace the recorded ones",
         4},
	{"replay-miss", KEY_REPLAY_MISS, "stop|refuse|passthrough|record-new", 0,
         "What --replay-net does with a request that the recording has no answer to: stop (the default) ends the run "
         "with status 122; refuse refuses the connection; passthrough sends it to the network, as far as --net "
         "permits; "
         "record-new does that, and adds it and its answer to DIR",
         4},
	{"events-out", KEY_EVENTS_OUT, "FILE", 0,
         "Write the run's events, which are kernel calls and thread switches, to this file, for --events and 'eremite "
         "compare'",
         4},
	{"events", KEY_EVENTS, "FILE", 0,
         "Run without output and compare with the events that a run elsewhere wrote; exit with status 122 at the first "
         "difference",
         4},
	{"timeout", KEY_TIMEOUT, "SEC", 0, "Stop after SEC seconds of wall time, with status 121", 4},
	{"verify", KEY_VERIFY, NULL, 0, "Run twice and compare; exit with status 122 if the runs differ", 4},
	{"cache", KEY_CACHE, "DIR", 0,
         "Cache directory, for files that can be made again, such as images of --root (default "
         "$XDG_CACHE_HOME/eremite, ~/.cache/eremite)",
         4},
	{"cache-size", KEY_CACHE_SIZE, "SIZE", 0,
         "Remove the least recently used files of the cache when it takes more than SIZE (default 4G)", 4},
	{"no-cache", KEY_NO_CACHE, NULL, 0, "Neither read nor write the cache", 4},
	{"no-confine", KEY_NO_CONFINE, NULL, 0,
         "For debugging eremite: run it unconfined; a hostile program that breaks into it can then do all that you can "
         "do",
         4},
	{"summary", KEY_SUMMARY, "json[:FILE]", OPTION_ARG_OPTIONAL,
         "Print what the run did, with its digest: on stderr, as text or JSON", 4},
	{"jitter", KEY_JITTER, "SEED", OPTION_HIDDEN,
         "For tests: do at random moments, and often, what the monitor does at moments of its own choice", 4},
	{"no-fsgsbase", KEY_NO_FSGSBASE, NULL, OPTION_HIDDEN, "For tests: run the process engine without FSGSBASE", 4},
	{"quiet", 'q', NULL, 0, "Print only errors", 5},
	{"verbose", 'v', NULL, 0, "Print what eremite does, and where a stopped run was", 5},
	{NULL, 'h', NULL, OPTION_HIDDEN, NULL, 5}, /* option_names.c stops at the first option without a name */
	{0},
};
