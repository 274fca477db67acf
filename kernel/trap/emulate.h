/* SPDX-License-Identifier: MIT */
/* Emulation of instructions with host-dependent results: the monitor patches them to int3, or the processor refuses
 * them, and the kernel computes the result. */
#ifndef KERNEL_TRAP_EMULATE_H
#define KERNEL_TRAP_EMULATE_H

#include <stdbool.h>

#include "abi/boot.h"
#include "kernel/arch/trap.h"

/** Handles a breakpoint that replaces a patched instruction: emulates it and moves the frame behind it. An instruction
 * that the processor model lacks becomes SIGILL. Returns whether it was one. */
bool emulate_trap_site(struct trap_frame *frame);

#define CPUID_BYTES 2

/** Whether a general-protection fault comes from CPUID, which some processors can deny to ring 3 (SDM volume 3B, "CPUID
 * faulting"). */
bool emulate_is_refused_cpuid(const struct trap_frame *frame);

/** RDTSC: takes time, and sets rax and rdx to the virtual time. */
void emulate_rdtsc(struct trap_frame *frame);

/** personality.emulate_refused, for the instructions that are emulated in both kinds of image. */
bool emulate_refused(struct trap_frame *frame);

#endif
