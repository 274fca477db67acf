/* SPDX-License-Identifier: MIT */
/* A system call as the guest has noted it, and the memory that came with it. All is untrusted. */
#ifndef HYPERVISOR_STRACE_CALL_H
#define HYPERVISOR_STRACE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/strace.h"

/** Copies of memory: struct strace_piece and its bytes, one after the other. */
struct strace_pieces {
	uint8_t *from;
	size_t bytes;
};

struct strace_call {
	unsigned number;
	uint64_t arguments[STRACE_ARGUMENTS];
	struct strace_pieces begin; /**< memory when it began; the call's own */
	struct strace_pieces end;   /**< memory when it ended */
	bool has_ended;
	int64_t result;
};

/** Appends pieces to those of the beginning, which are two records at most. Returns 0, -ENOMEM or -E2BIG. */
int strace_call_add(struct strace_call *call, const uint8_t *from, size_t bytes);

/** Forgets the call. */
void strace_call_fini(struct strace_call *call);

/**
 * Memory at an address as it was when the call began. What was not mapped then is taken from the end. Returns where
 * `bytes` bytes are, or NULL.
 */
const void *strace_call_in(const struct strace_call *call, uint64_t address, size_t bytes);

/** Memory at an address as it was when the call had ended, or NULL. */
const void *strace_call_out(const struct strace_call *call, uint64_t address, size_t bytes);

/** The same for a string or a buffer: as many bytes as there are, at most *bytes, which is set to their number. */
const char *strace_call_text_in(const struct strace_call *call, uint64_t address, size_t *bytes);
const char *strace_call_text_out(const struct strace_call *call, uint64_t address, size_t *bytes);

#endif
