/* SPDX-License-Identifier: MIT */
/* The processor model. The boot door sets it once. */
#include "kernel/linux/cpu/cpu.h"

#include <stddef.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/xsave.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/scheduling.h"
#include "kernel/trap/base_instruction.h"
#include "kernel/trap/descriptor.h"
#include "kernel/trap/x87_state.h"

enum cpu_model cpu_model;

_Static_assert(offsetof(struct boot_info, flags) == CPU_BOOT_FLAGS_AT, "vector_upper.inc");
_Static_assert(BOOT_FLAG_CPU_UPPER == CPU_BOOT_FLAG_UPPER, "vector_upper.inc");
_Static_assert(BOOT_FLAG_CPU_WIDE == CPU_BOOT_FLAG_WIDE, "vector_upper.inc");

void cpu_init(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	assert(boot->processors >= 1);
	assert(boot->processors <= CPU_PROCESSORS_MAX);
	cpu_model = boot->flags & BOOT_FLAG_CPU_V4 ? CPU_V4 : boot->flags & BOOT_FLAG_CPU_V3 ? CPU_V3 : CPU_V2;
	scheduling_processors = boot->processors;
}

uint32_t cpu_xsave_bytes(void)
{
	static const uint32_t bytes[] = {[CPU_V2] = 0, [CPU_V3] = CPU_V3_XSAVE_BYTES, [CPU_V4] = CPU_V4_XSAVE_BYTES};
	return bytes[cpu_model];
}

uint32_t cpu_xcr0(void)
{
	return cpu_model == CPU_V4 ? CPU_V4_XCR0 : CPU_V3_XCR0;
}

/* Which states of an area are not zero, as words: this runs for each function that is bound lazily. */
static uint8_t states_by_value(const uint8_t *area)
{
	const uint64_t *upper = (const uint64_t *)(area + CPU_UPPER_OFFSET),
		       *wide = (const uint64_t *)(area + CPU_WIDE_OFFSET);
	uint64_t any_upper = 0, any_wide = 0;
	for (unsigned i = 0; i < CPU_V3_AVX_BYTES / sizeof(*upper); i++)
		any_upper |= upper[i];
	for (unsigned i = 0; i < CPU_WIDE_BYTES / sizeof(*wide); i++)
		any_wide |= wide[i];
	return (any_upper ? CPU_STATE_AVX : 0) | (any_wide ? CPU_STATE_WIDE : 0);
}

/* Saves the upper halves and the wide state. Returns which of them are not zero. */
static uint8_t save_states(uint8_t *area)
{
	cpu_save_upper(area);
	memset(area + CPU_VECTOR_BYTES, 0, CPU_AREA_BYTES - CPU_VECTOR_BYTES);
	cpu_save_wide(area + CPU_WIDE_OFFSET);
	return states_by_value(area);
}

uint8_t cpu_states_in_use(void)
{
	static uint8_t area[CPU_AREA_BYTES] __attribute__((aligned(16)));
	return save_states(area);
}

struct cpu_leaf cpu_leaf(uint32_t function, uint32_t index)
{
	struct cpu_leaf leaf =
		cpu_model == CPU_V2 ? cpu_model_leaf(function, index) : cpu_model_avx_leaf(cpu_model, function, index);
	return cpu_model_topology(leaf, scheduling_processors, thread_processor(thread_current));
}

void cpu_cpuid(struct trap_frame *frame)
{
	struct cpu_leaf leaf = cpu_leaf((uint32_t)frame->rax, (uint32_t)frame->rcx);
	frame->rax = leaf.eax;
	frame->rbx = leaf.ebx;
	frame->rcx = leaf.ecx;
	frame->rdx = leaf.edx;
}

bool cpu_answers(unsigned kind)
{
	return kind == TRAP_CPUID || kind == TRAP_SEGMENT || kind == TRAP_DESCRIPTOR || kind == TRAP_X87_STATE ||
	       kind == TRAP_BASE || (cpu_model >= CPU_V3 && (kind == TRAP_XGETBV || kind == TRAP_XSAVE));
}

void cpu_emulate(struct trap_frame *frame, unsigned kind, const uint8_t code[CPU_CODE_BYTES], unsigned length)
{
	const uint64_t address = frame->rip - 1;
	bool done = true;
	if (kind == TRAP_SEGMENT || kind == TRAP_DESCRIPTOR) {
		descriptor_emulate(frame, code, length);
		return;
	}
	if (kind == TRAP_X87_STATE) {
		x87_state_emulate(frame, code, length);
		return;
	}
	if (kind == TRAP_BASE) {
		base_instruction_trapped(frame, code, address);
		return;
	}
	if (kind == TRAP_XSAVE) {
		xsave_emulate(frame, code, length);
		return;
	}
	if (kind == TRAP_CPUID) {
		cpu_cpuid(frame);
	} else {
		done = !(uint32_t)frame->rcx; /* XCR0 is the only extended control register */
		frame->rax = done ? cpu_xcr0() : frame->rax;
		frame->rdx = done ? 0 : frame->rdx;
	}
	frame->rip = done ? address + length : address;
	if (!done) {
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
		             "the program executed XGETBV for a register that its processor model does not have");
	}
}

void cpu_save_vector(void *area)
{
	uint8_t *header = (uint8_t *)area + CPU_FXSAVE_BYTES;
	signal_vector_save(area);
	memset(header, 0, CPU_HEADER_BYTES);
	header[0] = save_states(area);
}

void cpu_restore_upper(const void *area)
{
	/* What an area calls in use may be zero: XSTATE_BV is the model's, and marks each state that was asked for. A
	 * processor that is loaded with zeros takes the upper halves for dirty, and SSE code then pays for a transition
	 * or a false dependency at each instruction (Intel's optimization manual, "Mixing AVX Code with SSE Code").
	 * VZEROUPPER makes them clean. */
	const uint8_t states = ((const uint8_t *)area)[CPU_FXSAVE_BYTES] & states_by_value(area);
	if (states & CPU_STATE_AVX)
		cpu_load_upper(area);
	else
		cpu_clear_upper();
	if (states & CPU_STATE_WIDE)
		cpu_load_wide((const uint8_t *)area + CPU_WIDE_OFFSET);
	else
		cpu_clear_wide();
}

void cpu_load_vector(const void *area)
{
	signal_vector_load(area);
	cpu_restore_upper(area);
}

void cpu_clear_vector(void)
{
	static const uint8_t zeros[CPU_AREA_BYTES] __attribute__((aligned(16)));
	static uint8_t clear[CPU_FXSAVE_BYTES] __attribute__((aligned(16)));
	signal_vector_default_environment();
	signal_vector_save(clear);
	memset(clear + 32, 0, sizeof(clear) - 32); /* the registers, after control words and masks */
	signal_vector_load(clear);
	cpu_restore_upper(zeros);
}
