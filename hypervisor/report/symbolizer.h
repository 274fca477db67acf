/* SPDX-License-Identifier: MIT */
/* Stacks of a guest by function and line, from eremite-symbolize: a process of its own, because the image's debug
 * information is as little trusted as the guest. */
#ifndef HYPERVISOR_SYMBOLIZER_H
#define HYPERVISOR_SYMBOLIZER_H

#include <stdint.h>
#include <sys/types.h>

#include "guest/guest_memory.h"
#include "symbolize/request.h"

/** What is asked of one stack. */
struct symbolizer_query {
	uint64_t registers[SYMBOLIZE_REGISTERS]; /**< as in struct fault_report */
	uint64_t object;                         /**< address of a variable to be named, 0: none */
};

/** Printable text; empty where there is no answer. */
struct symbolizer_answer {
	const char *object; /**< its symbol */
	char *frames;       /**< lines */
};

struct symbolizer_answers {
	char *text; /**< what at[] points into */
	struct symbolizer_answer *at;
};

/**
 * Asks about `count` stacks, at least one, of the guest that was loaded from `image`, an open file or -1. 0, and
 * answers for symbolizer_free, or -ENOMEM. Takes some 10 ms and a millisecond for each 20 stacks, and 20 s at the most;
 * where there are many, less is looked at of each.
 */
int symbolizer_ask(struct symbolizer_answers *answers, int image, const struct guest_memory *memory,
                   const struct symbolizer_query *queries, unsigned count);

/**
 * Starts it with an open image and a file of requests, in this process or in the keeper. Returns a descriptor of its
 * answers, and *child to wait for, or -1.
 */
int symbolizer_start(int image, int requests, pid_t *child);

/** Takes one that is all zero. */
void symbolizer_free(struct symbolizer_answers *answers);

#endif
