/* SPDX-License-Identifier: MIT */
/* Finds where a guest is. A guest may be interrupted between any two instructions, and its data may be anything. */
#include "run/place.h"

#include <stdio.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/sched_shared.h"
#include "abi/ticks.h"
#include "run/progress.h"

uint64_t place_shared(const struct guest_memory *memory, const struct image *image, struct sched_shared *shared)
{
	uint64_t left = 0, owed = 0, at = image->header.ticks_left;
	memset(shared, 0, sizeof(*shared));
	guest_memory_read(memory, gpa(LAYOUT_SCHED), shared, sizeof(*shared));
	guest_memory_read(memory, image_physical(image, at), &left, sizeof(left));
	guest_memory_read(memory, image_physical(image, at + TICKS_OWED_AT), &owed, sizeof(owed));
	return progress_ticks(shared->limit, (int64_t)(left - owed));
}

int place_take(const struct engine_ops *ops, struct engine *engine, const struct guest_memory *memory,
               struct fault_report *report)
{
	struct engine_registers registers;
	struct sched_shared shared = {0};
	int result = ops->get_registers(engine, &registers);
	if (result)
		return result;
	guest_memory_read(memory, gpa(LAYOUT_SCHED), &shared, sizeof(shared));
	memset(report, 0, sizeof(*report));
	report->vector = 0xff;
	report->thread = shared.current ? (uint32_t)shared.current : 1;
	memcpy(report->registers, registers.general, sizeof(report->registers));
	report->rflags = registers.rflags;
	snprintf(report->message, sizeof(report->message), "stopped here");
	return 0;
}
