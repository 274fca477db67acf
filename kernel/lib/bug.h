/* SPDX-License-Identifier: MIT */
/* The kernel's own errors: assertions that stay on. */
#ifndef KERNEL_LIB_BUG_H
#define KERNEL_LIB_BUG_H

/** Ends the run with a report that an assertion of the kernel failed. */
_Noreturn void bug(const char *file, int line, const char *assertion);

/** Reports it: set at the start by kernel/end.c, which is above this folder. Until then bug() stops at an invalid
 * instruction. */
extern __attribute__((noreturn)) void (*bug_handler)(const char *file, int line, const char *assertion);

/** Checks a condition that must hold. The expression has no effects. */
#define assert(expression) ((expression) ? (void)0 : bug(__FILE__, __LINE__, #expression))

#endif
