/* SPDX-License-Identifier: MIT */
#include "kernel/linux/strace/strace_sample.h"

#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/strace/strace_places.h"
#include "kernel/sched/account.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/process.h"
#include "kernel/time/vclock.h"

#define ALWAYS_DUE 1 /* a time in the past */

extern const char __kernel_text_start[], __kernel_text_end[]; /* linux.ld */

/* Whether a sample is wanted now. Places that count time come when the clock is due, which it may be for other reasons,
 * too. */
static bool is_due(struct strace_area *area, enum strace_sample_by by)
{
	if (area->sample_by != by || !area->sample_every)
		return false;
	if (by != STRACE_BY_TICKS)
		return ++area->sample_count % area->sample_every == 0;
	const uint64_t now = vclock_ticks();
	if (now < sched_shared()->sample_ticks)
		return false;
	sched_shared()->sample_ticks = (now / area->sample_every + 1) * area->sample_every;
	return true;
}

/* From here on the scheduler heeds sample_ticks whenever it arms the clock. */
void strace_sample_begin(void)
{
	const struct strace_area *area = phys_to_virt(LAYOUT_STRACE);
	if (area->sample_by != STRACE_BY_TICKS && area->sample_by != STRACE_BY_PLACES)
		return;
	sched_shared()->sample_ticks = strace_places_are_counted() ? ALWAYS_DUE : area->sample_every;
	if (sched_shared()->sample_ticks < sched_shared()->limit)
		vclock_arm(sched_shared()->sample_ticks);
}

void strace_sample(enum strace_sample_by by, const struct trap_frame *frame)
{
	struct strace_area *area = phys_to_virt(LAYOUT_STRACE);
	const bool in_kernel = frame->rip >= (uint64_t)__kernel_text_start && frame->rip < (uint64_t)__kernel_text_end;
	if (strace_places_are_counted() && by != STRACE_BY_FAULTS)
		strace_places_count(frame->rip, by == STRACE_BY_TICKS);
	if (!is_due(area, by))
		return;
	const struct trap_frame *f = in_kernel ? linux_frame(thread_current) : frame; /* a call copies memory */
	area->sample = (struct strace_sample){
		.thread = thread_current->number,
		.pid = process_current->id,
		.ran_ns = account_ran_ns(thread_current),
		.registers = {f->rax, f->rdx, f->rcx, f->rbx, f->rsi, f->rdi, f->rbp, f->rsp, f->r8, f->r9, f->r10,
	                      f->r11, f->r12, f->r13, f->r14, f->r15, stub_original(f->rip)},
	};
	memcpy(area->sample.name, thread_current->name, sizeof(area->sample.name));
	doorbell_ring(DOORBELL_STRACE, STRACE_DOORBELL_SAMPLE, 0);
}
