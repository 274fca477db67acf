/* SPDX-License-Identifier: MIT */
/* Answers to requests for the host's files that are to come (abi/host_file.h), as an earlier run of the same program
 * made them; a second thread finds them while the guest runs. Which answers were ready shows in nothing but time: what
 * nobody asks for is given up, and with it all that was remembered of it. */
#ifndef HYPERVISOR_HOST_AHEAD_H
#define HYPERVISOR_HOST_AHEAD_H

#include <pthread.h>

#include "guest/guest_memory.h"
#include "hostfs/host_asked.h"
#include "hostfs/host_files.h"

#define HOST_AHEAD_MAX 256 /* answers at a time */

/** An answer that is ready, and how to go back to before. */
struct host_ahead_answer {
	size_t at;                /**< the request, in `before` */
	uint64_t end;             /**< of the entry, in the area */
	bool is_asked_for;        /**< the guest has to ask */
	uint32_t handle;          /**< of its object */
	uint32_t objects, absent; /**< how many were known before */
	struct host_note *note;   /**< of what was read for it, or NULL */
};

/** Zero-initialised: nothing is known of earlier runs. */
struct host_ahead {
	struct host_asked_list before; /**< what an earlier run asked for; the caller's to fill before the first run */
	struct host_asked_list now;    /**< what the last run has asked for */
	uint64_t foreseen, missed;     /**< of its requests */
	uint64_t vain;    /**< objects and absent names that were looked at for answers which it did not take */
	uint64_t life_ns; /**< after which answers that are not taken are given up; 0: as usual */

	const struct guest_memory *memory;
	gpa_t area; /**< boot_info.host_ahead */
	pthread_t thread;
	bool running;         /**< the thread exists */
	pthread_mutex_t turn; /**< held by who is the next to have `lock` */
	pthread_mutex_t lock; /**< of all below, of `before` and of the files */
	pthread_cond_t changed;
	struct host_files *files;
	bool end;         /**< the thread is to end */
	bool stopped;     /**< nothing is to be answered until the guest asks again */
	bool again;       /**< the guest was told to take the next entry, and has taken none since */
	uint64_t due_ns;  /**< when what is in the area is to be given up */
	size_t next;      /**< what is to be answered next, in `before` */
	unsigned most;    /**< answers at a time, as many as there were lately use for */
	unsigned count;   /**< entries in the area */
	unsigned settled; /**< of them: the guest took them, and that was taken into account */
	struct host_ahead_answer answers[HOST_AHEAD_MAX];
	uint8_t names[HOST_FILE_LOOKS_MAX * 32]; /**< of the last HOST_FILE_LOOK_MANY: its answer is put over them */
};

/**
 * A run begins, with files that have just begun; they are not to be used but by the functions below until it ends. If
 * it is not the first one, the last one's requests are expected.
 */
void host_ahead_begin(struct host_ahead *ahead, struct host_files *files, const struct guest_memory *memory,
                      gpa_t area);

/**
 * Serves a request as host_files_serve, and sees to answers for those that will follow. *failed: the run cannot go on,
 * for the reason in files->error, which stays.
 */
int64_t host_ahead_serve(struct host_ahead *ahead, gpa_t request, bool *failed);

/** Gives up what the guest has not taken: time passes, and files may change. */
void host_ahead_stop(struct host_ahead *ahead);

/** The run has ended, or did never begin: takes into account what the guest took, and ends the thread. */
void host_ahead_end(struct host_ahead *ahead);

/** Frees the lists. */
void host_ahead_close(struct host_ahead *ahead);

#endif
