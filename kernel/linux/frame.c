/* SPDX-License-Identifier: MIT */
/* Frames of signal handlers with the upper halves of vector registers. The registers' area lies behind the frame, as
 * Linux describes it (arch/x86/include/uapi/asm/sigcontext.h): an XSAVE area that says of itself what it is and where
 * it ends. */
#include "kernel/linux/frame.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu.h"
#include "kernel/linux/rseq.h"

#define AREA_ALIGNMENT 64
#define MAGIC_BEGIN 0x46505853U
#define MAGIC_END 0x46505845U
#define MXCSR_AT 24
#define MXCSR_KNOWN 0xffffU
#define STATE_AVX 4U

/* What the unused end of the FXSAVE area says of the rest. */
struct description {
	uint32_t magic, all_bytes;
	uint64_t states;
	uint32_t bytes, padding[7];
};

#define DESCRIPTION_AT 464
_Static_assert(DESCRIPTION_AT + sizeof(struct description) == CPU_FXSAVE_BYTES, "struct _fpx_sw_bytes");

/* How much lower the frame lies for the area, its end mark and its alignment. */
#define ROOM 912
_Static_assert(ROOM >= CPU_VECTOR_BYTES + 4 + AREA_ALIGNMENT - 1 && ROOM % 16 == 0, "the area fits behind the frame");

struct area {
	uint8_t vector[CPU_VECTOR_BYTES];
	uint32_t end;
} __attribute__((aligned(16)));

static void fill(struct area *area)
{
	const struct description description = {
		.magic = MAGIC_BEGIN,
		.all_bytes = CPU_VECTOR_BYTES + sizeof(area->end),
		.states = CPU_V3_XCR0,
		.bytes = CPU_VECTOR_BYTES,
	};
	memcpy(area->vector + DESCRIPTION_AT, &description, sizeof(description));
	memcpy(area->vector + CPU_FXSAVE_BYTES, &description.states, sizeof(description.states));
	area->end = MAGIC_END;
}

static int push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                uint64_t mask, uint64_t return_address)
{
	static struct signal_frame built;
	static struct area area;
	const struct trap_frame before = *frame;
	if (!cpu_is_v3 && !cpu_upper_in_use())
		return signal_frame_build(frame, action, info, mask, return_address);
	cpu_save_vector(area.vector); /* before the handler's environment is loaded */
	int result = signal_frame_build(frame, action, info, mask, return_address);
	if (result)
		return result;
	const uint64_t sp = frame->rsp - ROOM;
	const uint64_t at = (sp + sizeof(built) + AREA_ALIGNMENT - 1) & ~(uint64_t)(AREA_ALIGNMENT - 1);
	fill(&area);
	result = copy_from_user(&built, (const void *)frame->rsp, sizeof(built));
	built.context.fpregs = (void *)at;
	if (!result)
		result = copy_to_user((void *)sp, &built, sizeof(built));
	if (!result)
		result = copy_to_user((void *)at, &area, CPU_VECTOR_BYTES + sizeof(area.end));
	if (result) {
		*frame = before;
		return result;
	}
	frame->rsp = sp;
	frame->rsi -= ROOM;
	frame->rdx -= ROOM;
	return 0;
}

int signal_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                      uint64_t mask, uint64_t return_address)
{
	rseq_interrupted(frame);
	int result = push(frame, action, info, mask, return_address);
	if (!result)
		frame->cs = SELECTOR_RING3_CODE; /* the program may have gone to code of 32 bits */
	return result;
}

/* Whether a frame of v2 has the upper halves, because they were in use when it was made. */
static bool is_extended(const struct signal_frame *built)
{
	struct description said;
	const uint8_t *at = (const uint8_t *)built->context.fpregs + DESCRIPTION_AT;
	return !copy_from_user(&said, at, sizeof(said)) && said.magic == MAGIC_BEGIN && said.bytes == CPU_VECTOR_BYTES;
}

int linux_frame_pop(struct trap_frame *frame, struct signal_frame *built)
{
	static struct area area;
	uint32_t mxcsr;
	uint64_t states;
	memset(&area, 0, sizeof(area));
	if (cpu_is_v3 || is_extended(built)) {
		if (copy_from_user(&area, built->context.fpregs, CPU_VECTOR_BYTES))
			return -EFAULT;
		memcpy(built->vector, area.vector, CPU_FXSAVE_BYTES);
		memcpy(&states, area.vector + CPU_FXSAVE_BYTES, sizeof(states));
		if (!(states & STATE_AVX))
			memset(area.vector + CPU_UPPER_OFFSET, 0, CPU_V3_AVX_BYTES);
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
