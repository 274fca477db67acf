/* SPDX-License-Identifier: MIT */
/* The command line of `eremite run`. */
#ifndef HYPERVISOR_OPTIONS_H
#define HYPERVISOR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/record_option.h"
#include "cli/image/sealed_run.h"
#include "hostfs/binds.h"
#include "run/run.h"

#define DEFAULT_MEMORY (4UL << 30)                  /* for node, compilers and databases; the host gives what is used */
#define DEFAULT_EPOCH_NS (946684800L * 1000000000L) /* 2000-01-01T00:00:00Z */
/* 1990-01-01T00:00:00Z: before the epoch, so that make(1) finds files older than what it makes, and after 1980, because
 * ZIP archives can name no year before. Many programs take 0 for no time. */
#define DEFAULT_FILE_TIME_NS (631152000L * 1000000000L)

#define DEFAULT_CPU_LINUX CPU_V3 /* of Linux programs */
#define LAYOUT_FROM_SEED "seed"  /* --layout-seed: the default, the draw of --seed */

enum summary_format { SUMMARY_NONE, SUMMARY_TEXT, SUMMARY_JSON };

struct options {
	struct run_config run; /**< without the opened root */
	const char *root_path;
	const struct engine_ops *engine; /**< --engine; NULL: the best one of this host */
	char *argv0;                     /**< --argv0, or NULL */
	enum summary_format summary;
	const char *summary_file; /**< NULL: stderr */
	struct net_config net;    /**< --net, --publish, --net-time */
	struct record_given given;
	bool workdir_given;      /**< --workdir */
	const char *record_path; /**< --record, or NULL */
	char **redact;           /**< --redact: expressions */
	unsigned redact_count;
	bool tls_keylog;             /**< --tls-keylog */
	const char *replay_path;     /**< --replay, or NULL */
	const char *replay_net_path; /**< --replay-net, or NULL */
	bool live_input;             /**< --stdin=live */
	bool line_input;             /**< --stdin=lines */
	bool miss_given;             /**< --replay-miss */
	bool adds_misses;            /**< --replay-miss=record-new */
	struct record_grown grown;   /**< with adds_misses */
	struct recording *added;     /**< with adds_misses: the recording with what is added */
	bool seed_given;             /**< --seed */
	bool epoch_given;            /**< --epoch */
	bool epoch_taken;            /**< the epoch is taken from the host: --epoch now, source-date */
	bool no_env;                 /**< --no-env */
	bool verify;
	bool jitter; /**< for tests (jitter.h) */
	uint64_t jitter_seed;
	bool no_fsgsbase;          /**< for tests (engine/process/bases.h) */
	bool no_confine;           /**< --no-confine */
	bool cpu_given;            /**< --cpu */
	bool sched_given;          /**< --sched */
	bool sched_seed_given;     /**< --sched-seed */
	const char *schedule_path; /**< --schedule, or NULL */
	const char *schedule_near; /**< --schedule-near, or NULL */
	const char *schedule_out;  /**< --schedule-out, or NULL */
	const char *shared_out;    /**< --shared-out, or NULL */
	struct binds binds;        /**< --bind */
	const char *files_out;     /**< --files-out, or NULL */
	struct sealed_run *sealed; /**< IMAGE is a sealed image; or NULL */
	bool strict_files;         /**< --strict-files */
	const char *step;          /**< --step, or NULL */
	const char *data;          /**< --data, or NULL */
	const char *save_path;     /**< --save's directory, or NULL */
	int verbosity;             /**< -1 quiet, 0 normal, 1 verbose */
};

/**
 * Parses argv of the verb (argv[0] is the name to show). On an error it prints a message and exits with EXIT_EREMITE;
 * --help exits with 0. Its allocations live as long as the process.
 */
void options_parse(struct options *options, int argc, char **argv);

#endif
