/* SPDX-License-Identifier: MIT */
/* Frames of signal handlers with the upper halves of vector registers. The register area follows the frame, as Linux
 * describes it (arch/x86/include/uapi/asm/sigcontext.h): an XSAVE area with markers for its kind and its end. */
#include "kernel/linux/signal/xsave_frame.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/cpu/xsave.h"
#include "kernel/linux/entry/rseq.h"

#define AREA_ALIGNMENT 64
#define MAGIC_BEGIN 0x46505853U
#define MAGIC_END 0x46505845U
#define MXCSR_AT 24
#define MXCSR_KNOWN 0xffffU

/* The unused end of the FXSAVE area, which describes the rest. */
struct description {
	uint32_t magic, all_bytes;
	uint64_t states;
	uint32_t bytes, padding[7];
};

#define DESCRIPTION_AT 464
_Static_assert(DESCRIPTION_AT + sizeof(struct description) == CPU_FXSAVE_BYTES, "struct _fpx_sw_bytes");

/* The register area, followed by its end mark. */
struct area {
	uint8_t vector[CPU_AREA_BYTES + sizeof(uint32_t)];
} __attribute__((aligned(16)));

/* Size of the area in a new frame: that of the model, or larger, because more state is in use. */
static uint32_t area_bytes(void)
{
	const uint8_t in_use = cpu_states_in_use();
	const uint32_t bytes = in_use & CPU_STATE_WIDE ? CPU_AREA_BYTES : in_use ? CPU_VECTOR_BYTES : 0;
	return bytes > cpu_xsave_bytes() ? bytes : cpu_xsave_bytes();
}

static void describe_xsave(struct area *area, uint32_t bytes)
{
	const uint32_t end = MAGIC_END;
	const struct description description = {
		.magic = MAGIC_BEGIN,
		.all_bytes = bytes + sizeof(end),
		.states = bytes == CPU_AREA_BYTES ? CPU_V4_XCR0 : CPU_V3_XCR0,
		.bytes = bytes,
	};
	memcpy(area->vector + DESCRIPTION_AT, &description, sizeof(description));
	memcpy(area->vector + CPU_FXSAVE_BYTES, &description.states, sizeof(description.states));
	memcpy(area->vector + bytes, &end, sizeof(end));
}

static int push_frame(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                      uint64_t mask, uint64_t return_address)
{
	static struct signal_frame built;
	static struct area area;
	const struct trap_frame before = *frame;
	const uint32_t bytes = area_bytes(), all = bytes + sizeof(uint32_t);
	if (!bytes)
		return signal_frame_build(frame, action, info, mask, return_address);
	/* How far the frame moves down for the area, its end mark and its alignment. */
	const uint64_t room = (all + AREA_ALIGNMENT - 1 + 15) & ~15UL;
	cpu_save_vector(area.vector); /* before the handler's environment is loaded */
	int result = signal_frame_build(frame, action, info, mask, return_address);
	if (result)
		return result;
	const uint64_t sp = frame->rsp - room;
	const uint64_t at = (sp + sizeof(built) + AREA_ALIGNMENT - 1) & ~(uint64_t)(AREA_ALIGNMENT - 1);
	describe_xsave(&area, bytes);
	result = copy_from_user(&built, (const void *)frame->rsp, sizeof(built));
	built.context.uc_flags |= LINUX_UC_FP_XSTATE;
	built.context.fpregs = (void *)at;
	if (!result)
		result = copy_to_user((void *)sp, &built, sizeof(built));
	if (!result)
		result = copy_to_user((void *)at, &area, all);
	if (result) {
		*frame = before;
		return result;
	}
	frame->rsp = sp;
	frame->rsi -= room;
	frame->rdx -= room;
	return 0;
}

int xsave_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                     uint64_t mask, uint64_t return_address)
{
	rseq_interrupted(frame);
	int result = push_frame(frame, action, info, mask, return_address);
	if (!result)
		frame->cs = SELECTOR_RING3_CODE; /* the program may have gone to code of 32 bits */
	return result;
}

/* Size of the area in a frame: the model's, or as much as was in use when the frame was made. */
static uint32_t area_bytes_of(const struct signal_frame *built)
{
	struct description said;
	const uint8_t *at = (const uint8_t *)built->context.fpregs + DESCRIPTION_AT;
	if (copy_from_user(&said, at, sizeof(said)) || said.magic != MAGIC_BEGIN ||
	    (said.bytes != CPU_VECTOR_BYTES && said.bytes != CPU_AREA_BYTES))
		return cpu_xsave_bytes();
	return said.bytes;
}

int xsave_frame_pop(struct trap_frame *frame, struct signal_frame *built)
{
	static struct area area;
	uint32_t mxcsr;
	uint64_t states;
	const uint32_t bytes = area_bytes_of(built);
	memset(&area, 0, sizeof(area));
	if (bytes) {
		if (copy_from_user(&area, built->context.fpregs, bytes))
			return -EFAULT;
		memcpy(built->vector, area.vector, CPU_FXSAVE_BYTES);
		memcpy(&states, area.vector + CPU_FXSAVE_BYTES, sizeof(states));
		xsave_clear(area.vector, states);
	}
	memcpy(&mxcsr, built->vector + MXCSR_AT, sizeof(mxcsr));
	mxcsr &= MXCSR_KNOWN; /* the program may have changed it, and FXRSTOR faults with another */
	memcpy(built->vector + MXCSR_AT, &mxcsr, sizeof(mxcsr));
	signal_frame_pop(frame, built);
	if ((built->context.gregs[LINUX_REG_CSGSFS] & 0xffff) == SELECTOR_RING3_CODE32)
		frame->cs = SELECTOR_RING3_CODE32;
	cpu_restore_upper(area.vector);
	return 0;
}
