/* SPDX-License-Identifier: MIT */
/* The calls between the functions of a file, and which functions count no time at their entry because the price of a
 * call contains theirs.
 *
 * Each execution that goes on for ever must pass places. One that passes none in loops enters functions again and
 * again. So a function may do without a place at its entry only if
 *  - it does not call a function whose planning has begun and not ended: functions are planned after those that they
 *    call, so each cycle of direct calls has such a call, and its caller has a place;
 *  - and either no code leads to it but direct calls of this file, or it and the functions without a place that it
 *    calls make no other calls, such as through pointers: what is called then may lead back to any function that is
 *    known outside or whose address is taken.
 * A place for which there is no room is missing in these, and is counted. And its price is limited, so that time does
 * not pass in large steps. */
#ifndef HYPERVISOR_TICK_CALLS_H
#define HYPERVISOR_TICK_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_bits.h"
#include "code/code_function.h"
#include "code/code_map.h"
#include "code/ticks/tick_graph.h"

struct tick_function {
	const struct code_area *area;
	struct code_range range;
	size_t first_call, call_count; /**< functions of the file that it calls directly, or jumps to */
	size_t looked_at;              /**< of these, when functions are put in order */
	bool calls_unknown;            /**< it makes other calls, or jumps */
	bool has_begun, has_ended;     /**< its planning */
	bool is_acyclic;               /**< no call leads to a function whose planning has not ended */
	bool has_place;                /**< what enters it pays there; set when the planning has ended */
	bool is_quiet;                 /**< no unknown function is called before a place is passed */
	uint64_t price;                /**< in sixteenths of a tick, if it has no place */
};

/** All zero at first. */
struct tick_calls {
	const struct code_map *map;
	struct tick_function *functions; /**< ascending */
	size_t count, room;
	uint64_t *calls; /**< addresses to which they lead */
	size_t call_count, call_room;
	struct code_bits taken; /**< addresses that code refers to, other than by a call or jump, and that data has */
	size_t *stack;
	size_t stack_room;
};

/** Begins: notes the addresses in data that are loaded, symbols among them. Returns 0 or -ENOMEM. */
int tick_calls_begin(struct tick_calls *calls, const struct code_map *map);

/** Adds a function, which comes after the others. Returns 0 or -ENOMEM. */
int tick_calls_add(struct tick_calls *calls, const struct code_area *area, const struct code_range *range,
                   const struct code_function *function);

/** Notes the constants of a step that may be addresses of functions. */
void tick_calls_note(struct tick_calls *calls, const struct code_area *area, const struct code_step *step);

/** Plans each function, after those that it calls. Returns 0, what `plan` returns if that is not 0, or -ENOMEM. */
int tick_calls_each(struct tick_calls *calls, int (*plan)(void *context, struct tick_function *function),
                    void *context);

/** Decides whether a function whose planning ends has a place at its entry. */
bool tick_calls_wants_place(const struct tick_calls *calls, struct tick_function *function, uint64_t price);

/** There is no room for the place. Its price is in that of its calls all the same, if it is limited. */
void tick_calls_set_without(struct tick_function *function);

/** Adds the prices of called functions that have no place to those of the blocks of a function that call them. */
void tick_calls_add_prices(const struct tick_calls *calls, const struct code_function *function,
                           struct tick_graph *graph);

/** Frees the memory. */
void tick_calls_fini(struct tick_calls *calls);

#endif
