/* SPDX-License-Identifier: MIT */
/* Leaving one stack for another. */
#ifndef KERNEL_ARCH_STACK_H
#define KERNEL_ARCH_STACK_H

#include <stdint.h>

/**
 * Calls function(argument), which must not return, on the stack that ends at `top` (16-byte aligned), with MXCSR
 * and x87 at their ABI defaults. The old stack is never used again.
 */
_Noreturn void stack_switch(uint64_t top, void (*function)(void *), void *argument);

#endif
