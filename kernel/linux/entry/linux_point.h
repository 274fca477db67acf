/* SPDX-License-Identifier: MIT */
/* Decision points in the code of Linux programs (--preempt): asking the policy, and handling what is due. */
#ifndef KERNEL_LINUX_ENTRY_LINUX_POINT_H
#define KERNEL_LINUX_ENTRY_LINUX_POINT_H

#include <stdint.h>

#include "kernel/arch/trap.h"
#include "kernel/linux/patch/stub.h"

/** Called by entry.S on the policies' stack. Returns what linux_point_act has to do, or 0. */
uint64_t linux_point_asked(const struct trap_frame *frame, const struct stub_point *at);

/** Does the work that linux_point_asked returned, on the thread's kernel stack. frame->address is the address of the
 * struct stub_point. */
void linux_point_act(struct trap_frame *frame, uint64_t what);

/** The same where a place counts time, and its countdown has run out. */
uint64_t linux_tick_asked(const struct trap_frame *frame);
void linux_tick_act(struct trap_frame *frame, uint64_t what);

/** Forgets the registers of the last point that asked: which one it was depends on who looked (eremite profile). */
void linux_point_forget(void);

/** The running thread ends, which --shared-out wants to know. */
void linux_point_end(void);

#endif
