/* SPDX-License-Identifier: MIT */
/* The routine of abi/translation.h: what an int3 of the kernel's, and a fault, would do without a signal. */
#ifndef STUB_TRANSLATION_H
#define STUB_TRANSLATION_H

#include <stdbool.h>
#include <ucontext.h>

/** Whether an interrupt has come while the routine runs, so that the guest stops when it ends. If the routine's work is
 * done, moves the registers behind it. */
bool translation_defers(greg_t *registers);

/** Whether a breakpoint is the end of a routine during which an interrupt has come. If so, moves the registers behind
 * the routine. */
bool translation_ends(greg_t *registers);

#endif
