/* SPDX-License-Identifier: MIT */
/* One run of one image: everything from its inputs to how it ended. */
#ifndef HYPERVISOR_RUN_H
#define HYPERVISOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/doorbell.h"
#include "abi/stats.h"
#include "engine/engine.h"
#include "guest/digest.h"
#include "guest/image.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_files.h"
#include "root/root.h"
#include "run/event_log.h"
#include "run/input.h"
#include "run/progress.h"
#include "run/thread_reports.h"
#include "save/changes.h"
#include "save/save_plan.h"
#include "sched/sched_option.h"
#include "sched/schedule.h"

struct run_result;

#define KEPT_MAX 6
/** What becomes of a Linux program's unknown system calls. */
enum unknown_calls {
	UNKNOWN_PROBE,  /**< those that programs try (LINUX_PROBED_LIST) fail with ENOSYS, others end the run */
	UNKNOWN_STOP,   /**< all end the run */
	UNKNOWN_ENOSYS, /**< all fail with ENOSYS */
	UNKNOWN_KINDS
};

/** What the user asked for; strings belong to the caller. */
struct run_config {
	const char *image;
	const char *program; /**< the image, or the Linux program, as it was named */
	char **arguments;    /**< argv of the guest, which begins with that name or that of --argv0 */
	unsigned argument_count;
	char **environment;
	unsigned environment_count;
	uint64_t seed;
	int64_t epoch_ns;
	uint64_t memory_bytes;
	struct engine_cpu cpu;
	bool tty;
	const char *out_dir; /**< where /out goes, or NULL */
	double timeout_s;    /**< wall-clock limit, 0: none */
	bool want_digest;
	bool discard_output; /**< second run of --verify */
	const struct root *root;
	bool linux_program;                /**< the image runs a Linux program, so that it can see files of the host */
	bool show_host;                    /**< all of the host's files are to be shown, at / */
	struct host_files *host_files;     /**< what is shown, opened; NULL: nothing */
	uint64_t memory_low, memory_high;  /**< guest-physical memory that it will use, perhaps; 0: not known */
	struct host_ahead *host_ahead;     /**< with host_files: what is expected to be asked for, opened */
	const char *file_times;            /**< which times they have, as it was given; NULL: as with bytecode */
	bool host_file_times;              /**< those that they have on the host */
	int64_t file_time_ns;              /**< else all this one, since 1970 */
	const char *workdir;               /**< of a Linux program: an absolute path, or NULL: / */
	enum unknown_calls unknown_calls;  /**< what becomes of its unknown system calls */
	struct input *input;               /**< standard input; NULL: the host's */
	const struct event_log *event_log; /**< to record or to compare with; may be NULL */
	struct sched_config sched;
	const struct schedule *schedule; /**< to replay, or NULL */
	const char *schedule_name;       /**< of its file */
	FILE *schedule_out;              /**< where the schedule goes, or NULL; for the caller to close */
	/** Called when there are reports, while guest memory is still there and the image open; may be NULL. */
	void (*report)(void *context, const struct run_result *result, const struct guest_memory *memory,
	               const struct image *image);
	/**
	 * Called once, when the guest makes no progress for PROGRESS_STALL_S seconds; it goes on afterwards. `place`
	 * says where it is. May be NULL.
	 */
	void (*stalled)(void *context, enum progress_verdict verdict, const struct fault_report *place,
	                const struct guest_memory *memory, const struct image *image);
	void *report_context;
	struct save_plan *save_plan; /**< with changes that are to be saved: how that is to be done */
	struct changes *changes;     /**< what the program has changed is to be told here; NULL: nobody wants it */
	int kept[KEPT_MAX]; /**< descriptors of the caller, which are not closed when the monitor is confined */
	unsigned kept_count;
};

/** How a run ended. */
enum run_end {
	RUN_EXIT,   /**< status is the guest's */
	RUN_SIGNAL, /**< died of a signal */
	RUN_DEADLOCK,
	RUN_TIMEOUT,
	RUN_ERROR,       /**< eremite's, the host's or the image's fault: `message` */
	RUN_DIFFER,      /**< --verify found a difference */
	RUN_INTERRUPTED, /**< the user stopped eremite by a signal: `status` */
	RUN_STOPPED,     /**< where run_config.event_log wants it */
	RUN_SCHEDULE,    /**< run_config.schedule does not fit the program: `message` */
	RUN_REPLAYED,    /**< run_config.schedule was followed to where the run that wrote it was stopped */
};

/** Doorbells by operation and other exits. */
struct run_exits {
	uint64_t console_full, stdin_read, out, schedule, host_files, end, other;
};

/** Parts of the run digest, all SHA-256. */
struct run_digest {
	uint8_t memory[DIGEST_BYTES];
	uint8_t streams[3][DIGEST_BYTES]; /**< [1] stdout, [2] stderr */
	uint8_t out[DIGEST_BYTES];        /**< paths, modes and contents below /out */
	uint8_t files[DIGEST_BYTES];      /**< with host files: paths, sizes and contents of those that were read */
	uint8_t all[DIGEST_BYTES];        /**< the run digest */
};

struct run_result {
	enum run_end end;
	int status;         /**< exit status or signal number */
	const char *engine; /**< that carried the guest; no part of the digest */
	bool reader_gone;   /**< RUN_ERROR because nobody reads the output any more, as SIGPIPE ends programs */
	char message[400];
	char warning[320]; /**< a line about what the host's directory for /out lacks; empty when it lacks nothing */
	bool has_report;   /**< to be shown: it belongs to the end */
	struct fault_report report;
	struct thread_reports threads; /**< of a deadlock; only while run_config.report is called */
	struct run_stats stats;
	struct sched_shared sched;      /**< as the guest left it, unchecked */
	struct sched_account *accounts; /**< with SCHED_FLAG_ACCOUNT; checked, for the caller to free */
	unsigned account_count;
	bool without_accounts;     /**< the run was cut short where they could not be closed */
	struct event_state events; /**< with an event log; as the guest left it, unchecked */
	struct run_exits exits;
	struct run_digest digest; /**< when asked for */
	uint64_t wall_ns;
	uint64_t setup_ns, guest_ns, teardown_ns; /**< parts of wall_ns */
};

/** Runs; never fails in another way than by result->end. Says nothing to the user but the guest's own output. */
void run_image(const struct run_config *config, const struct engine_ops *ops, struct run_result *result);

#endif
