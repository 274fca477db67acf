/* SPDX-License-Identifier: MIT */
/* Tries of a search: restored in a guest, beside processes of their own. Processor time, of one job. */
#include <stddef.h>

#include "figure.h"

#define SEARCH "./eremite search -q -j 1 --engine %e --runs %n "
#define PROCESSES "./eremite search -q -j 1 --processes --runs %n "

/* 10,000 a second: the aim for programs of this size. */
#define TRY(program) \
	{ \
		.name = "search: a try of " program, .kind = FIGURE_RATE, .command = SEARCH "apps/" program, \
		.rounds = 5, .peers = {{"a process", PROCESSES "apps/" program, 0}}, .low = 100, .high = 600, \
		.unit = "us", .unit_s = 1e-6, .at_most = 100, .process_at_most = 100 \
	}

const struct figure search_figures[] = {
	TRY("race_lost_update.fixed"),
	TRY("race_lock_order.fixed"),
	TRY("race_torn_value.fixed"),
	{.name = NULL},
};
