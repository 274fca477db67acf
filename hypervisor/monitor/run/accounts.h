/* SPDX-License-Identifier: MIT */
/* Closes the accounts of threads in a guest that was stopped from outside. Only the guest's kernel can do that. */
#ifndef HYPERVISOR_ACCOUNTS_H
#define HYPERVISOR_ACCOUNTS_H

#include <stdbool.h>

#include "abi/image.h"
#include "engine/engine.h"

#define ACCOUNTS_LIMIT_NS 200000000UL

/**
 * Whether the kernel's state is consistent where the guest stopped with `exit`: either the program was running, or the
 * kernel was waiting outside a scheduling decision. The registers are the guest's and can hold any value.
 */
bool accounts_can_be_closed(const struct image_header *image, const struct engine_exit *exit,
                            const struct engine_registers *registers);

/**
 * Runs the guest's kernel to close the accounts. This destroys the guest's registers, so the guest must not continue;
 * the program's memory stays. Returns false if the guest has not finished when engine_ops.interrupt is called after
 * ACCOUNTS_LIMIT_NS of wall time. The registers must have been read before, because that completes a doorbell's
 * instruction.
 */
bool accounts_close(const struct image_header *image, const struct engine_ops *ops, struct engine *engine);

#endif
