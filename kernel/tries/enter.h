/* SPDX-License-Identifier: MIT */
/* The place where a try starts, as registers: like setjmp(3), but a try comes back with all memory as it was, too. */
#ifndef KERNEL_TRIES_ENTER_H
#define KERNEL_TRIES_ENTER_H

#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"

/** The registers that a function preserves, and the vector registers; at a multiple of 16 (enter.S). */
struct enter_place {
	uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
	uint8_t vectors[512];  /**< FXSAVE */
	uint8_t upper[16][16]; /**< upper halves of ymm0 to 15, if the processor has them */
	uint64_t masks[8];     /**< k0 to 7, if it has the AVX-512 registers, as all that follows */
	uint8_t high[16][32];  /**< upper halves of zmm0 to 15 */
	uint8_t more[16][64];  /**< zmm16 to 31 */
};

_Static_assert(offsetof(struct enter_place, vectors) == 64, "enter.S");
_Static_assert(offsetof(struct enter_place, upper) == 576, "enter.S");
_Static_assert(offsetof(struct enter_place, masks) == 832, "enter.S");
_Static_assert(offsetof(struct enter_place, high) == 896, "enter.S");
_Static_assert(offsetof(struct enter_place, more) == 1408, "enter.S");
_Static_assert(offsetof(struct boot_info, flags) == 12, "enter.S");
_Static_assert(BOOT_FLAG_CPU_UPPER == 64, "enter.S");
_Static_assert(BOOT_FLAG_CPU_WIDE == 128, "enter.S");

/** Notes the place of the caller and calls function() on the stack that ends at `top`; function() must not return. The
 * call returns each time when enter_resume is called. */
void enter_leave(struct enter_place *place, uint64_t top, void (*function)(void));

/** Continues at a place, whose stack has its contents again. */
_Noreturn void enter_resume(const struct enter_place *place);

#endif
