/* SPDX-License-Identifier: MIT */
/* Collects the samples of a run: where a thread was, and the virtual time that it ran. Stacks are kept and named
 * together, as long as the same files are mapped (report_looks.h). */
#ifndef HYPERVISOR_PROFILE_STACKS_H
#define HYPERVISOR_PROFILE_STACKS_H

#include <stdbool.h>

#include "profile/profile_table.h"
#include "report/symbolizer.h"
#include "run/run.h"

/** A sample: the time counts for its stack. */
struct profile_sample {
	size_t stack; /**< in the table */
	uint64_t ns;
};

/** A thread that was seen. */
struct profile_thread {
	uint32_t number;
	uint64_t ran_ns; /**< at its last sample */
	size_t last;     /**< its last sample */
};

/** A process that runs CPython. */
struct profile_python {
	uint32_t pid;
	struct python_place place;
};

/** A stack that was not named yet. */
struct profile_kept {
	size_t sample;
	char *root, *python;
};

struct profile_stacks {
	struct profile_table table;
	bool counts_ahead; /**< the time after a sample is that of its stack, because its call takes it; else that
	                      before */
	struct profile_sample *samples;
	size_t count, room;
	struct profile_thread *threads; /**< by number */
	size_t thread_count, thread_room;
	struct profile_python *pythons;
	size_t python_count, python_room;
	uint64_t kernel_text, kernel_text_end; /**< addresses of the guest's kernel */
	/* Of the files that are mapped now: */
	uint64_t signature;
	int file;            /**< of the queue, which the symbolizer needs */
	bool has_python;     /**< an interpreter of Python may be among them */
	unsigned until_asks; /**< samples until one is named at once, to find where the interpreter is */
	unsigned asks;       /**< that were so */
	struct symbolizer_queue queue;
	struct profile_kept kept[SYMBOLIZER_QUEUE_MAX];
};

/** observer.sampled, with a struct profile_stacks as context. */
void profile_stacks_add(void *context, const struct strace_sample *sample, const struct guest_memory *memory,
                        const struct image *image);

/** observer.placed: the time of each place is that of its function. */
void profile_places_add(void *context, const struct strace_sample *process, const struct strace_place *places,
                        const struct guest_memory *memory, const struct image *image);

/** Gives the time of threads that no place has to a stack of its own, and sorts the table. */
void profile_places_end(struct profile_stacks *stacks, const struct run_result *result);

/** Names the stacks that are left, gives the time after the last samples to their stacks, and fills the table. */
void profile_stacks_end(struct profile_stacks *stacks, const struct run_result *result);

#endif
