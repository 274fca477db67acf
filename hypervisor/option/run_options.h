/* SPDX-License-Identifier: MIT */
/* The options of eremite run. */
#ifndef HYPERVISOR_RUN_OPTIONS_H
#define HYPERVISOR_RUN_OPTIONS_H

/** X(name, letter, argument, traits, values, function that takes it (cmdline/run_take.c), group of --help, help). */
#define RUN_OPTIONS(X) \
	X("seed", 0, "N", OPTION_KEPT_IN_IMAGES, NULL, take_seed, 1, \
	  "Seed of every random number in the guest: 64 bits, decimal or 0x (default 0)") \
	X("epoch", 0, "TIME|now|source-date", OPTION_KEPT_IN_IMAGES | OPTION_KEPT_BY_ITSELF, "now source-date", \
	  take_epoch, 1, \
	  "Time at which the guest starts, such as 2026-11-25 or 2026-11-25T12:00:00Z; now is the host's time, and " \
	  "source-date is SOURCE_DATE_EPOCH or else the date in debian/changelog, which are printed (default " \
	  "2000-01-01T00:00:00Z; with --net host: now; with --file-times=host: a second later)") \
	X("uptime", 0, "SECONDS", OPTION_KEPT_IN_IMAGES, NULL, take_uptime, 1, \
	  "Time since the boot at which the guest starts: CLOCK_MONOTONIC and /proc/uptime count from there (default " \
	  "600)") \
	X("memory", 0, "SIZE", OPTION_KEPT_IN_IMAGES, NULL, take_memory, 1, \
	  "The guest's RAM, 16M to 256G; the host allocates it as the guest uses it (default 4G)") \
	X("cpu", 0, "v2|v3|v4", OPTION_KEPT_IN_IMAGES, "v2 v3 v4", take_cpu, 1, \
	  "Processor model of a Linux program: v2 has SSE4.2, v3 adds AVX2, FMA and BMI, v4 adds AVX-512; the host " \
	  "must have them (default v3)") \
	X("cpus", 0, "N", OPTION_KEPT_IN_IMAGES, NULL, take_cpus, 1, \
	  "Number of processors that a Linux program sees, 1 to 64; its threads still run one at a time (default 1)") \
	X("layout-seed", 0, "N", OPTION_KEPT_IN_IMAGES, NULL, take_layout_seed, 1, \
	  "Seed of where the memory of a Linux program is: 64 bits, decimal or 0x; 0 is Linux's layout without " \
	  "randomisation (default seed: drawn by --seed)") \
	X("engine", 0, "auto|kvm|process", 0, "auto kvm process", take_engine, 1, \
	  "What runs the guest: KVM, or plain processes, which work on any x86-64 Linux (default auto: KVM if it can " \
	  "be used). The results are the same") \
	X("argv0", 0, "NAME", OPTION_KEPT_IN_IMAGES, NULL, take_argv0, 1, \
	  "The program's argv[0] (default: IMAGE as typed)") \
	X("env", 'e', "K[=V]", OPTION_KEPT_IN_IMAGES | OPTION_KEPT_ADDS, NULL, take_env, 1, \
	  "Set an environment variable; without =V, copy the host's value; repeatable. Nothing else is inherited") \
	X("no-env", 0, NULL, OPTION_KEPT_IN_IMAGES, NULL, take_no_env, 1, \
	  "Omit the default environment, which is PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin " \
	  "HOME=/home/guest LANG=C.UTF-8 TZ=UTC") \
	X("tty", 0, "COLUMNSxROWS", \
	  OPTION_VALUE_OPTIONAL | OPTION_KEPT_IN_RECORDINGS | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, \
	  take_tty, 1, \
	  "Give the program a terminal, which is yours: keys, ^C and TERM go to it (default size: yours)") \
	X("stdin", 0, "lines|live", OPTION_KEPT_IN_IMAGES, "lines live", take_stdin, 1, \
	  "How standard input arrives: lines, each read waits for a line or the end; live, poll and read see what " \
	  "has come, and the run depends on when it came (default lines; live with --net host or --publish)") \
	X("net", 0, "none|host[:allow=LIST][:deny=LIST]", \
	  OPTION_KEPT_IN_RECORDINGS | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, "none host", take_net, 1, \
	  "Let the program reach the network outside, as far as the lists of HOST|CIDR[:PORT[-PORT]][/tcp|/udp] " \
	  "permit; 10.0.2.2 is this host's loopback. Seed and epoch are then the host's unless given (default none: " \
	  "only the guest's own loopback)") \
	X("publish", 0, "[ADDR:]HOSTPORT:GUESTPORT[/udp]", \
	  OPTION_KEPT_IN_RECORDINGS | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_publish, 1, \
	  "Let programs of the host reach a port of the guest (default ADDR 127.0.0.1; HOSTPORT 0 takes a free one); " \
	  "repeatable") \
	X("net-time", 0, "wall|jump", OPTION_KEPT_IN_IMAGES, "wall jump", take_net_time, 1, \
	  "Whether virtual time waits for an open connection to the outside, or jumps to the next timer (default " \
	  "wall)") \
	X("net-fault", 0, "LIST", OPTION_KEPT_IN_IMAGES, NULL, take_net_fault, 1, \
	  "Have connections and datagrams fail, inside the guest and outside: refuse, reset, short, loss, dup, " \
	  "reorder and dns-fail, each with a rate such as 0.1%; only=30% of connections have them; delay=1ms..50ms " \
	  "and dns-delay=2s delay, and partition=2s..5s lets nothing pass from second 2 to second 5, with /half " \
	  "between two sides, with /oneway from one to the other; drawn from seed=N (default 0)") \
	X("root", 0, "DIR|FILE", OPTION_KEPT_IN_RECORDINGS, NULL, take_root, 2, \
	  "Root file system: a directory, or an EROFS file") \
	X("out", 0, "DIR", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_out, 2, \
	  "Write the files that the program leaves in /out to this directory") \
	X("save", 0, "DIR", OPTION_VALUE_OPTIONAL | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_save, 2, \
	  "When a Linux program has ended, apply its changes below this host directory (default: the current " \
	  "directory)") \
	X("bind", 0, "HOST:GUEST[:ro]", OPTION_KEPT_IN_RECORDINGS | OPTION_KEPT_ADDS, NULL, take_bind, 2, \
	  "Show a Linux program a directory or file of the host; it changes a copy in memory, or nothing with :ro; " \
	  "repeatable") \
	X("replace", 0, "GUEST=HOST", OPTION_KEPT_IN_RECORDINGS, NULL, take_replace, 2, \
	  "Of an image, show this file or directory of the host in place of what the image has at GUEST; repeatable") \
	X("step", 0, "NAME", 0, NULL, take_step, 2, \
	  "Of an image with several steps, run this one (default: all, one after the other)") \
	X("data", 0, "DIR", 0, NULL, take_data, 2, \
	  "Directory with the files that an image needs but does not contain; they are found by their contents") \
	X("workdir", 0, "DIR", OPTION_KEPT_IN_IMAGES, NULL, take_workdir, 2, \
	  "Working directory in which a Linux program starts (default: the current directory, or / with --root)") \
	X("user", 0, "UID:GID[,GID...]", OPTION_KEPT_IN_IMAGES, NULL, take_user, 2, \
	  "User and group of a Linux program, and its supplementary groups, as numbers; files do not ask for them " \
	  "(default 0:0)") \
	X("files-out", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_files_out, 2, \
	  "Write a list of the host's files that a Linux program has read: SHA-256, size, path") \
	X("strict-files", 0, NULL, OPTION_KEPT_IN_IMAGES, NULL, take_strict_files, 2, \
	  "End the run when a Linux program asks for a file of the host that this user may not read") \
	X("file-times", 0, "WHEN", OPTION_KEPT_IN_IMAGES, "content bytecode epoch host", take_file_times, 2, \
	  "Modification times of the host's files that a Linux program sees: content (the default): 1990-01-01, but " \
	  "for a Python source the time in its bytecode, or else a time by its contents; bytecode: as Eremite 0.9.0; " \
	  "epoch: 1970-01-01; host: the host's times of regular files; or one time for all files, such as " \
	  "2000-01-01T00:00:00Z") \
	X("unknown-syscall", 0, "probe|stop|enosys", OPTION_KEPT_IN_IMAGES, "probe stop enosys", take_unknown_syscall, \
	  2, \
	  "What an unimplemented system call of a Linux program does: probe (the default): calls that programs probe " \
	  "fail with ENOSYS, others end the run; stop: each ends the run; enosys: each fails with ENOSYS") \
	X("clock", 0, "calls|work", OPTION_KEPT_IN_IMAGES, "calls work", take_clock, 3, \
	  "What moves the virtual time of a Linux program: calls (the default), kernel calls alone; or work, also " \
	  "loops " \
	  "and function entries of the files that it executes, so that loops see time pass and are preempted") \
	X("sched", 0, "NAME[:P=V,...]", OPTION_KEPT_IN_IMAGES | OPTION_NOT_OF_SEARCH | OPTION_KEPT_AS_SCHEDULE, \
	  "fifo rr random pct pos surw replay near help", take_sched, 3, \
	  "Policy that schedules threads (default fifo); --sched help lists them") \
	X("sched-seed", 0, "N", OPTION_KEPT_IN_IMAGES | OPTION_NOT_OF_SEARCH | OPTION_KEPT_AS_SCHEDULE, NULL, \
	  take_sched_seed, 3, "Seed of the policy's random choices: 64 bits, decimal or 0x (default 0)") \
	X("from", 0, "start|main|call:N|marker:NAME", OPTION_KEPT_IN_IMAGES | OPTION_KEPT_AS_SCHEDULE, \
	  "start main call: marker:", take_from, 3, \
	  "Where the policy starts; until then fifo schedules: at the start (the default), right before main(), " \
	  "before the N-th kernel call, or at eremite_marker(\"NAME\")") \
	X("preempt", 0, "WHAT", OPTION_KEPT_IN_IMAGES, "atomics own: sites: accesses: shared: at:", take_preempt, 3, \
	  "Also switch threads of a Linux program before locked instructions (atomics), before N stores of each " \
	  "file, without libraries of C and C++ (own:N,SEED) or with them (sites:N,SEED), before N loads and stores " \
	  "(accesses:N,SEED), or before those in a list of --shared-out (shared:FILE) or of a search (at:LIST); " \
	  "repeatable") \
	X("schedule", 0, "FILE", OPTION_KEPT_IN_RECORDINGS | OPTION_NOT_OF_SEARCH | OPTION_KEPT_AS_SCHEDULE, NULL, \
	  take_schedule, 3, "Replay this schedule; exit with status 122 if it does not fit") \
	X("schedule-near", 0, "FILE", OPTION_KEPT_IN_RECORDINGS | OPTION_NOT_OF_ANALYZE, NULL, take_schedule_near, 3, \
	  "Follow this schedule as far as it fits, and drop what does not") \
	X("schedule-out", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_schedule_out, 3, \
	  "Write the schedule of the run to this file") \
	X("shared-out", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_shared_out, 3, \
	  "With --preempt accesses: write the instructions that touched memory which two threads used to this file, " \
	  "for --preempt shared") \
	X("record", 0, "DIR", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE | OPTION_KEPT_NOWHERE, NULL, take_record, \
	  4, \
	  "Record what comes from outside in this new directory: standard input, typed keys, and the network, also " \
	  "as a packet capture") \
	X("redact", 0, "REGEX", 0, NULL, take_redact, 4, \
	  "With --record: keep no byte that this POSIX extended regular expression matches, in what comes, what is " \
	  "sent, the environment and the arguments; a match has at most 16 KiB and no newline; repeatable") \
	X("tls-keylog", 0, NULL, 0, NULL, take_tls_keylog, 4, \
	  "With --record: set SSLKEYLOGFILE, and add the keys of TLS connections that the program writes there to " \
	  "the packet capture, so that it can be read decrypted") \
	X("replay", 0, "DIR", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE | OPTION_KEPT_NOWHERE, NULL, take_replay, \
	  4, \
	  "Repeat a recorded run without any network or terminal; exit with status 122 if the program does something " \
	  "else") \
	X("replay-net", 0, "DIR", OPTION_KEPT_NOWHERE, NULL, take_replay_net, 4, \
	  "Run with the peers of a recorded run instead of a network: each gives its recorded answers; options, " \
	  "program and arguments that you give replace the recorded ones") \
	X("replay-miss", 0, "stop|refuse|passthrough|record-new", 0, "stop refuse passthrough record-new", \
	  take_replay_miss, 4, \
	  "What --replay-net does with a request that the recording has no answer to: stop (the default) ends the " \
	  "run with status 122; refuse refuses the connection; passthrough sends it to the network, as far as --net " \
	  "permits; record-new does that, and adds it and its answer to DIR") \
	X("events-out", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_events_out, 4, \
	  "Write the run's events, which are kernel calls and thread switches, to this file, for --events and " \
	  "'eremite " \
	  "compare'") \
	X("events-from", 0, "N", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_events_from, 4, \
	  "Write all events from number N on, up to 8 million, by --events-out; without it, a longer run's list has " \
	  "every second, fourth, ... event") \
	X("events", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_events, 4, \
	  "Run without output and compare with the events that a run elsewhere wrote; exit with status 122 at the " \
	  "first " \
	  "difference") \
	X("core", 0, "FILE", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_core, 4, \
	  "Write a core file of a Linux program that dies of a signal, is in a deadlock, or is stopped by --timeout, " \
	  "for gdb PROGRAM FILE") \
	X("strace", 0, "[CALLS][:FILE]", OPTION_VALUE_OPTIONAL | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, \
	  "count file desc process network memory signal ipc", take_strace, 4, \
	  "Print the kernel calls of a Linux program as strace does, with virtual time and decision, on stderr or " \
	  "to FILE; CALLS are names, or classes such as file, with ! before them all others, and count counts them") \
	X("trace", 0, "DIR", OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_trace, 4, \
	  "Write the kernel calls, decisions, faults, signals and markers of a Linux program to this new directory: " \
	  "trace.json and trace.pftrace for Perfetto, trace.txt, which has durations only, for diff, and what " \
	  "uftrace -d DIR reads") \
	X("timeout", 0, "SEC", 0, NULL, take_timeout, 4, "Stop after SEC seconds of wall time, with status 121") \
	X("verify", 0, NULL, OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, NULL, take_verify, 4, \
	  "Run twice and compare; exit with status 122 if the runs differ") \
	X("cache", 0, "DIR", 0, NULL, take_cache, 4, \
	  "Cache directory, for files that can be made again, such as images of --root (default " \
	  "$XDG_CACHE_HOME/eremite, ~/.cache/eremite; in a job of Slurm, or where machines share that, in " \
	  "$SLURM_TMPDIR or $TMPDIR)") \
	X("cache-size", 0, "SIZE", 0, NULL, take_cache_size, 4, \
	  "Remove the least recently used files of the cache when it takes more than SIZE (default 4G)") \
	X("no-cache", 0, NULL, 0, NULL, take_no_cache, 4, "Neither read nor write the cache") \
	X("no-confine", 0, NULL, 0, NULL, take_no_confine, 4, \
	  "For debugging eremite: run it unconfined; a hostile program that breaks into it can then do all that you " \
	  "can do") \
	X("summary", 0, "json[:FILE]", OPTION_VALUE_OPTIONAL | OPTION_NOT_OF_SEARCH | OPTION_NOT_OF_ANALYZE, "json", \
	  take_summary, 4, "Print what the run did, with its digest: on stderr, as text or JSON") \
	X("jitter", 0, "SEED", OPTION_IS_HIDDEN, NULL, take_jitter, 4, \
	  "For tests: do at random moments, and often, what the monitor does at moments of its own choice") \
	X("no-fsgsbase", 0, NULL, OPTION_IS_HIDDEN, NULL, take_no_fsgsbase, 4, \
	  "For tests: run the process engine without FSGSBASE") \
	X("quiet", 'q', NULL, 0, NULL, take_quiet, 5, "Print only errors") \
	X("verbose", 'v', NULL, 0, NULL, take_verbose, 5, "Print what eremite does, and where a stopped run was")

#define NOTHING_IS_KEPT ": it compares, and keeps nothing of the run"

/** X(option, other, why): options that cannot go together. If several pairs are given, the message is about the one
 * that the order of checks in options_parse (cmdline/options.c) meets first, and among those of one check the first
 * here.
 */
#define RUN_CONFLICTS(X) \
	X("record", "replay", ", which records nothing new") \
	X("verify", "replay", ", which compares with the recorded run") \
	X("replay-net", "record", "") \
	X("replay-net", "replay", "") \
	X("record", "verify", ", which makes two runs") \
	X("tls-keylog", "redact", ", because the keys show what was replaced") \
	X("verify", "tty", ", because you would have to type the same twice") \
	X("events-out", "verify", ", which makes two runs") \
	X("strace", "verify", ", which makes two runs") \
	X("strace", "events", NOTHING_IS_KEPT) \
	X("trace", "verify", ", which makes two runs") \
	X("trace", "events", NOTHING_IS_KEPT) \
	X("events", "events-out", NOTHING_IS_KEPT) \
	X("events", "verify", NOTHING_IS_KEPT) \
	X("events", "record", NOTHING_IS_KEPT) \
	X("events", "replay", NOTHING_IS_KEPT) \
	X("events", "replay-miss", NOTHING_IS_KEPT) \
	X("events", "save", NOTHING_IS_KEPT) \
	X("events", "out", NOTHING_IS_KEPT) \
	X("events", "schedule-out", NOTHING_IS_KEPT) \
	X("events", "shared-out", NOTHING_IS_KEPT) \
	X("events", "core", NOTHING_IS_KEPT)

#endif
