/* SPDX-License-Identifier: MIT */
/* The processor model of Linux programs (--cpu, abi/cpu_model.h), and its register state. */
#ifndef KERNEL_LINUX_CPU_CPU_H
#define KERNEL_LINUX_CPU_CPU_H

/* Layout of the vector registers in the kernel's memory: an FXSAVE area; with v3 also an XSAVE header and the upper
 * halves of the sixteen registers. With v4 also the state of AVX-512, called the wide state here: mask registers, the
 * upper halves of zmm0 to 15, and zmm16 to 31. It is where XSAVE puts it on v4. */
#define CPU_FXSAVE_BYTES 512
#define CPU_HEADER_BYTES 64
#define CPU_UPPER_OFFSET 576
#define CPU_VECTOR_BYTES 832

#define CPU_WIDE_OFFSET 1088
#define CPU_WIDE_BYTES 1600
#define CPU_WIDE_HIGH 64  /* offset in the wide state, after the mask registers */
#define CPU_WIDE_MORE 576 /* zmm16 to zmm31 */
#define CPU_AREA_BYTES 2688

/* In the first byte of the header: the area has the upper halves, or the wide state. */
#define CPU_STATE_AVX 4
#define CPU_STATE_WIDE 0xe0

/* Offset of struct boot_info's flags, and the values of BOOT_FLAG_CPU_UPPER and _WIDE. */
#define CPU_BOOT_FLAGS_AT 12
#define CPU_BOOT_FLAG_UPPER 64
#define CPU_BOOT_FLAG_WIDE 128

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_model.h"
#include "kernel/arch/trap.h"

_Static_assert(CPU_UPPER_OFFSET == CPU_V3_AVX_OFFSET, "as XSAVE has it");
_Static_assert(CPU_VECTOR_BYTES == CPU_V3_XSAVE_BYTES, "as XSAVE has it");
_Static_assert(CPU_WIDE_OFFSET == CPU_V4_MASKS_OFFSET, "as XSAVE has it");
_Static_assert(CPU_WIDE_OFFSET + CPU_WIDE_HIGH == CPU_V4_HIGH_OFFSET, "as XSAVE has it");
_Static_assert(CPU_WIDE_OFFSET + CPU_WIDE_MORE == CPU_V4_MORE_OFFSET, "as XSAVE has it");
_Static_assert(CPU_AREA_BYTES == CPU_V4_XSAVE_BYTES, "as XSAVE has it");

/** The processor model in use. */
extern enum cpu_model cpu_model;

/** Size in bytes of an XSAVE area with all state of the model, and the XCR0 for that state; 0 for v2. */
uint32_t cpu_xsave_bytes(void);
uint32_t cpu_xcr0(void);

/** Which of CPU_STATE_AVX and CPU_STATE_WIDE are not zero. v3 has the former and v4 has both. Lesser models have them
 * where nothing prevents the processor from executing AVX, which programs may use without asking. State that does not
 * exist is zero. */
uint8_t cpu_states_in_use(void);

/** Called at the start, before the other functions. */
void cpu_init(void);

/** A leaf of CPUID, as the running thread sees it. */
struct cpu_leaf cpu_leaf(uint32_t function, uint32_t index);

#define CPU_CODE_BYTES 16

/** Whether the model of Linux programs answers a trapped instruction (enum trap_kind) in its own way. */
bool cpu_answers(unsigned kind);

/** Emulates an instruction for which cpu_answers holds, and moves the frame behind it. Where the processor would raise
 * an exception (the model lacks the instruction, a bad operand), the thread gets the signal instead, and the frame
 * stays. `code` has the instruction's bytes before it was patched; the frame is that of the breakpoint that replaces
 * it. */
void cpu_emulate(struct trap_frame *frame, unsigned kind, const uint8_t code[CPU_CODE_BYTES], unsigned length);

/** Saves and restores the vector registers: CPU_AREA_BYTES, 16-byte aligned. State that does not exist is saved as
 * zeros; the header is zero except for CPU_STATE_AVX and _WIDE. */
void cpu_save_vector(void *area);
void cpu_load_vector(const void *area);

/** Saves and restores only the upper halves, at CPU_UPPER_OFFSET of an area; clears them. */
void cpu_save_upper(void *area);
void cpu_load_upper(const void *area);
void cpu_clear_upper(void);

/** Whether the processor has wide state that differs from its reset state, as far as it knows. */
bool cpu_wide_begun(void);

/** cpu_save_wide saves only the wide state, CPU_WIDE_BYTES, or nothing if cpu_wide_begun is false. cpu_load_wide
 * restores it; afterwards the upper halves must not be changed. cpu_clear_wide clears it if the processor has it. */
void cpu_save_wide(void *state);
void cpu_load_wide(const void *state);
void cpu_clear_wide(void);

/** Loads the upper halves and the wide state of an area, or clears them if the area has none. */
void cpu_restore_upper(const void *area);

/** Sets the vector registers to their state at a program's start. */
void cpu_clear_vector(void);

#endif
#endif
