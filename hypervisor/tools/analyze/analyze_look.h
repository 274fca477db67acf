/* SPDX-License-Identifier: MIT */
/* Where threads are, by entries `look` of a plan (abi/sched_plan.h). */
#ifndef HYPERVISOR_ANALYZE_LOOK_H
#define HYPERVISOR_ANALYZE_LOOK_H

#include "analyze/analyze.h"

/** In the child: writes where the thread is to the descriptor at `context`. */
void analyze_look_write(void *context, const struct sched_look *look, const struct fault_report *place,
                        const struct guest_memory *memory, const struct image *image);

/** Adds to a plan that the thread is shown before its operation, unless it is there already. */
void analyze_look_add(struct plan *plan, uint32_t thread, uint64_t points);

/** Makes the run of a plan that has looks, and adds them. Returns false if the analysis is stopped. */
bool analyze_look_at(struct analyze *analyze, struct plan *plan, struct analyze_looks *looks);

/** Returns where a thread was before its operation, or NULL. */
const struct analyze_look *analyze_look_find(const struct analyze_looks *looks, uint32_t thread, uint64_t points);

/** Sets what both events of a pair do: their own operations, or, if these do not meet, the load at the end of one of
 * them by an instruction that stores later. NULL: not known. */
void analyze_look_pair(const struct analyze_looks *looks, const struct plan_event pair[2],
                       const struct analyze_look *at[2]);

/** Whether both are about one object, which one of them changes. */
bool analyze_look_meets(const struct analyze_look *first, const struct analyze_look *second);

/** Returns the function in which the thread gives memory back, "free", that a function of the user's has called; NULL:
 * it does not. */
const char *analyze_look_frees(const struct analyze_look *look);

/** Returns the source line of the program in a stack, "file.c:12": that of the first frame which is in a file of the
 * user's (symbolize/system_file.h). The caller frees it. NULL: no frame is. */
char *analyze_look_own_line(const char *stack);

/** The same, or else the line of the first frame that has one. */
char *analyze_look_line(const char *stack);

/** Frees them. */
void analyze_looks_fini(struct analyze_looks *looks);

#endif
