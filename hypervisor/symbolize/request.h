/* SPDX-License-Identifier: MIT */
/* What the monitor writes to the standard input of eremite-symbolize: this structure, then the stack's bytes. The
 * image's path is the only argument; the answer is text, one line a frame. */
#ifndef HYPERVISOR_SYMBOLIZE_REQUEST_H
#define HYPERVISOR_SYMBOLIZE_REQUEST_H

#include <stdint.h>

#define SYMBOLIZE_MAGIC 0x31626d7973657265UL /* "eresymb1" */
#define SYMBOLIZE_REGISTERS 17
#define SYMBOLIZE_RBP 6
#define SYMBOLIZE_RSP 7
#define SYMBOLIZE_RIP 16
#define SYMBOLIZE_STACK_MAX 0x100000UL
#define SYMBOLIZE_FRAMES_MAX 64

struct symbolize_request {
	uint64_t magic;
	uint64_t registers[SYMBOLIZE_REGISTERS]; /**< as in struct fault_report */
	uint64_t stack_address;                  /**< virtual address of the first byte that follows */
	uint64_t stack_bytes;                    /**< at most SYMBOLIZE_STACK_MAX */
};

_Static_assert(sizeof(struct symbolize_request) == 160, "symbolize_request");

#endif
