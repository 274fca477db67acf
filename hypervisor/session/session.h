/* SPDX-License-Identifier: MIT */
/* A run as a value: what is run, on which inputs, and how. */
#ifndef HYPERVISOR_SESSION_H
#define HYPERVISOR_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/save.h"
#include "hostfs/tree/binds.h"
#include "run/run.h"
#include "session/sealed_run.h"
#include "session/session_given.h"

struct session_opened;
struct verify_sealed;

/** The files of a recording to which --replay-miss=record-new adds: they replace the old ones when the run has ended.
 */
struct record_grown {
	struct save log, capture;
	int lock; /**< descriptor of the directory: one run at a time adds to it; 0: not opened */
};

#define DEFAULT_MEMORY (4UL << 30)                  /* for node, compilers and databases; the host gives what is used */
#define DEFAULT_EPOCH_NS (946684800L * 1000000000L) /* 2000-01-01T00:00:00Z */
#define DEFAULT_CPU_LINUX CPU_V3                    /* of Linux programs */
#define DEFAULT_CPUS 1                              /* as most containers are tested with */
#define DEFAULT_SEED 0                              /* of --seed */
#define DEFAULT_SCHED_SEED 0                        /* of --sched-seed */
#define DEFAULT_FAULT_SEED 0                        /* of --net-fault */
#define DEFAULT_NET_JUMPS false                     /* --net-time=wall */
#define DEFAULT_UNKNOWN_CALLS UNKNOWN_PROBE
#define SESSION_KEYLOG "tls-keylog" /* in /out: what --tls-keylog has programs write */
#define LAYOUT_FROM_SEED "seed"     /* --layout-seed: the default, the draw of --seed */

enum summary_format { SUMMARY_NONE, SUMMARY_TEXT, SUMMARY_JSON };

/** A run, set to defaults by session_init. Strings belong to the caller. */
struct session {
	struct run_config run; /**< without the opened root */
	const char *root_path;
	const struct engine_ops *engine; /**< --engine; NULL: the best one of this host */
	char *argv0;                     /**< --argv0, or NULL */
	enum summary_format summary;
	const char *summary_file; /**< NULL: stderr */
	struct net_config net;    /**< --net, --publish, --net-time */
	struct record_given given;
	bool workdir_given;      /**< --workdir */
	bool file_times_given;   /**< --file-times */
	bool clock_given;        /**< --clock */
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
	bool verify;                 /**< make two runs and compare them */
	bool jitter;                 /**< for tests (jitter.h) */
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
	const char *events_out;    /**< --events-out, or NULL */
	uint64_t events_from;      /**< --events-from, the first event of --events-out; 0: not given */
	const char *events_path;   /**< --events, or NULL */
	const char *core_path;     /**< --core, or NULL */
	struct strace *strace;     /**< --strace, or NULL; run.strace when its output is open */
	const char *trace_path;    /**< --trace, or NULL */
	struct sealed_run *sealed; /**< IMAGE is a sealed image; or NULL */
	bool strict_files;         /**< --strict-files */
	const char *step;          /**< --step, or NULL */
	const char *data;          /**< --data, or NULL */
	const char *save_path;     /**< --save's directory, or NULL */
	int verbosity;             /**< -1 quiet, 0 normal, 1 verbose */
	/* What a caller of the library sets, and no option: */
	bool is_quiet_about_program; /**< do not say that the user's own PATH has another program of that name */
	bool wants_identity;         /**< of the root */
	bool leaves_recording;       /**< do not complete the recording, nor compare with it */
	int changes_spool;           /**< an unnamed file that takes the contents of all changes; 0: none */
	const struct verify_sealed *sealed_events; /**< compare the events of the run with these; or NULL */
	struct session_opened *opened;             /**< the session's own */
};

/** Sets the defaults. */
void session_init(struct session *session);

/**
 * Opens all that the run reads and writes. What a program may not have ends eremite with one line. Returns 0, or the
 * exit status of eremite if the program cannot run on this host, which is then said.
 */
int session_open(struct session *session);

/** Chooses the best engine of this host, if none was given. */
void session_choose_engine(struct session *session);

/** Chooses the engine, confines this process and begins the recording. Not called for a run that is not made. */
void session_start(struct session *session);

/** Makes the run, or with `verify` two; then --record is complete, and --replay compared. */
void session_run(struct session *session, struct run_result *result);

/** Saves the changes of the program, and puts what it was asked to write into place. */
void session_keep(struct session *session, struct run_result *result);

/** Closes all. */
void session_close(struct session *session, const struct run_result *result);

/** The changes of the program. */
const struct changes *session_changes(const struct session *session);

/** Opens the file of the summary, which session_open does, too, unless it refuses the program. */
void session_open_summary(struct session *session);

/** The summary's file, or NULL: standard error. */
FILE *session_summary(const struct session *session);

/** Puts the summary into place, or gives it up after the error `error`. Returns 0 or a negative errno. */
int session_put_summary(struct session *session, int error);

/** The exit status of eremite for a result. */
int session_status(const struct run_result *result);

#endif
