/* SPDX-License-Identifier: MIT */
/* Exceptions of the guest. */
#ifndef ENGINE_PROCESS_STUB_EXCEPTIONS_H
#define ENGINE_PROCESS_STUB_EXCEPTIONS_H

#include <stdint.h>
#include <sys/ucontext.h>

/**
 * Delivers an exception to the guest. `error` counts for vectors that have an error code, `address` is CR2 for a page
 * fault. RIP is where the guest is to return to.
 */
void exceptions_deliver(ucontext_t *context, unsigned vector, uint64_t error, uint64_t address);

#endif
