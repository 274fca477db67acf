/* SPDX-License-Identifier: MIT */
/* Which exception of the processor a signal of Linux reports. */
#ifndef ENGINE_PROCESS_STUB_VECTOR_H
#define ENGINE_PROCESS_STUB_VECTOR_H

#define VECTOR_UNDEFINED 6U
#define VECTOR_PROTECTION 13U
#define VECTOR_PAGE_FAULT 14U

/**
 * Returns the vector of the exception that a signal with this si_code (more than 0) reports. `trap` is the frame's
 * REG_TRAPNO. Linux leaves the value of an earlier exception there if it sends a signal without an exception's number.
 */
unsigned vector_of(int signal, int code, unsigned trap);

#endif
