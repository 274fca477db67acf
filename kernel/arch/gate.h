/* SPDX-License-Identifier: MIT */
/* Requests to ring 0, by a breakpoint. Each costs 10 us on kvm-pvm, most of it for what is asked, and 0.1 us on a
 * processor. */
#ifndef KERNEL_ARCH_GATE_H
#define KERNEL_ARCH_GATE_H

#include <stdint.h>

/** Forgets the translation of one page (INVLPG). */
void gate_invlpg(uint64_t address);

/** Loads the root of the page tables, guest-physical, and forgets all translations. */
void gate_load_cr3(uint64_t root);

/** Sets the FS base (MSR IA32_FS_BASE), on processors whose ring 3 cannot. */
void gate_set_fs_base(uint64_t base);

#endif
