/* SPDX-License-Identifier: MIT */
/* Requests to ring 0, by a breakpoint, or to a routine of the engine (abi/translation.h). Each breakpoint costs 10 us
 * on kvm-pvm, most of it for the operation, and 0.1 us on hardware. */
#ifndef KERNEL_ARCH_GATE_H
#define KERNEL_ARCH_GATE_H

#include <stdint.h>

/** Invalidates the translation of one page (INVLPG). */
void gate_invlpg(uint64_t address);

/** Loads the guest-physical root of the page tables, and invalidates all translations. */
void gate_load_cr3(uint64_t root);

/** Invalidates all translations; the root is the one that is loaded. */
void gate_reload_cr3(uint64_t root);

/** Says that the program will use an address whose page was not mapped. An engine that follows the page tables by
 * faults then needs none for it; others do nothing. */
void gate_show(uint64_t address);

/** Sets the FS base (MSR IA32_FS_BASE), on processors where ring 3 cannot. */
void gate_set_fs_base(uint64_t base);

/** The address in ring 3 at which a `syscall` instruction continues; set at the start. */
extern uint64_t gate_syscall_target;

#endif
