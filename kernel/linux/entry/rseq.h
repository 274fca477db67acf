/* SPDX-License-Identifier: MIT */
/* rseq(2): sequences of instructions that begin anew when another thread, or a handler, has run in their midst. */
#ifndef KERNEL_LINUX_ENTRY_RSEQ_H
#define KERNEL_LINUX_ENTRY_RSEQ_H

#include "kernel/arch/trap.h"
#include "kernel/sched/thread.h"

/** The running thread, whose frame this is, has been interrupted: the sequence that it was in goes on where it says. */
void rseq_interrupted(struct trap_frame *frame);

/** Writes down which processor the running thread is told that it runs on, if it wants to know. */
void rseq_tell_processor(void);

/** The running thread goes on after others have run. */
static inline void rseq_resumed(void)
{
	if (thread_current->rseq && thread_current->rseq_processor != thread_processor(thread_current))
		rseq_tell_processor();
}

#endif
