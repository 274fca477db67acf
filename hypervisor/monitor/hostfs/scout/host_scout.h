/* SPDX-License-Identifier: MIT */
/* Reads directories and small files ahead of a program that walks through a tree, in a thread of its own. Requests then
 * find the results of their system calls here. What no request takes leaves no trace: it is no input of the run. What a
 * request takes was read a little earlier than without the thread, as answers ahead are (host_ahead.h), and is checked
 * at the end as everything is. */
#ifndef HYPERVISOR_HOST_SCOUT_H
#define HYPERVISOR_HOST_SCOUT_H

#include <limits.h>
#include <pthread.h>

#include "hostfs/host_place.h"
#include "hostfs/scout/host_scout_read.h"

#define HOST_SCOUT_DEPTH 64 /* directories below each other; few trees are deeper */

/** Where a walk is, and what it asks for. Directories come before their contents, names in byte order. */
struct host_scout_walk {
	const struct host_tree *tree;
	enum host_scout_looks looks;
	bool loads;         /**< contents of files are asked for */
	bool hashes;        /**< contents are hashed */
	bool is_in;         /**< `at` is a directory, and the names in it come next */
	char at[PATH_MAX];  /**< the object of the last request, below the tree */
	char top[PATH_MAX]; /**< the directory in which the walk began: `at` or above it */
};

/** A directory on the way from the top to the next object. */
struct host_scout_frame {
	struct host_scout_item *directory; /**< NULL: not read yet */
	uint32_t next;                     /**< index of the next name */
	size_t length;                     /**< of its path: the beginning of host_scout.path */
};

/** Zero-initialised: nothing is read. */
struct host_scout {
	pthread_t thread;
	bool running;
	pthread_mutex_t lock;   /**< protects the fields below */
	pthread_cond_t changed; /**< for the thread */
	pthread_cond_t read;    /**< for a request that waits for an item */
	bool end;
	bool waits;                            /**< the thread does, until this is false */
	bool is_awaited;                       /**< a request waits for items, until this is false */
	uint64_t life_ns;                      /**< time after which an item is too old */
	unsigned walks;                        /**< number of walks begun or dropped: others are void */
	bool is_on;                            /**< `walk` is to be read */
	struct host_scout_walk walk;           /**< the current one; the thread copies it when it begins */
	struct host_scout_item *first, **last; /**< items that were not taken, in order, linked by `next` */
	unsigned count;                        /**< their number */
	uint64_t bytes;                        /**< of their memory */
	unsigned most;                         /**< limit of `count`, adapted to how fast they are taken */
	unsigned missed;                       /**< requests in a row for what was not read */

	struct host_places places; /**< directories that were taken; of the requests, without the lock */

	/* The thread's own. */
	struct host_scout_walk own;
	struct host_scout_frame frames[HOST_SCOUT_DEPTH];
	unsigned depth;
	int fd;            /**< of the last directory that was read, to open files in it; -1: none */
	unsigned fd_depth; /**< number of frames up to that one */
	char path[PATH_MAX];
};

/** Prepares a scout, without a thread. Items are too old after `life_ns`. */
void host_scout_init(struct host_scout *scout, uint64_t life_ns);

/** Whether a walk is being read that requests still follow. */
bool host_scout_is_on(struct host_scout *scout);

/** Reads ahead of a walk from now on, in place of the last one. Does nothing if no processor is free. */
void host_scout_go(struct host_scout *scout, const struct host_scout_walk *walk);

/** Forgets what was read. Called before time passes in which files may change. */
void host_scout_drop(struct host_scout *scout);

/** Whether all that was read is taken, and more is being read. */
bool host_scout_is_dry(struct host_scout *scout);

/** Takes a directory, or a file if `is_file`, that was read. Waits for the next item if all are taken. Returns NULL
 * if it was not read, or too long ago. The caller gives it back by host_scout_put. Accepts NULL. */
struct host_scout_item *host_scout_take(struct host_scout *scout, const struct host_tree *tree, const char *path,
                                        bool is_file);

/** Finds a directory that was read, and leaves it to be taken. Returns as host_scout_take. */
struct host_scout_item *host_scout_peek(struct host_scout *scout, const struct host_tree *tree, const char *path);

/** Ends the thread and forgets everything. Accepts a scout that is all zeros. */
void host_scout_fini(struct host_scout *scout);

#endif
