/* SPDX-License-Identifier: MIT */
/* Guest memory by virtual address, for reports and debuggers. */
#ifndef HYPERVISOR_GUEST_VIRTUAL_H
#define HYPERVISOR_GUEST_VIRTUAL_H

#include <stdint.h>

#include "guest/guest_memory.h"

/**
 * Translates a virtual address to a guest-physical one, by the page tables at guest_memory.tables. Sets *to, and *bytes
 * to a number of bytes that are contiguous from there. Returns 0, or -EFAULT if nothing is mapped there. The tables are
 * untrusted, and *to is not checked to be RAM.
 */
int guest_virtual_translate(const struct guest_memory *memory, uint64_t va, gpa_t *to, uint64_t *bytes);

/**
 * Copies out of the guest. Returns 0, or -EFAULT if not all of the range is mapped RAM; the destination is then
 * undefined.
 */
int guest_virtual_read(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes);

/** Copies up to `bytes` bytes, until the first address that is not mapped. Returns the number copied. */
uint64_t guest_virtual_read_some(const struct guest_memory *memory, uint64_t va, void *to, uint64_t bytes);

#endif
