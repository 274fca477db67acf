/* SPDX-License-Identifier: MIT */
/* Functions that a run calls when something happens in it. They do not change the run: its digest is the same without
 * them. */
#ifndef HYPERVISOR_OBSERVER_H
#define HYPERVISOR_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fault_report;
struct guest_memory;
struct image;
struct instruction_extension;
struct note_look;
struct race_log;
struct run_result;
struct run_stall;
struct sched_look;
struct strace_place;
struct strace_sample;

/**
 * Each function may be NULL. All get `context` first. Where they get guest memory, the guest stands still and the image
 * is open.
 */
struct observer {
	void *context;
	/** Where an entry `look` of the plan wants it. At the end once more, with `look` and `place` NULL. */
	void (*decision)(void *context, const struct sched_look *look, const struct fault_report *place,
	                 const struct guest_memory *memory, const struct image *image);
	/** With SCHED_FLAG_NOTE and without shared_notes: right before the accesses of run_config.note_looks. */
	void (*access)(void *context, const struct note_look *look, const struct fault_report *place,
	               const struct guest_memory *memory, const struct image *image);
	/** With shared_notes, at the end. `is_sampled`: not all accesses of the program were decision points. */
	void (*noted)(void *context, const struct guest_memory *memory, const struct image *image, bool is_sampled);
	/** With race_log, at the end, if the program's library told any races. */
	void (*raced)(void *context, const struct race_log *log, const struct guest_memory *memory,
	              const struct image *image);
	/** Once, when the guest makes no progress for PROGRESS_STALL_S seconds; the run goes on. */
	void (*stalled)(void *context, const struct run_stall *stall, const struct guest_memory *memory,
	                const struct image *image);
	/** Once, when a Linux program has executed an instruction that its processor model does not have, at `place`.
	 */
	void (*extended)(void *context, const struct instruction_extension *extension, const struct fault_report *place,
	                 const struct guest_memory *memory, const struct image *image);
	/** With strace.sample_by: where a thread of a Linux program is. */
	void (*sampled)(void *context, const struct strace_sample *sample, const struct guest_memory *memory,
	                const struct image *image);
	/** With STRACE_BY_PLACES: STRACE_PLACES_MAX places, of which those of `process` are complete, and its files are
	 * mapped; at the end once more, with `process` NULL: those of all processes that are left. */
	void (*placed)(void *context, const struct strace_sample *process, const struct strace_place *places,
	               const struct guest_memory *memory, const struct image *image);
	/** What the program writes to stream 1 or 2, in order; any thread of the monitor may call it, one at a time. */
	void (*output)(void *context, int stream, const void *bytes, size_t count);
	/** At the end, if there are reports: result->report and result->threads. */
	void (*fault)(void *context, const struct run_result *result, const struct guest_memory *memory,
	              const struct image *image);
	/** At the end, when the result is complete. */
	void (*end)(void *context, const struct run_result *result);
};

#endif
