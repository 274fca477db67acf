/* SPDX-License-Identifier: MIT */
/* The command line of `eremite search`. */
#ifndef HYPERVISOR_SEARCH_OPTION_H
#define HYPERVISOR_SEARCH_OPTION_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "cmdline/results_format.h"
#include "cmdline/shard_option.h"
#include "search/search_feedback.h"
#include "search/search_vary.h"

#define SEARCH_POLICIES_MAX SEARCH_MEMBERS_MAX
#define SEARCH_TIMEOUT_S 60U /* of a try without --timeout */

struct search_pairs;
struct search_points;
struct search_profile;
struct search_text;

/** What counts as a failure. */
struct search_failures {
	bool exit_other; /**< an exit status other than 0 */
	bool signal, deadlock, timeout;
	bool race;   /**< a race that is certain, whether a try fails or not */
	bool output; /**< standard output other than that of the first try, which is under fifo */
	bool has_regex[3];
	regex_t regex[3]; /**< [1] of standard output, [2] of standard error */
};

/** What tells failures apart, besides how they end; nothing: what search_said.h recognises. */
struct search_fail_by {
	bool has_regex; /**< its matches in the output */
	regex_t regex;
	const char *junit; /**< the failed tests in a file of the guest, a path in /out; or NULL */
};

/** Most rounds of a search. */
#define SEARCH_ROUNDS_MAX 1000U

/** What --learnt was given: the results of a shard. */
struct search_learnt {
	const char *name;
	char *text; /**< what it has, of so many bytes; NULL: it is a file with this name */
	size_t bytes;
};

struct search_option {
	uint64_t runs;         /**< limit of tries */
	uint64_t max_failures; /**< the search ends when so many tries have failed; 0: no limit */
	double time_s;         /**< the search stops then; 0: no limit */
	const char *stop_file; /**< the search stops when it is there; or NULL */
	uint64_t seed;
	unsigned jobs;
	char *policies[SEARCH_POLICIES_MAX]; /**< values of --sched, in turn */
	unsigned policy_count;
	const char *from;      /**< --from of each try, but of the first only if it makes a profile: "start", "main" */
	bool uses_processes;   /**< --processes: each try is a process of its own, not a try in a guest */
	bool checks;           /**< --check: each try in a guest is made as a process, too */
	const char *why_not;   /**< why no tries are made in guests; NULL: they are */
	unsigned points_tries; /**< the first tries, which list the points of the others; 0: the options give the points
	                        */
	unsigned profile_tries; /**< the tries after these, which make a profile; 0: no policy needs one */
	bool moves_memory;      /**< objects have other addresses in each try, because of an input that varies */
	bool first_is_plain;    /**< the first try has no points in the program's code: with them, it takes too long */
	const struct search_profile *profile; /**< which the search makes; NULL: none */
	const struct search_points *points;   /**< which the search makes; NULL: none */
	bool tries_pairs;                     /**< races are tried in both orders: with `feedback` */
	const struct search_pairs *pairs;     /**< which the search makes; NULL: none */
	bool wants_feedback; /**< a policy of the list is `feedback`, and places have one address in all tries */
	struct search_feedback *feedback;  /**< which plans the tries after these; NULL: policies take turns */
	struct search_fail_by fail_by;     /**< --fail-by */
	const struct search_text *passing; /**< what the first try that passed has written; NULL, or no text: none */
	struct search_failures failures;
	bool has_failures; /**< --fail-on is given */
	char **fail_on;    /**< what --fail-on was given */
	int fail_on_count;
	char *resume;   /**< --resume, or the file of --state if it is there; else NULL */
	char *state;    /**< --state: where the results are kept from time to time; NULL: nowhere */
	char *prepare;  /**< --prepare: the file for the first tries; NULL: none */
	char *prepared; /**< --prepared: a file that --prepare has made; NULL: none */
	struct shard_option shard;
	uint64_t all_runs; /**< of a shard: the tries of the whole search; `runs` are its own, up to the end of its
	                      round */
	unsigned rounds;   /**< --rounds; 0: shards do not learn from each other */
	unsigned round;    /**< which one this is, from 1; 0: not known yet, or without --rounds */
	struct search_learnt *learnt; /**< --learnt */
	int learnt_count;
	bool begins_round; /**< `resume` is of this shard in the round before */
	bool merges;       /**< --merge: program[] are the results of shards */
	const char
		*given; /**< of merged results: what search_results_line returns; NULL: it is made from the options */
	enum results_format format;
	bool has_results;       /**< --results is given */
	char *results_file;     /**< NULL: standard output */
	const char *sarif_file; /**< --races=sarif:FILE, or NULL */
	bool is_quiet, is_verbose;
	bool has_no_points;  /**< --preempt=none */
	bool has_atomics;    /**< --preempt=atomics is among the options of the runs */
	bool finds_races;    /**< in the tries that list points: not with --no-races */
	bool has_few_points; /**< threads of a Linux program switch at kernel calls alone */
	bool has_timeout;    /**< --timeout is among the options of the runs */
	double timeout_s;    /**< its value, or the default */
	unsigned vary;       /**< the inputs that differ from try to try: bits 1 << enum search_input */
	char **run;          /**< options of `eremite run` */
	int run_count;
	char **program; /**< the program and its arguments */
	int program_count;
	char program_sha256[2 * DIGEST_BYTES + 1]; /**< of its files (search_program.h); empty: not computed */
};

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. */
void search_option_parse(struct search_option *option, int argc, char **argv);

/** Whether it is a program of Linux that somebody has compiled to look for its bugs: it has the symbol main, which
 * installed programs lack, or it is not where these are. */
bool search_option_is_own(const struct search_option *option);

/** Whether a policy of the list is `feedback`, perhaps with parameters. */
bool search_option_has_feedback(const char *policy);

/** Adds the failures of a value of --fail-on, which it changes and keeps. Ends eremite if the value is wrong. */
void search_option_fail_on(const char *verb, struct search_failures *failures, char *list);

/** Whether the program is a native image. */
bool search_option_is_native(const struct search_option *option);

#endif
