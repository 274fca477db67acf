/* SPDX-License-Identifier: MIT */
/* Defines the entries of kernel calls, for files that define them from a list of abi/syscalls.h. */
#ifndef KERNEL_SYS_KCALL_DEFINE_H
#define KERNEL_SYS_KCALL_DEFINE_H

#include "abi/ticks.h"
#include "kernel/sys/kcall.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"

/* Each entry has its own section, so that image.ld puts them together. The parameters stay in their registers. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define KCALL_DEFINE(number, name, cost_ns, count, ...) \
	_Static_assert((cost_ns)*TICKS_PER_NS < 1 << 16, "a cost is 16 bits of ticks"); \
	__attribute__((naked, section(".text.kcall." #name))) long kcall_##name(SYSCALL_PARAMS_##count(__VA_ARGS__)) \
	{ \
		__asm__("mov %[work], %%r10d\n\t" \
		        "mov %[number_and_cost], %%eax\n\t" \
		        "jmp kcall_enter" \
		        : \
		        : [work] "i"(sys_##name), [number_and_cost] "i"((number) | (cost_ns)*TICKS_PER_NS << 16)); \
	}

#endif
