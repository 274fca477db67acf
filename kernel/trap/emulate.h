/* SPDX-License-Identifier: MIT */
/* Emulation of instructions with host-dependent results: the monitor patches them to int3, or the processor refuses
 * them, and the kernel computes the result. */
#ifndef KERNEL_TRAP_EMULATE_H
#define KERNEL_TRAP_EMULATE_H

#include <stdbool.h>

#include "abi/boot.h"
#include "kernel/arch/trap.h"

/** Sets the table of patched instructions. */
void emulate_init(const struct boot_info *boot);

/** The patched instruction that starts at an address, or NULL. Valid until the next call. */
const struct trap_site *emulate_site(uint64_t address);

/** Handles a breakpoint that replaces an instruction emulated only for Linux programs: `pause`, a decision point, and
 * instructions that the models v3 and v4 answer in their own way. Returns whether it was one. */
bool emulate_own(struct trap_frame *frame);

/** Handles a breakpoint that replaces a patched instruction: emulates it and moves the frame behind it. An instruction
 * that the processor model lacks becomes SIGILL. Returns whether it was one. */
bool emulate_trap_site(struct trap_frame *frame);

#define CPUID_BYTES 2

/** Whether a general-protection fault comes from CPUID, which some processors can deny to ring 3 (SDM volume 3B, "CPUID
 * faulting"). */
bool emulate_is_refused_cpuid(const struct trap_frame *frame);

/** Handles a general-protection fault or invalid opcode of RDTSC or RDTSCP (denied to ring 3 by CR4.TSD), of CPUID, or
 * of the FSGSBASE instructions, which old processors lack. Emulates the instruction and moves the frame behind it.
 * Returns whether it was one. */
bool emulate_refused(struct trap_frame *frame);

/** emulate_refused without the instructions that are emulated only for Linux programs. */
bool emulate_refused_common(struct trap_frame *frame);

#endif
