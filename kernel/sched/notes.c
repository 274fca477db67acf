/* SPDX-License-Identifier: MIT */
/* A wake-up by a timeout is no note: the thread that happens to run has not caused it. */
#include "kernel/sched/notes.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "abi/sched_area.h"
#include "kernel/arch/trap.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/process.h"

void notes_add(const struct sched_note *note)
{
	struct sched_area *area = sched_area();
	area->notes[area->notes_at++] = *note;
	if (area->notes_at < SCHED_NOTES)
		return;
	doorbell_ring(DOORBELL_NOTES, 0, 0);
	assert(area->notes_at < SCHED_NOTES);
}

/* The registers of a thread when it entered the kernel; NULL: not known. */
static const struct trap_frame *frame_of(const struct thread *thread)
{
	return thread->kernel_stack ? (const struct trap_frame *)thread->kernel_stack - 1 : NULL;
}

void notes_other(uint8_t kind, const struct thread *other)
{
	if (!notes_are_made() || (kind == SCHED_NOTE_WAKES && other->wake_result == -ETIMEDOUT))
		return;
	notes_add(&(struct sched_note){.thread = thread_current->number,
	                               .offset = other->number,
	                               .file = frame_of(other) ? frame_of(other)->rsp : 0,
	                               .kind = kind});
}

void notes_call(uint64_t number)
{
	const struct trap_frame *frame = notes_are_made() ? frame_of(thread_current) : NULL;
	if (!frame)
		return;
	notes_add(&(struct sched_note){.thread = thread_current->number,
	                               .process = thread_current->process->id,
	                               .offset = (uint32_t)number,
	                               .object = frame->rdi,
	                               .file = frame->rsp,
	                               .kind = SCHED_NOTE_CALL});
}

void notes_switch(const struct sched_question *question, const struct thread *next)
{
	if (!notes_are_made() || next == question->current)
		return;
	notes_add(&(struct sched_note){.thread = question->current->number,
	                               .offset = next->number,
	                               .object = question->op,
	                               .bytes = (uint8_t)question->kind,
	                               .kind = SCHED_NOTE_SWITCH});
}
