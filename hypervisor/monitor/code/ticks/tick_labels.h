/* SPDX-License-Identifier: MIT */
/* Places of a file's code to which its data point, and the labels of a function for planning: beside jump tables of
 * distances (code_tables.h), tables of addresses, as interpreters have them. */
#ifndef HYPERVISOR_TICK_LABELS_H
#define HYPERVISOR_TICK_LABELS_H

#include "code/code_bits.h"

/** Sets the bit of each address in code that an aligned word of the file has: a pointer in data, or the addend of a
 * relocation. */
void tick_labels_mark_pointed(struct code_bits *pointed, const struct code_map *map);

/**
 * Adds all labels of a function that can be known, and sets listed[] of each byte of the function: whether an indirect
 * jump may lead there. An indirect jump is understood if it is that of a `switch`, or if it takes its target from
 * memory as it is. Returns 1 if not all labels are known, 0, or -ENOMEM.
 */
int tick_labels_add(struct code_map *map, const struct code_area *area, const struct code_bits *pointed,
                    struct code_function *function, bool *listed);

#endif
