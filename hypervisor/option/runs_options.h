/* SPDX-License-Identifier: MIT */
/* The options of eremite search, analyze and pack, beside those of eremite run that they take. */
#ifndef HYPERVISOR_RUNS_OPTIONS_H
#define HYPERVISOR_RUNS_OPTIONS_H

/* X(name, letter, argument, traits, values, function that takes it, group of --help, help): of each list, the functions
 * are in the file that is named. A line of help has its own literal: these texts are not wrapped by argp. */

/** tools/search/search_option.c */
#define SEARCH_OPTIONS(X) \
	X("runs", 'n', "N", 0, NULL, take_search_runs, 1, "Try N schedules (default: 10000)") \
	X("time", 0, "SECONDS", 0, NULL, take_search_time, 1, "Stop after this time; tries that run do not count") \
	X("max-failures", 0, "N", 0, NULL, take_search_max_failures, 1, \
	  "Stop when N tries have failed; 1: at the first failure") \
	X("stop-file", 0, "FILE", 0, NULL, take_search_stop_file, 1, \
	  "Make this file when a try fails, and stop when it is there: the first failure stops all shards that share " \
	  "it") \
	X("search-seed", 0, "N", 0, NULL, take_search_seed, 1, "Draw other schedules (default: 0)") \
	X("policy", 0, "LIST", 0, "portfolio feedback random pct pos surw urw fifo rr", take_search_policy, 1, \
	  "Policies of --sched, separated by commas, in turn; parameters as in\n" \
	  "pct:depth=2:steps=100 (default: portfolio: random, pos, surw, pct, feedback and urw in\n" \
	  "turn); two early tries find parameters for pct and surw that have none; urw is surw\n" \
	  "on all points or all objects; feedback learns from tries which reads are to get\n" \
	  "their values from which writes, and in a list with it, policies that find more get more\n" \
	  "tries") \
	X("vary", 0, "LIST", 0, "sched seed epoch layout cpus net-fault", take_search_vary, 1, \
	  "Inputs that differ from try to try, separated by commas: sched (the schedule), seed (random\n" \
	  "numbers), epoch (the date), layout (where memory is), cpus (the number of processors),\n" \
	  "net-fault (faults of the guest's network) (default: sched)") \
	X("fail-on", 0, "LIST", 0, "exit!=0 signal deadlock timeout stdout= stderr= output race", take_search_fail_on, \
	  1, \
	  "What counts as a failure, separated by commas: exit!=0, signal, deadlock, timeout,\n" \
	  "stdout=REGEX, stderr=REGEX, output, race (default: exit!=0,signal,deadlock); a regular\n" \
	  "expression (regex(7)) is the last of its list; repeatable") \
	X("fail-by", 0, "WHAT", 0, "junit:/out/", take_search_fail_by, 1, \
	  "Tell failures apart by the matches of a regular expression in their output, or by the failed\n" \
	  "tests of a JUnit file, junit:/out/FILE (default: by the tests that pytest, unittest, ctest,\n" \
	  "go test, cargo test, GoogleTest and TAP name, sanitizers, panics, exceptions, assertions)") \
	X("from", 0, "POINT", 0, "start main call: marker:", take_search_from, 1, \
	  "Where the policy starts, as --from of 'eremite run' (default: main for native\n" \
	  "images and programs of your own, else start); tries from another point\n" \
	  "than start are made in a living guest") \
	X("preempt", 0, "WHAT", OPTION_TAKES_VALUES, "shared none", take_search_preempt, 1, \
	  "As of 'eremite run'; shared: the first tries list the instructions that touch memory of\n" \
	  "two threads, before which the others switch; none: only kernel calls are decision\n" \
	  "points (default for programs of your own: shared; for installed ones none)") \
	X("races", 0, "sarif:FILE", OPTION_VALUE_OPTIONAL, "sarif:", take_search_races, 1, \
	  "Write the data races as SARIF 2.1.0, too, for editors and CI systems") \
	X("no-races", 0, NULL, 0, NULL, take_search_no_races, 1, \
	  "Report no data races; by default, those between the accesses of the first tries are\n" \
	  "reported, for programs whose points are shared") \
	X("processes", 0, NULL, 0, NULL, take_search_processes, 1, \
	  "Make each try in a process of its own; it finds the same, and is slower") \
	X("check", 0, NULL, 0, NULL, take_search_check, 1, \
	  "Make each try that was made in a guest in a process, too, and compare them; refused if\n" \
	  "no tries are made in guests") \
	X("jobs", 'j', "N", 0, NULL, take_search_jobs, 1, "Run N tries at once (default: the number of processors)") \
	X("results", 0, "FORMAT[:FILE]", 0, "text tap junit json", take_search_results, 1, \
	  "text, tap, junit or json (default: text); with FILE they are written there, and\n" \
	  "the text to standard output") \
	X("resume", 0, "FILE", 0, NULL, take_search_resume, 1, \
	  "Go on where an earlier search was stopped, by its results in JSON") \
	X("state", 0, "FILE", 0, NULL, take_search_state, 1, \
	  "Keep the results in FILE, in JSON, from time to time, and go on by it if it is there: the\n" \
	  "same command begins a search and goes on with it, however it was stopped") \
	X("prepare", 0, "FILE", 0, NULL, take_search_prepare, 1, \
	  "Make only the tries from which the others learn, and keep them in FILE") \
	X("prepared", 0, "FILE", 0, NULL, take_search_prepared, 1, \
	  "Take these tries from FILE, as each of many shards does") \
	X("shards", 0, "N", 0, NULL, take_search_shards, 1, \
	  "Cut the tries into N shards, which many machines make; without --shard, one after the other") \
	X("shard", 0, "K", 0, NULL, take_search_shard, 1, \
	  "Make shard K, from 1 (default: the task of a Slurm array or the pod of an Indexed Job); its\n" \
	  "results are for --merge, and the status is 0 when they are complete") \
	X("rounds", 0, "R", 0, NULL, take_search_rounds, 1, \
	  "Cut the tries of each shard into R rounds, between which the shards learn from each other") \
	X("learnt", 0, "FILE...", 0, NULL, take_search_learnt, 1, \
	  "Make the next round, after that of these files of --results=json:FILE, one of each shard, up to the next\n" \
	  "option or --") \
	X("exit-code", 0, NULL, 0, NULL, take_search_exit_code, 1, "End a shard with the status of its tries") \
	X("merge", 0, "FILE...", OPTION_IS_FOLLOWED, NULL, take_search_merge, 1, \
	  "Report the results of all shards, files of --results=json:FILE; no try is made") \
	X("quiet", 'q', NULL, 0, NULL, take_search_quiet, 1, "Show no progress") \
	X("verbose", 'v', NULL, 0, NULL, take_search_verbose, 1, \
	  "Say how many tries were made in guests, or why none is")

/** tools/analyze/analyze_option.c */
#define ANALYZE_OPTIONS(X) \
	X("schedule", 0, "FILE", 0, NULL, take_analyze_schedule, 1, \
	  "The schedule under which the program fails, of --schedule-out") \
	X("search", 0, "FILE[:N]", 0, NULL, take_analyze_search, 1, \
	  "The N-th way to fail (default: 1) in the JSON results of eremite search, with its\n" \
	  "options and program, but not standard input, and of --fail-on\n" \
	  "only timeout") \
	X("fail-on", 0, "LIST", 0, "exit!=0 signal deadlock timeout stdout= stderr= output race", \
	  take_analyze_fail_on, 1, \
	  "What counts as a failure, as of eremite search\n" \
	  "(default: exit!=0,signal,deadlock)") \
	X("seeds", 0, "N", 0, NULL, take_analyze_seeds, 1, "Seeds of the flip check (default: 20)") \
	X("failing", 0, "FILE", 0, NULL, take_analyze_failing, 1, \
	  "Write the nearest schedule that fails there (default: failing.schedule)") \
	X("passing", 0, "FILE", 0, NULL, take_analyze_passing, 1, \
	  "Write the nearest schedule that does not there (default: passing.schedule)") \
	X("jobs", 'j', "N", 0, NULL, take_analyze_jobs, 1, "Run N tries at once (default: the number of processors)") \
	X("results", 0, "FORMAT[:FILE]", 0, "text json", take_analyze_results, 1, \
	  "text or json (default: text); with FILE they are written there, and the text\n" \
	  "to standard output") \
	X("html", 0, "FILE", 0, NULL, take_analyze_html, 1, "Write the results there as a page for a browser, too") \
	X("quiet", 'q', NULL, 0, NULL, take_analyze_quiet, 1, "Show no progress") \
	X("sched", 0, "POLICY", OPTION_IS_HIDDEN, NULL, take_analyze_sched, 1, "In place of --schedule") \
	X("sched-seed", 0, "N", OPTION_IS_HIDDEN, NULL, take_analyze_sched_seed, 1, "In place of --schedule") \
	X("from", 0, "POINT", OPTION_IS_HIDDEN, NULL, take_analyze_from, 1, "In place of --schedule")

/** tools/profile/profile_option.c */
#define PROFILE_OPTIONS(X) \
	X("by", 0, "WHAT", 0, "calls faults ticks places", take_profile_by, 1, \
	  "What samples are taken by: calls, when a kernel call begins; faults, at a page fault; ticks,\n" \
	  "when virtual time has passed; or places: no samples, but all virtual time is counted by\n" \
	  "function, exactly and without callers. ticks and places imply --clock work (default: calls)") \
	X("every", 0, "N", 0, NULL, take_profile_every, 1, \
	  "Take a sample at every N-th call (default: 1) or fault (default: 1), or every N nanoseconds\n" \
	  "of virtual time (default: 100000)") \
	X("output", 'o', "DIR", 0, NULL, take_profile_output, 1, \
	  "Write the files of the profile to this directory (default: eremite-profile)") \
	X("compare", 0, "A B", OPTION_IS_FOLLOWED, NULL, take_profile_compare, 1, \
	  "Say which functions take other virtual times in B than in A, two profile.json; no program is\n" \
	  "run. The status is 1 if B takes longer") \
	X("quiet", 'q', NULL, 0, NULL, take_profile_quiet, 1, "Do not print the functions that took the most time")

/** images/pack/pack_option.c; --step begins a step, and is taken apart from the others */
#define PACK_OPTIONS(X) \
	X("output", 'o', "FILE", 0, NULL, take_pack_output, 1, "The image to be made") \
	X("include", 0, "PATH", 0, NULL, take_pack_include, 1, \
	  "Put this file or directory of the host into the image, too; repeatable") \
	X("exclude", 0, "PATTERN", 0, NULL, take_pack_exclude, 1, \
	  "Leave the contents of matching files out (glob(7); * matches slashes); repeatable") \
	X("external", 0, "PATTERN", 0, NULL, take_pack_external, 1, \
	  "Leave matching files out, but keep their size and SHA-256; whoever runs the image supplies\n" \
	  "them by --data; repeatable") \
	X("with-recording", 0, "DIR", 0, NULL, take_pack_with_recording, 1, \
	  "Seal a recording of eremite run --record: the run repeats offline. PROGRAM is left out") \
	X("from-oci", 0, "IMAGE[:TAG]", 0, NULL, take_pack_from_oci, 1, \
	  "Seal an image of a container: an OCI layout, or an archive of docker save. ARGs replace\n" \
	  "its command") \
	X("no-run", 0, NULL, 0, NULL, take_pack_no_run, 1, \
	  "Do not run the program: the image has no digest, and only the files of --include or --root") \
	X("check-portable", 0, NULL, 0, NULL, take_pack_check_portable, 1, \
	  "List the instructions in what was packed whose results depend on the processor") \
	X("strict", 0, NULL, 0, NULL, take_pack_strict, 1, "The same, and make no image if there are any") \
	X("compress", 0, NULL, 0, NULL, take_pack_compress, 1, "Compress the image") \
	X("step", 0, "NAME", 0, NULL, NULL, 1, "Begin another step, which sees what earlier ones have saved") \
	X("quiet", 'q', NULL, 0, NULL, take_pack_quiet, 1, "Do not say what is packed") \
	X("verbose", 'v', NULL, 0, NULL, take_pack_verbose, 1, "Say all packages and directories, not only the largest")

#endif
