/* SPDX-License-Identifier: MIT */
/* Requests to ring 0, by a breakpoint. Each costs 3 us on kvm-pvm and 0.1 us on a processor. */
#ifndef KERNEL_ARCH_GATE_H
#define KERNEL_ARCH_GATE_H

#include <stdint.h>

#include "abi/image.h"

/** Asks ring 0 for a GATE_* operation; by the functions below only. */
void gate_call(uint32_t operation, uint64_t argument);

/** Forgets the translation of one page (INVLPG). */
static inline void gate_invlpg(uint64_t address)
{
	gate_call(GATE_INVLPG, address);
}

/** Loads the root of the page tables, guest-physical, and forgets all translations. */
static inline void gate_load_cr3(uint64_t root)
{
	gate_call(GATE_LOAD_CR3, root);
}

/** Sets the FS base (MSR IA32_FS_BASE), on processors whose ring 3 cannot. */
static inline void gate_set_fs_base(uint64_t base)
{
	gate_call(GATE_SET_FS_BASE, base);
}

#endif
