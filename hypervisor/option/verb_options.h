/* SPDX-License-Identifier: MIT */
/* The options of the verbs that read images and other files. */
#ifndef HYPERVISOR_VERB_OPTIONS_H
#define HYPERVISOR_VERB_OPTIONS_H

/* X(name, letter, argument, traits, values, function that takes it, group of --help, help): of each list, the functions
 * are in the file that is named. */

/** images/verify/verify_option.c */
#define VERIFY_OPTIONS(X) \
	X("runs", 'n', "N", 0, NULL, take_verify_runs, 1, "Repeat each image N times (default: 1)") \
	X("jobs", 'j', "N", 0, NULL, take_verify_jobs, 1, \
	  "Verify N images at once (default: the number of processors)") \
	X("engine", 'e', "auto|kvm|process", 0, "auto kvm process", take_verify_engine, 1, \
	  "The engine of the runs (default: auto)") \
	X("data", 'D', "DIR", 0, NULL, take_verify_data, 1, \
	  "Directory with the files that images need and do not contain (pack --external)") \
	X("keep", 'k', "DIR", 0, NULL, take_verify_keep, 1, \
	  "Write outputs that differ to DIR/IMAGE/STEP/expected and DIR/IMAGE/STEP/actual") \
	X("results", 'r', "text|tap|junit|json[:FILE]", 0, "text tap junit json", take_verify_results, 1, \
	  "How to report the results (default: text); with FILE they are written there, and the text to standard " \
	  "output") \
	X("timeout", 't', "SECONDS", 0, NULL, take_verify_timeout, 1, \
	  "Stop a run after this time, and end with status 121; 0: never (default: 10 times what the packed run " \
	  "took, and at least 10 minutes)") \
	X("identity", 'i', "HASH", 0, NULL, take_verify_identity, 1, \
	  "Fail unless the image has this identity, such as a paper gives it") \
	X("signed-by", 's', "KEYS", 0, NULL, take_verify_signed_by, 1, \
	  "Fail unless FILE.eri.sig is a signature of the image by a key in KEYS, a list of allowed signers " \
	  "(ssh-keygen(1)); see eremite sign") \
	X("shards", 0, "N", 0, NULL, take_verify_shards, 1, "Cut the images into N parts, which many machines verify") \
	X("shard", 0, "K", 0, NULL, take_verify_shard, 1, \
	  "Verify part K, from 1 (default: the task of a Slurm array or the pod of an Indexed Job); its results are " \
	  "for --merge, and the status is 0 when they are complete") \
	X("exit-code", 0, NULL, 0, NULL, take_verify_exit_code, 1, "End a part with the status that its images have") \
	X("merge", 0, NULL, 0, NULL, take_verify_merge, 1, \
	  "Report the results of all parts, files of --results=json:FILE") \
	X("verbose", 'v', NULL, 0, NULL, take_verify_verbose, 1, "Also report what was checked, and each step") \
	X("quiet", 'q', NULL, 0, NULL, take_verify_quiet, 1, \
	  "Do not report images that pass, if their kernel is one of Eremite's")

/** cli/cmd_info.c */
#define INFO_OPTIONS(X) \
	X("preempt", 'p', "WHAT", 0, "atomics own: sites: accesses: shared: at:", take_info_preempt, 1, \
	  "Also list the decision points that 'run --preempt' adds; repeatable") \
	X("atomics", 'a', NULL, 0, NULL, take_info_atomics, 1, "The same as --preempt=atomics") \
	X("ticks", 0, NULL, 0, NULL, take_info_ticks, 1, \
	  "Only print how many loops and functions of the file count time with 'run --clock work', how many " \
	  "cannot, and why") \
	X("portable", 0, NULL, 0, NULL, take_info_portable, 1, \
	  "Only list the instructions whose results depend on the processor, with their functions, how many there " \
	  "are, and the extensions beyond x86-64-v2 that the file uses") \
	X("json", 0, NULL, 0, NULL, take_info_json, 1, "Print a sealed image (*.eri) as JSON") \
	X("cost", 0, NULL, 0, NULL, take_info_cost, 1, \
	  "Before options of 'eremite search' and PROGRAM [ARG...]: run the program some times, and print the memory " \
	  "and " \
	  "the start time of one try and of one worker; --json may follow it") \
	X("syscalls", 's', NULL, 0, NULL, take_info_syscalls, 1, \
	  "Without FILE: print how each system call of a Linux program is handled") \
	X("host", 'H', NULL, 0, NULL, take_info_host, 1, \
	  "Without FILE: print which engines, processor models and confinements this host offers, and how to get the " \
	  "missing ones; exit with status 125 if no engine can be used")

/** cli/cmd_sign.c */
#define SIGN_OPTIONS(X) \
	X("key", 'k', "FILE", 0, NULL, take_sign_key, 1, \
	  "The private key, as ssh-keygen made it; or the public one, if ssh-agent has the private one")

/** cli/cmd_provenance.c */
#define PROVENANCE_OPTIONS(X) \
	X("output", 'o', "DIR", 0, NULL, take_provenance_output, 1, \
	  "Write a crate, with the outputs of the image, into this new or empty directory") \
	X("agent", 'a', "NAME", 0, NULL, take_provenance_agent, 1, "Who ran the program")

/** cli/cmd_diff.c */
#define DIFF_OPTIONS(X) \
	X("verbose", 'v', NULL, 0, NULL, take_diff_verbose, 1, "Also list the files of packages that differ")

#endif
