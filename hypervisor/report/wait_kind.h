/* SPDX-License-Identifier: MIT */
/* The kind of lock that a thread waits for on a futex, by the function of a C library or of Rust's in which it waits.
 * The memory of such locks does not tell them from others. */
#ifndef HYPERVISOR_WAIT_KIND_H
#define HYPERVISOR_WAIT_KIND_H

/** Returns the kind, "semaphore", by the names in a stack of report_stack's form; NULL: none of the functions is known.
 */
const char *wait_kind_of(const char *frames);

#endif
