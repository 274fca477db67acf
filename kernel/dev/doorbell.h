/* SPDX-License-Identifier: MIT */
/* The guest's side of the doorbell: one request to the monitor. */
#ifndef KERNEL_DEV_DOORBELL_H
#define KERNEL_DEV_DOORBELL_H

#include <stdint.h>

#include "abi/doorbell.h"

/** Asks the monitor for an operation and waits for its answer: 0 or more, or a negative errno. */
int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1);

/** The guest-physical address of kernel memory, which may be a variable of the image. */
uint64_t doorbell_address(const void *memory);

/** If set, called before a request whose answer the monitor writes to this guest-physical memory. */
extern void (*doorbell_writes)(uint64_t address, uint64_t bytes);

#endif
