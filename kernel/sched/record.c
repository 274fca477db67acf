/* SPDX-License-Identifier: MIT */
/* Writes the schedule. Only the cursor and the window change; the monitor turns the records into lines. */
#include "kernel/sched/record.h"

#include "abi/sched_area.h"
#include "kernel/dev/host.h"
#include "kernel/lib/bug.h"
#include "kernel/time/vclock.h"

bool sched_record_is_due(const struct sched_question *question, const struct thread *next)
{
	if (next != question->current)
		return true;
	return question->kind == SCHED_KIND_block && sched_ready_count() > 1;
}

/* Advances the cursor; at the end of the window the monitor takes the written records and provides the next ones. */
static void advance(struct sched_shared *shared, bool replay)
{
	uint64_t end = replay ? shared->records_count : SCHED_WINDOW;
	assert(shared->records_at < end);
	__asm__ volatile("" : : : "memory"); /* the monitor can stop the run at any time: the record is complete here */
	if (++shared->records_at == end)
		host->schedule();
}

void sched_record_next(const struct thread *next)
{
	struct sched_shared *shared = sched_shared();
	shared->next = next->number;
	shared->next_at = shared->records_before + shared->records_at + 1;
}

void sched_record_add(uint32_t thread, enum sched_kind kind, uint16_t op, uint64_t detail)
{
	struct sched_shared *shared = sched_shared();
	const struct boot_sched *boot = sched_boot();
	bool replay = boot->policy == SCHED_replay, record = boot->flags & SCHED_FLAG_RECORD;
	if (record)
		sched_area()->records[shared->records_at] = (struct sched_record){
			.thread = thread,
			.kind = (uint16_t)kind,
			.op = op,
			.points = shared->points_since,
			.detail = detail,
		};
	shared->points_since = 0;
	shared->wakes = 0;
	shared->slice_start = vclock_ticks_inline();
	if (record || replay)
		advance(shared, replay);
}
