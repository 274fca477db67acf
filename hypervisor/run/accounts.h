/* SPDX-License-Identifier: MIT */
/* Has a guest that was stopped from outside close the accounts of its threads, which only its kernel can. */
#ifndef HYPERVISOR_ACCOUNTS_H
#define HYPERVISOR_ACCOUNTS_H

#include <stdbool.h>

#include "abi/image.h"
#include "engine/engine.h"

#define ACCOUNTS_LIMIT_NS 200000000UL

/**
 * Whether the kernel's state is whole where the guest stands, which came back with `exit`: the program runs, or the
 * kernel waits for what is no part of a decision. The registers are the guest's, and may be any.
 */
bool accounts_can_be_closed(const struct image_header *image, const struct engine_exit *exit,
                            const struct engine_registers *registers);

/**
 * Lets the guest close them. Its registers are gone afterwards, and it must not go on; the program's memory stays.
 * False when it has not done it within ACCOUNTS_LIMIT_NS of wall time, once engine_ops.interrupt is called then. The
 * registers must have been read, which completes a doorbell's instruction.
 */
bool accounts_close(const struct image_header *image, const struct engine_ops *ops, struct engine *engine);

#endif
