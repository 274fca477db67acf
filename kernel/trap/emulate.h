/* SPDX-License-Identifier: MIT */
/* Instructions whose results are the host's: patched to int3 by the monitor or refused by the processor, and computed
 * here instead. */
#ifndef KERNEL_TRAP_EMULATE_H
#define KERNEL_TRAP_EMULATE_H

#include <stdbool.h>

#include "abi/boot.h"
#include "kernel/arch/trap.h"

/** Takes over the table of patched instructions. */
void emulate_init(const struct boot_info *boot);

/** The patched instruction whose first byte an address is, or NULL. Valid until the next call. */
const struct trap_site *emulate_site(uint64_t address);

/** If the breakpoint is in the place of an instruction that only Linux programs have done for them (`pause`, a decision
 * point, and what the processor models v3 and v4 answer in their own way): does its work. Whether it was. */
bool emulate_own(struct trap_frame *frame);

/**
 * If the breakpoint is one of the patched instructions: does its work and moves the frame behind it. An
 * instruction that the processor model does not have becomes SIGILL. Returns whether it was.
 */
bool emulate_trap_site(struct trap_frame *frame);

#define CPUID_BYTES 2

/** Whether a general-protection fault is CPUID's: some processors can keep it from ring 3 (SDM volume 3B, "CPUID
 * faulting"). */
bool emulate_is_refused_cpuid(const struct trap_frame *frame);

/**
 * If a general-protection fault or invalid opcode is RDTSC or RDTSCP, which CR4.TSD keeps from ring 3, CPUID, or one of
 * the FSGSBASE instructions, which old processors lack: does its work and moves the frame behind it.
 * Returns whether it was.
 */
bool emulate_refused(struct trap_frame *frame);

/** The same without what only Linux programs have. */
bool emulate_refused_common(struct trap_frame *frame);

#endif
