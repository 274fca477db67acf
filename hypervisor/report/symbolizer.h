/* SPDX-License-Identifier: MIT */
/* Gets stacks of a guest by function and line from eremite-symbolize. That is a separate process, because the image's
 * debug information is as untrusted as the guest. */
#ifndef HYPERVISOR_SYMBOLIZER_H
#define HYPERVISOR_SYMBOLIZER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "guest/guest_memory.h"
#include "report/python_stack.h"
#include "symbolize/request.h"

/** The program that finds names and lines; see own_program. */
#define SYMBOLIZER "eremite-symbolize"

/** Begins the line that says why it gave no answers. */
#define SYMBOLIZER_MISSING "stacks have no names and lines: "

/** The query for one stack. */
struct symbolizer_query {
	uint64_t registers[SYMBOLIZE_REGISTERS]; /**< as in struct fault_report */
	uint64_t object;                         /**< address of a variable to name; 0: none */
	bool wants_type;                         /**< of it: sets is_plain */
};

/** The answer for one stack: printable text, empty if there is no answer. */
struct symbolizer_answer {
	const char *object; /**< symbol of the variable */
	char *frames;       /**< lines, one for each frame */
	bool is_plain;      /**< the variable is of C or C++, and by its type no atomic operations are for it */
	struct python_place python;
};

struct symbolizer_answers {
	char *text; /**< memory that at[] points into */
	struct symbolizer_answer *at;
};

/**
 * Asks about `count` stacks, at least one, of the guest that was loaded from `image`, an open file or -1. Returns 0,
 * and answers that symbolizer_free frees, or -ENOMEM. Takes about 10 ms plus 1 ms for every 20 stacks, and at most 20
 * s. With many stacks, it sends less of each. The first time that eremite-symbolize cannot start, says why.
 */
int symbolizer_ask(struct symbolizer_answers *answers, int image, const struct guest_memory *memory,
                   const struct symbolizer_query *queries, unsigned count);

/** Stacks that are kept until one process answers for all. */
struct symbolizer_queue {
	int requests; /**< 0: none was kept */
	unsigned count;
};

#define SYMBOLIZER_QUEUE_MAX 256

/** Keeps a query with its stack. Returns whether it could: there are fewer than SYMBOLIZER_QUEUE_MAX. */
bool symbolizer_keep(struct symbolizer_queue *queue, const struct guest_memory *memory,
                     const struct symbolizer_query *query);

/** Asks about the stacks that were kept, at least one, as symbolizer_ask does, and keeps none any more. */
int symbolizer_ask_kept(struct symbolizer_answers *answers, int image, struct symbolizer_queue *queue);

/**
 * Starts eremite-symbolize with an open image and a file of requests, as a child of this process or of the keeper.
 * Returns a descriptor from which to read its answers, and sets *child to the process to wait for; or returns -1.
 */
int symbolizer_start(int image, int requests, pid_t *child);

/** Whether eremite-symbolize cannot start: sets *why to what is missing, and the package that has it. */
bool symbolizer_is_missing(struct error *why);

/** Frees the answers; accepts an all-zero structure. */
void symbolizer_free(struct symbolizer_answers *answers);

#endif
