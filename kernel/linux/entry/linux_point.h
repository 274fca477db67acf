/* SPDX-License-Identifier: MIT */
/* Decision points in the code of Linux programs (--preempt): what becomes of them when a policy, or something that time
 * has come for, is to be asked. */
#ifndef KERNEL_LINUX_ENTRY_LINUX_POINT_H
#define KERNEL_LINUX_ENTRY_LINUX_POINT_H

#include <stdint.h>

#include "kernel/arch/trap.h"
#include "kernel/linux/patch/stub.h"

/** From entry.S, on the policies' stack: what is to be done there, for linux_point_act, or 0. */
uint64_t linux_point_asked(const struct trap_frame *frame, const struct stub_point *at);

/** Does it, on the thread's kernel stack. frame->address is that of the struct stub_point. */
void linux_point_act(struct trap_frame *frame, uint64_t what);

#endif
