/* SPDX-License-Identifier: MIT */
/* Answers requests for the host's files (abi/host_file.h) ahead of time. A second thread prepares the answers while the
 * guest runs, in the order in which an earlier run of the same program asked. To a program that walks through a tree of
 * directories (host_walk.h), or looks at its files in order (host_lookups.h), each request is answered together with
 * the ones that follow. Prepared answers change nothing but wall time: those that the guest does not take are undone
 * completely. */
#ifndef HYPERVISOR_HOST_AHEAD_H
#define HYPERVISOR_HOST_AHEAD_H

#include <pthread.h>

#include "guest/guest_memory.h"
#include "hostfs/host_asked.h"
#include "hostfs/host_files.h"
#include "hostfs/host_lookups.h"
#include "hostfs/scout/host_scout.h"
#include "hostfs/host_walk.h"

#define HOST_AHEAD_MAX 2048 /* answers at a time */

/** A prepared answer, with the data to undo it. */
struct host_ahead_answer {
	size_t at;                /**< offset of the request in `before`, or of the next one there if it is of a walk */
	uint32_t op;              /**< of a walk, or HOST_FILE_LOOK in order: its operation; 0: it is in `before` */
	struct host_walk walk;    /**< of a walk: the position behind it */
	uint32_t found;           /**< of a look-up in order: the handle that it found */
	uint64_t end;             /**< end of its entry in the area */
	bool is_asked_for;        /**< not prepared: the guest has to ask */
	uint32_t handle;          /**< handle of its object */
	uint32_t objects, absent; /**< how many were known before this answer */
	struct host_note *note;   /**< note of the file that was read for it, or NULL */
};

/** Zero-initialised: no earlier run is known. */
struct host_ahead {
	struct host_asked_list before; /**< requests of an earlier run; the caller fills it before the first run */
	struct host_asked_list now;    /**< requests of the current or last run */
	uint64_t foreseen, missed;     /**< number of its requests that were foreseen, and that were not */
	uint64_t vain;                 /**< objects and absent names looked up for answers that it did not take */
	uint64_t life_ns;              /**< time after which answers that were not taken are undone; 0: the default */

	const struct guest_memory *memory;
	gpa_t area; /**< boot_info.host_ahead */
	pthread_t thread;
	bool running;         /**< the thread exists */
	bool can_run;         /**< it exists, or a processor is free for it */
	pthread_mutex_t turn; /**< held by the thread that gets `lock` next */
	pthread_mutex_t lock; /**< protects all fields below, `before` and the files */
	pthread_cond_t changed;
	struct host_files *files;
	bool end;                    /**< the thread must end */
	bool stopped;                /**< prepare nothing until the guest asks again */
	bool again;                  /**< the guest was told to take the next entry, and has not taken it yet */
	uint64_t due_ns;             /**< when the answers in the area are undone */
	size_t next;                 /**< offset in `before` of the request to answer next */
	bool follows_list;           /**< the guest's last request was found in `before` */
	unsigned most;               /**< limit of answers at a time, adapted to how many the guest took lately */
	unsigned count;              /**< entries in the area */
	unsigned settled;            /**< entries that the guest took and that have been accounted for */
	struct host_walk walk;       /**< position of the guest in a walk through a tree */
	struct host_lookups lookups; /**< position of the guest in a tree whose files it looks up in order */
	unsigned walk_most;          /**< limit of answers at a time for either */
	struct host_scout scout;     /**< reads ahead of either */
	bool is_timed;               /**< the thread waits until due_ns at the latest */
	struct host_ahead_answer answers[HOST_AHEAD_MAX];
	uint8_t names[HOST_FILE_LOOKS_MAX *
	              32]; /**< names of the last HOST_FILE_LOOK_MANY, whose answer overwrites them in guest memory */
};

/**
 * Begins a run, after host_files_begin, and prepares the first answers. The second thread starts when there is more to
 * prepare, or at host_ahead_go_on. Until the run ends, `files` may be used only through the functions below. From
 * the second run on, the requests of the last run are expected.
 */
void host_ahead_begin(struct host_ahead *ahead, struct host_files *files, const struct guest_memory *memory,
                      gpa_t area);

/**
 * Serves the request at an address as host_files_serve does, and lets the second thread prepare answers for the
 * following ones. Sets *failed if the run cannot go on; files->error then has the reason and does not change any more.
 */
int64_t host_ahead_serve(struct host_ahead *ahead, gpa_t at, bool *failed);

/**
 * Called while the guest does not run, in a run that lasts longer than most: starts the second thread if it does not
 * run yet. It revokes the answers that were prepared before the guest started.
 */
void host_ahead_go_on(struct host_ahead *ahead);

/** Undoes the answers that the guest has not taken. Called before time passes in which files may change. */
void host_ahead_stop(struct host_ahead *ahead);

/** Ends a run, or does nothing if none has begun: accounts for the answers that the guest took, marks the objects that
 * it did not use, and ends the thread. */
void host_ahead_end(struct host_ahead *ahead);

/** Frees the lists. */
void host_ahead_close(struct host_ahead *ahead);

#endif
