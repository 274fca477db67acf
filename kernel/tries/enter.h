/* SPDX-License-Identifier: MIT */
/* The place where a try starts, as registers: like setjmp(3), but a try comes back with all memory as it was, too. */
#ifndef KERNEL_TRIES_ENTER_H
#define KERNEL_TRIES_ENTER_H

#include <stdint.h>

/** The registers that a function preserves, and the vector registers; at a multiple of 16 (enter.S). */
struct enter_place {
	uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
	uint8_t vectors[512]; /* FXSAVE */
};

/** Notes the place of the caller and calls function() on the stack that ends at `top`; function() must not return. The
 * call returns each time when enter_resume is called. */
void enter_leave(struct enter_place *place, uint64_t top, void (*function)(void));

/** Continues at a place, whose stack has its contents again. */
_Noreturn void enter_resume(const struct enter_place *place);

#endif
