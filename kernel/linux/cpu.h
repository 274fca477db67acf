/* SPDX-License-Identifier: MIT */
/* The processor model of Linux programs (--cpu, abi/cpu_model.h), and what it has for state. */
#ifndef KERNEL_LINUX_CPU_H
#define KERNEL_LINUX_CPU_H

/* Bytes of the vector registers as the kernel keeps them: an FXSAVE area, and with v3 an XSAVE area's header and the
 * upper halves of the sixteen registers. */
#define CPU_FXSAVE_BYTES 512
#define CPU_HEADER_BYTES 64
#define CPU_UPPER_OFFSET 576
#define CPU_VECTOR_BYTES 832

/* In the first byte of the header: the upper halves are there. */
#define CPU_STATE_AVX 4

/* struct boot_info's flags, and BOOT_FLAG_CPU_UPPER. */
#define CPU_BOOT_FLAGS_AT 12
#define CPU_BOOT_FLAG_UPPER 64

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_model.h"
#include "kernel/arch/trap.h"

_Static_assert(CPU_UPPER_OFFSET == CPU_V3_AVX_OFFSET, "as XSAVE has it");
_Static_assert(CPU_VECTOR_BYTES == CPU_V3_XSAVE_BYTES, "as XSAVE has it");

/** Whether it is v3. */
extern bool cpu_is_v3;

/** Whether any of the upper halves is not zero. There are some in v3, and in v2 where nothing keeps the processor from
 * executing AVX, which programs may do that do not ask; where there are none they count as zero. */
bool cpu_upper_in_use(void);

/** At the start, before any of these. */
void cpu_init(void);

/** A leaf of CPUID, as the running thread is told it. */
struct cpu_leaf cpu_leaf(uint32_t function, uint32_t index);

#define CPU_CODE_BYTES 16

/** Whether a trapped instruction (enum trap_kind) is one that a Linux program's processor answers in its own way. */
bool cpu_answers(unsigned kind);

/** Does the work of such an instruction, with what it was before it was patched, behind it; the frame is that of the
 * breakpoint in its place. Ends in a signal when the model does not have it so. */
void cpu_emulate(struct trap_frame *frame, unsigned kind, const uint8_t code[CPU_CODE_BYTES], unsigned length);

/** The vector registers to memory and back: CPU_VECTOR_BYTES, 16-byte aligned. What there is no state of is zeros, and
 * so is the header but for CPU_STATE_AVX. */
void cpu_save_vector(void *area);
void cpu_load_vector(const void *area);

/** The upper halves alone, at CPU_UPPER_OFFSET of an area; and to be zero. */
void cpu_save_upper(void *area);
void cpu_load_upper(const void *area);
void cpu_clear_upper(void);

/** Loads the upper halves of an area, or has them be zero if it has none, or they are not in use any more. */
void cpu_restore_upper(const void *area);

/** The vector registers are as a program finds them at its start. */
void cpu_clear_vector(void);

#endif
#endif
