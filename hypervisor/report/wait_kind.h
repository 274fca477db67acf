/* SPDX-License-Identifier: MIT */
/* The kind of lock that a thread waits for on a futex, by the function of a C library or of Rust's in which it waits.
 * The memory of such locks does not tell them from others. */
#ifndef HYPERVISOR_WAIT_KIND_H
#define HYPERVISOR_WAIT_KIND_H

/** Returns the kind, "semaphore", by the functions in a stack that report_stack has written; NULL: it knows no
 * function.
 */
const char *wait_kind_of(const char *frames);

#endif
