/* SPDX-License-Identifier: MIT */
/* rseq(2): restartable sequences of instructions, which are aborted when another thread or a handler runs in
 * between. */
#ifndef KERNEL_LINUX_ENTRY_RSEQ_H
#define KERNEL_LINUX_ENTRY_RSEQ_H

#include "kernel/arch/trap.h"
#include "kernel/sched/thread.h"

/** The running thread, whose frame this is, was interrupted: a sequence that it is in continues at its abort handler.
 */
void rseq_interrupted(struct trap_frame *frame);

/** Stores the processor number that the running thread sees, if it has registered for it. */
void rseq_tell_processor(void);

/** personality.thread_moved: tells the running thread the number of its processor, if that has changed. */
void rseq_moved(void);

/** The running thread continues after others have run. */
static inline void rseq_resumed(void)
{
	if (thread_current->rseq && thread_current->rseq_processor != thread_processor(thread_current))
		rseq_tell_processor();
}

#endif
