/* SPDX-License-Identifier: MIT */
/* Delivers exceptions to the guest. */
#ifndef ENGINE_PROCESS_STUB_EXCEPTIONS_H
#define ENGINE_PROCESS_STUB_EXCEPTIONS_H

#include <stdint.h>
#include <sys/ucontext.h>

/**
 * Delivers an exception to the guest. `error` is used for vectors with an error code; `address` is CR2 for a page
 * fault. RIP must be the address to which the guest returns.
 */
void exceptions_deliver(ucontext_t *context, unsigned vector, uint64_t error, uint64_t address);

#endif
