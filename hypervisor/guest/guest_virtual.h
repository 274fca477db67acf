/* SPDX-License-Identifier: MIT */
/* Guest memory by virtual address, for reports and debuggers. */
#ifndef HYPERVISOR_GUEST_VIRTUAL_H
#define HYPERVISOR_GUEST_VIRTUAL_H

#include <stdint.h>

#include "guest/guest_memory.h"

/**
 * Where a virtual address is in guest-physical memory, by its page tables (guest_memory.tables): *to, and in *bytes
 * how many bytes are there together at least. 0, or -EFAULT when nothing is mapped there. The tables are the guest's
 * own and may be wrong in every way; what they point at is not checked to be RAM.
 */
int guest_virtual_translate(const struct guest_memory *memory, uint64_t va, gpa_t *to, uint64_t *bytes);

/** Copies out of the guest. 0, or -EFAULT when not all of it is mapped RAM; the destination is then undefined. */
int guest_virtual_read(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes);

/** Copies as much as is mapped without a gap, at most `bytes`. Returns how much. */
uint64_t guest_virtual_read_some(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes);

#endif
