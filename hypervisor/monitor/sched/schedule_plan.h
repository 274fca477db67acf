/* SPDX-License-Identifier: MIT */
/* Plans for policy near (abi/sched_plan.h), and the order of events that a schedule makes.
 *
 * A schedule counts the points of each line from the line before, so a change of one line moves all others. A plan
 * counts each thread's own points, and its entries can be left out one by one. */
#ifndef HYPERVISOR_SCHEDULE_PLAN_H
#define HYPERVISOR_SCHEDULE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/sched_plan.h"
#include "base/error.h"
#include "sched/schedule.h"

/** Limits of what a schedule may have to be followed in this way. */
#define PLAN_THREADS_MAX (1U << 20)
#define PLAN_EVENTS_MAX (1U << 24)

struct plan {
	struct sched_plan *entries; /**< of malloc(3), in the order that abi/sched_plan.h asks for */
	size_t count, room;
};

/** A thread's operation `points`, or, with `part`, its rest after so many decisions. */
struct plan_event {
	uint32_t thread, part;
	uint64_t points;
};

/** The order in which events began. */
struct plan_events {
	struct plan_event *at; /**< of malloc(3) */
	size_t count, room;
};

/** Appends an entry; plan_order is due afterwards. Returns false without memory. */
bool plan_add(struct plan *plan, const struct sched_plan *entry);

/** Puts the entries into their order, and resets their uses. */
void plan_order(struct plan *plan);

/** Returns the entry of an ordered plan that is equal but for its `next`, `ticks` and `use`, or NULL. */
const struct sched_plan *plan_find(const struct plan *plan, const struct sched_plan *entry);

/** Adds an entry for each decision of a schedule, in their order in time; plan_order is due afterwards. Returns 0, or a
 * negative errno with one line in *error. */
int plan_of_schedule(struct plan *plan, const struct schedule *schedule, struct error *error);

/** Adds an entry `stay` for each stretch in which a thread of the schedule passed points without being replaced, if
 * there is room for all. Errors as of plan_of_schedule; plan_order is due afterwards. */
int plan_add_stays(struct plan *plan, const struct schedule *schedule, struct error *error);

/** Adds the entries that make the events happen in this order, and orders the plan. `ticks` is an ordered plan of the
 * kinds `tick`, `woken` and `anchor`. Where it has a `tick` or `woken` for an event after which the thread is replaced,
 * the thread is replaced there, and otherwise right after the event. All its anchors are added. Returns false without
 * memory. */
bool plan_of_events(struct plan *plan, const struct plan_events *events, const struct plan *ticks);

/** Adds an entry `stay` wherever a thread's next event follows its last one; plan_order is due afterwards. Returns
 * false without memory. */
bool plan_add_event_stays(struct plan *plan, const struct plan_events *events);

/** Lists the events of a schedule. Returns 0, or a negative errno with one line in *error. */
int plan_events_of_schedule(struct plan_events *events, const struct schedule *schedule, struct error *error);

/** Returns the decisions before the stretch of its thread in which an event of the schedule begins: the thread is at
 * its start there. */
uint64_t plan_event_decision(const struct schedule *schedule, const struct plan_event *event);

/** Appends an event. Returns false without memory. */
bool plan_events_add(struct plan_events *events, const struct plan_event *event);

/** Whether they are the same. */
bool plan_event_is(const struct plan_event *a, const struct plan_event *b);

/** Free the arrays; accept all-zero structures. */
void plan_fini(struct plan *plan);
void plan_events_fini(struct plan_events *events);

#endif
