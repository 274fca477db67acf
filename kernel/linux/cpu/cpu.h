/* SPDX-License-Identifier: MIT */
/* The processor model of Linux programs (--cpu, abi/cpu_model.h), and what it has for state. */
#ifndef KERNEL_LINUX_CPU_CPU_H
#define KERNEL_LINUX_CPU_CPU_H

/* Bytes of the vector registers as the kernel keeps them: an FXSAVE area, and with v3 an XSAVE area's header and the
 * upper halves of the sixteen registers. With v4 also, where that has it, the state of AVX-512, which is called wide
 * here: mask registers, the rest of zmm0 to 15, and zmm16 to 31. */
#define CPU_FXSAVE_BYTES 512
#define CPU_HEADER_BYTES 64
#define CPU_UPPER_OFFSET 576
#define CPU_VECTOR_BYTES 832

#define CPU_WIDE_OFFSET 1088
#define CPU_WIDE_BYTES 1600
#define CPU_WIDE_HIGH 64  /* in it: behind the mask registers */
#define CPU_WIDE_MORE 576 /* zmm16 to 31 */
#define CPU_AREA_BYTES 2688

/* In the first byte of the header: the upper halves are there, and the wide state. */
#define CPU_STATE_AVX 4
#define CPU_STATE_WIDE 0xe0

/* struct boot_info's flags, and BOOT_FLAG_CPU_UPPER and _WIDE. */
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

/** Which it is. */
extern enum cpu_model cpu_model;

/** Bytes of an XSAVE area with all that the model has, and the XCR0 that tells of it; 0 for v2. */
uint32_t cpu_xsave_bytes(void);
uint32_t cpu_xcr0(void);

/** Which of CPU_STATE_AVX and CPU_STATE_WIDE are not zero. There is the one in v3 and both in v4, and in lesser models
 * where nothing keeps the processor from executing AVX, which programs may do that do not ask; what there is not is
 * zero. */
uint8_t cpu_states_in_use(void);

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

/** The vector registers to memory and back: CPU_AREA_BYTES, 16-byte aligned. What there is no state of is zeros, and
 * so is the header but for CPU_STATE_AVX and _WIDE. */
void cpu_save_vector(void *area);
void cpu_load_vector(const void *area);

/** The upper halves alone, at CPU_UPPER_OFFSET of an area; and to be zero. */
void cpu_save_upper(void *area);
void cpu_load_upper(const void *area);
void cpu_clear_upper(void);

/** Whether the processor has wide state that is not as after a reset, as far as it knows. */
bool cpu_wide_begun(void);

/** That alone, CPU_WIDE_BYTES, or nothing where it says no; back, which nothing that changes the upper halves may
 * follow, and to be zero, where there is any. */
void cpu_save_wide(void *state);
void cpu_load_wide(const void *state);
void cpu_clear_wide(void);

/** Loads the upper halves and the wide state of an area, or has them be zero if it has none. */
void cpu_restore_upper(const void *area);

/** The vector registers are as a program finds them at its start. */
void cpu_clear_vector(void);

#endif
#endif
