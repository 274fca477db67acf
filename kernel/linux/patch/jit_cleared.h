/* SPDX-License-Identifier: MIT */
/* Places in code made at run time that look like an instruction to patch, and that the monitor has found to be none. As
 * long as the bytes around such a place are the same, its page need not be judged again because of it. Each address
 * space has a table, which forgets places when others take their slots. */
#ifndef KERNEL_LINUX_PATCH_JIT_CLEARED_H
#define KERNEL_LINUX_PATCH_JIT_CLEARED_H

#include <stdbool.h>
#include <stdint.h>

/** Bytes before a place, and from it on, that must be the same. */
#define JIT_CLEARED_REACH 32U

struct jit_cleared;

/** Whether a place is known to be no instruction; `at` points to its byte, between JIT_CLEARED_REACH others. */
bool jit_cleared_has(const struct jit_cleared *table, uint64_t address, const uint8_t *at);

/** Adds a place. Makes the table if *table is NULL; without memory it adds nothing. */
void jit_cleared_add(struct jit_cleared **table, uint64_t address, const uint8_t *at);

#endif
