/* SPDX-License-Identifier: MIT */
/* One run of one image: everything from its inputs to how it ended. */
#ifndef HYPERVISOR_RUN_H
#define HYPERVISOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/doorbell.h"
#include "abi/sched_shared.h"
#include "abi/stats.h"
#include "engine/engine.h"
#include "base/digest.h"
#include "guest/image.h"
#include "guest/linux_view.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_files.h"
#include "net/net.h"
#include "race/race_log.h"
#include "root/root.h"
#include "run/streams/console.h"
#include "run/event_log.h"
#include "run/streams/input.h"
#include "run/observer.h"
#include "run/progress.h"
#include "run/run_tries.h"
#include "run/streams/terminal.h"
#include "run/thread_reports.h"
#include "save/changes.h"
#include "save/save_plan.h"
#include "scan/disassembler.h"
#include "sched/sched_option.h"
#include "strace/strace.h"

struct core_out;
struct debug;
struct run_result;
struct schedule;

/** What the monitor has seen in a loop that makes no progress. */
enum stall_contents {
	STALL_FILE = 1,   /**< code of a file */
	STALL_MADE = 2,   /**< code made at run time, which has no points of --preempt */
	STALL_ATOMIC = 4, /**< in code of a file: atomic instructions */
	STALL_STORE = 8,  /**< stores that --preempt sites may draw */
	STALL_LOAD = 16,  /**< loads that --preempt accesses may draw */
};

/** A guest that makes no progress. */
struct run_stall {
	enum progress_verdict verdict;     /**< not PROGRESS_GOES_ON */
	const struct linux_others *others; /**< what the other threads of a Linux program do, otherwise NULL */
	struct fault_report place;         /**< the guest's position */
	unsigned contents;                 /**< of the loop, enum stall_contents; 0: unknown */
};

#define KEPT_MAX 32

/** What a Linux program's unimplemented system calls do. */
enum unknown_calls {
	UNKNOWN_PROBE,  /**< calls that programs probe (LINUX_PROBED_LIST) fail with ENOSYS, others end the run */
	UNKNOWN_STOP,   /**< all end the run */
	UNKNOWN_ENOSYS, /**< all fail with ENOSYS */
	UNKNOWN_KINDS
};

/** The sealed image from which a run is made. */
struct run_sealed {
	const char *identity; /**< of the image, in hexadecimal digits */
	const char *step;
	char *const *overrides; /**< options that were given and replace the image's, or add to them */
	unsigned override_count;
	bool other_arguments; /**< arguments that were given replace the image's */
};

/** A noted access at which the run is to stop for a moment. */
struct note_look {
	uint64_t number;
	uint64_t object; /**< address of its operand */
};

/** The configuration of a run; strings belong to the caller. */
struct run_config {
	const char *image;
	int image_file;                     /**< the image, open for reading; 0: it is opened by its name */
	uint64_t image_offset, image_bytes; /**< the part of image_file that is the image; bytes 0: all of it */
	uint64_t image_symbols_offset,
		image_symbols_bytes; /**< the part of it with the image's symbols; bytes 0: none */
	const char *program;         /**< the image, or the Linux program, as it was named */
	char **arguments;            /**< argv of the guest; the first is `program` or the name of --argv0 */
	unsigned argument_count;
	char **environment;
	unsigned environment_count;
	uint64_t seed;
	uint64_t layout_seed; /**< with has_layout_seed: decides a Linux program's memory layout in place of `seed` */
	bool has_layout_seed;
	int64_t epoch_ns;
	uint64_t uptime_s; /**< seconds since the boot, at the start */
	uint64_t memory_bytes;
	struct engine_cpu cpu;
	const struct run_sealed *sealed;       /**< NULL: the run is not made from an image */
	const struct code_sealed *code_sealed; /**< with `sealed`: what its programs are patched by; or NULL */
	struct code_sealed *code_noted;        /**< takes what programs are patched by; or NULL */
	struct recording *recording;           /**< --record: where to record; or NULL */
	struct replay *replay;                 /**< --replay: what to replay; or NULL */
	uint64_t replay_stop;         /**< where the recording was cut off: replay_last_mark(); 0: it does not say */
	struct boot_faults faults;    /**< --net-fault */
	struct boot_user user;        /**< of a Linux program */
	bool has_user;                /**< it was given: --user */
	const struct net_config *net; /**< the network outside; NULL: none */
	bool tty;
	uint16_t tty_rows, tty_columns; /**< with tty: its size */
	const char *tty_term;           /**< with tty: TERM, or NULL */
	const char *out_dir;            /**< host directory for /out, or NULL */
	double timeout_s;               /**< wall-clock limit, 0: none */
	bool want_digest;
	int copies[3];       /**< [1], [2]: files that receive what the program writes, too; 0: none */
	uint64_t copies_max; /**< bytes that each of them receives at most; what follows is only hashed and counted */
	bool discard_output; /**< do not show the output: second run of --verify, or eremite verify */
	const struct root *root;
	bool linux_program;                /**< the image runs a Linux program, which can see files of the host */
	bool show_host;                    /**< show all of the host's files at / */
	struct host_files *host_files;     /**< the opened files that are shown; NULL: none */
	uint64_t memory_low, memory_high;  /**< guest-physical memory that it will probably use; 0: unknown */
	struct host_ahead *host_ahead;     /**< with host_files: the requests that are expected, opened */
	const char *file_times;            /**< value of --file-times; a default is complete */
	bool host_file_times;              /**< the guest sees the host's modification times */
	bool bytecode_file_times;          /**< Python sources have the time in their bytecode */
	bool content_file_times;           /**< those without bytecode have a time by their contents */
	int64_t file_time_ns;              /**< the time of all other files, since 1970 */
	const char *workdir;               /**< of a Linux program: an absolute path, or NULL: / */
	enum unknown_calls unknown_calls;  /**< what its unimplemented system calls do */
	struct input *input;               /**< standard input; NULL: the host's */
	const struct event_log *event_log; /**< to record or to compare with; may be NULL */
	struct sched_config sched;
	const struct tries_channel *tries; /**< the guest makes tries for this process; NULL: one run */
	const struct schedule *schedule;   /**< to replay, or NULL */
	const char *schedule_name;         /**< name of the schedule's file */
	FILE *schedule_out;                /**< destination of the schedule, or NULL; the caller closes it */
	struct shared_notes *shared_notes; /**< with SCHED_FLAG_NOTE: takes the noted accesses (shared_notes.h) */
	struct strace *strace;             /**< takes the kernel calls of a Linux program (--strace); or NULL */
	int trace_dir;                     /**< directory of --trace, to which files are added; 0: none */
	struct debug *debug;               /**< the debugger of a Linux program (debug/debug.h); or NULL */
	struct race_log *race_log; /**< takes the races that the program's library tells (race_log.h); or NULL */
	uint64_t notes_max; /**< RUN_STOPPED after so many of them, not exactly; one while the program has a single
	                     * thread counts as a quarter; 0: no limit */
	/** Accesses before which observer.access is called, in ascending order of their numbers, which count all notes
	 * of the run from 1. RUN_STOPPED after the last one. */
	const struct note_look *note_looks;
	size_t note_look_count;
	struct observer observer;
	struct save_plan *save_plan; /**< with changes to be saved: the plan for saving them */
	struct out_copy *out_copy;   /**< a file of /out that is kept in memory, too; or NULL */
	struct core_out *core;       /**< takes a core file if the run fails; NULL: not wanted */
	struct changes *changes;     /**< receives the changes of the program; NULL: not wanted */
	int kept[KEPT_MAX];          /**< descriptors of the caller that stay open when the monitor is confined */
	unsigned kept_count;
};

/** Keeps a descriptor open when the monitor is confined; none if it is negative. */
static inline void run_config_keep(struct run_config *config, int fd)
{
	if (fd >= 0)
		config->kept[config->kept_count++] = fd;
}

/** How a run ended. */
enum run_end {
	RUN_EXIT,   /**< status is the guest's */
	RUN_SIGNAL, /**< died of a signal */
	RUN_DEADLOCK,
	RUN_TIMEOUT,
	RUN_ERROR,       /**< an error of eremite, the host or the image: `message` */
	RUN_DIFFER,      /**< --verify found a difference */
	RUN_INTERRUPTED, /**< the user stopped eremite by a signal: `status` */
	RUN_STOPPED,     /**< stopped where run_config.event_log or .notes_max asks for it */
	RUN_SCHEDULE,    /**< run_config.schedule does not fit the program: `message` */
	RUN_REPLAYED,    /**< the replay reached the place where the recorded run was stopped */
};

/** Parts of the run digest, all SHA-256. */
struct run_digest {
	uint8_t memory[DIGEST_BYTES];
	uint8_t streams[3][DIGEST_BYTES]; /**< [1] stdout, [2] stderr */
	uint8_t out[DIGEST_BYTES];        /**< paths, modes and contents below /out */
	uint8_t files[DIGEST_BYTES];      /**< with host files: paths, sizes and contents of the files that were read */
	uint8_t all[DIGEST_BYTES];        /**< the run digest */
};

struct run_result {
	uint64_t listed_files, unused_files; /**< files in the list of --preempt, and those that the guest did not map
	                                      * executable */
	struct network_address
		forbidden[STATS_OUTSIDE]; /**< addresses that the rules of --net forbade; the rest is 0 */
	struct net_misses misses;         /**< what --replay-miss=passthrough sent to the network */
	enum run_end end;
	int status;         /**< exit status or signal number */
	bool not_started;   /**< RUN_EXIT because the guest does not find the program, or cannot execute it */
	const char *engine; /**< name of the engine; not part of the digest */
	unsigned contract;  /**< version of the contract that the kernel and its requests need; 0: it made none */
	bool reader_gone;   /**< RUN_ERROR because nobody reads the output any more (EPIPE) */
	char message[400];
	char warning[320]; /**< a line about objects missing in the host directory for /out; empty: none is missing */
	bool has_report;   /**< `report` belongs to the end and is to be shown */
	struct fault_report report;
	struct thread_reports threads; /**< threads of a deadlock; valid only while observer.fault is called */
	struct run_stats stats;
	struct sched_shared sched;                       /**< as the guest left it, unchecked */
	struct sched_account *accounts;                  /**< with SCHED_FLAG_ACCOUNT; checked; the caller frees it */
	struct sched_account_process *account_processes; /**< of each account, at the same index; the caller frees it */
	unsigned account_count;
	struct sched_access *accesses; /**< with SCHED_FLAG_ACCESSES; the caller frees it */
	unsigned access_count;
	uint64_t *pairs; /**< with SCHED_FLAG_READS: reads-from pairs, unchecked; the caller frees it */
	unsigned pair_count;
	uint64_t signature;                   /**< of all its pairs; unchecked */
	uint64_t several_first, several_last; /**< decisions between which several threads were alive; unchecked */
	bool without_accounts;                /**< the run was stopped where the accounts could not be closed */
	struct event_state events;            /**< with an event log; as the guest left it, unchecked */
	uint64_t exits[DOORBELL_COUNTERS];    /**< by enum doorbell_counter */
	struct run_digest digest;             /**< when asked for */
	struct console_sum copied[3];         /**< of the streams that run_config.copies receive */
	struct terminal_record typed;         /**< with tty */
	uint64_t wall_ns;
	uint64_t setup_ns, guest_ns, teardown_ns; /**< parts of wall_ns */
};

/** Runs an image. Reports every failure in result->end. Prints nothing but the guest's own output. */
void run_image(const struct run_config *config, const struct engine_ops *ops, struct run_result *result);

#endif
