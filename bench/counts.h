/* SPDX-License-Identifier: MIT */
/* What a run cost by count, from its summary (docs/summary.md): exits, traps and calls, whose price differs between
 * hosts. */
#ifndef BENCH_COUNTS_H
#define BENCH_COUNTS_H

#include <stdbool.h>

struct counts {
	double exits, kernel_calls, trapped_calls, page_faults, instructions, table_loads, invalidations, memory_bytes;
};

/** Reads a summary in JSON. Returns whether it has kernel calls. */
bool counts_read(const char *path, struct counts *counts);

/** Makes a run of a command that begins with FIGURE_RUN, and prints its counts in a line; does nothing with NULL. */
void counts_print(const char *engine, const char *command);

#endif
