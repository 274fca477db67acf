/* SPDX-License-Identifier: MIT */
/* What the passes of the planner of --clock work share (tick_plan.c). */
#ifndef HYPERVISOR_TICK_PLANNER_H
#define HYPERVISOR_TICK_PLANNER_H

#include "code/code_bits.h"
#include "code/ticks/tick_calls.h"
#include "code/ticks/tick_graph.h"
#include "code/ticks/tick_plan.h"

struct planner {
	struct code_map map;
	struct code_function function;
	struct tick_graph graph;
	struct code_bits starts;  /* of functions */
	struct code_bits cut;     /* starts of functions that are within an instruction */
	struct code_bits led_to;  /* targets of branches */
	struct code_bits pointed; /* places to which data point */
	struct code_bits read;    /* bytes that an instruction reads as data */
	struct tick_calls calls;
	struct tick_function *own; /* the present function */
	struct code_scan *scan;    /* its first `count` patches are those of the search */
	size_t count;
	size_t own_first; /* the first one of the present function */
	const struct code_area *area;
	bool is_unknown; /* not all places are known to which the function's jumps lead */
	bool *is_own;    /* of each step: the function's start leads there, not only other functions */
	size_t own_room;
	bool *listed; /* of each byte of the function: a jump table leads there */
	size_t listed_room;
	uint32_t *site_of; /* of each block: the index of its patch */
	size_t site_room;
	enum tick_reason reason; /* why the last block that was looked at has no site */
	bool is_measured;        /* the caller asks for the counts */
	struct tick_counts *counts;
	struct error *error;
};

/** The first pass, for functions and for the code between them, as code_map_visit; `context` is the planner. */
int tick_note_function(void *context, const struct code_area *area, const struct code_range *range);
int tick_note_rest(void *context, const struct code_area *area, const struct code_range *range);

#endif
