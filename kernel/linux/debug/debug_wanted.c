/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_wanted.h"

#include "abi/syscalls.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/process.h"
#include "kernel/time/vclock.h"

#define NUMBER(number, name, ...) CALL_##name = (number),
enum { SYSCALL_LIST_COMMON(NUMBER) SYSCALL_LIST_LINUX(NUMBER) };
#undef NUMBER

_Static_assert(LINUX_CALLS <= DEBUG_CALLS, "debug_wanted");

int64_t debug_wanted_take(const struct debug_wanted *wanted)
{
	memcpy(&debug_state()->wanted, wanted, sizeof(*wanted));
	return (int64_t)debug_state()->calls;
}

void debug_wanted_count_call(const struct trap_frame *frame)
{
	debug_state()->calls += frame->error_code < LINUX_CALLS && linux_calls[frame->error_code];
}

/* Decision points and choices so far, as schedules count them. */
static uint64_t decisions_so_far(void)
{
	const struct sched_shared *shared = sched_shared();
	const uint64_t passed = shared->points_armed ? shared->points_armed - (uint64_t)shared->points_left - 1 : 0;
	return shared->decision + passed;
}

bool debug_wanted_is_reached(void)
{
	const struct debug_wanted *wanted = &debug_state()->wanted;
	switch (wanted->place) {
	case DEBUG_PLACE_DECISION:
		return decisions_so_far() >= wanted->number;
	case DEBUG_PLACE_TIME:
		return vclock_now() >= wanted->number;
	default:
		return false;
	}
}

static bool has_one_thread(void)
{
	const struct thread *first = process_thread_after(NULL);
	return first && !process_thread_after(first);
}

static bool ends_program(const struct trap_frame *frame)
{
	return frame->error_code == CALL_exit_group || (frame->error_code == CALL_exit && has_one_thread());
}

static bool is_call_reached(const struct trap_frame *frame)
{
	const struct debug_wanted *wanted = &debug_state()->wanted;
	switch (wanted->place) {
	case DEBUG_PLACE_CALL:
		return debug_state()->calls >= wanted->number;
	case DEBUG_PLACE_MARKER:
		return frame->error_code == CALL_eremite_marker;
	case DEBUG_PLACE_EXIT:
		return ends_program(frame);
	default:
		return debug_wanted_is_reached();
	}
}

static bool is_caught(const struct trap_frame *frame)
{
	const uint64_t call = frame->error_code;
	return call < DEBUG_CALLS && debug_state()->wanted.calls[call / 64] >> call % 64 & 1;
}

enum debug_reason debug_wanted_before_call(const struct trap_frame *frame)
{
	if (is_caught(frame))
		return DEBUG_AT_CALL;
	return is_call_reached(frame) ? DEBUG_AT_PLACE : 0;
}

#define CLONE_VFORK 0x4000UL
#define CLONE_THREAD 0x10000UL

/* The flags of clone(2) that say what a call makes. CLONE_THREAD if that is not known. */
static uint64_t clone_flags(const struct trap_frame *frame)
{
	uint64_t flags = CLONE_THREAD;
	switch (frame->error_code) {
	case CALL_fork:
		return 0;
	case CALL_vfork:
		return CLONE_VFORK;
	case CALL_clone:
		return frame->rdi;
	case CALL_clone3: /* flags are the first member of its struct */
		debug_memory_peek(frame->rdi, &flags, sizeof(flags));
		return flags;
	default:
		return CLONE_THREAD;
	}
}

enum debug_reason debug_wanted_child(const struct trap_frame *frame)
{
	const uint64_t flags = clone_flags(frame);
	if (!debug_state()->wanted.children || flags & CLONE_THREAD || (int64_t)frame->rax <= 0)
		return 0;
	return flags & CLONE_VFORK ? DEBUG_AT_VFORK : DEBUG_AT_FORK;
}

bool debug_wanted_after_call(const struct trap_frame *frame)
{
	return is_caught(frame);
}

bool debug_wanted_stops_at(uint64_t sig, bool has_handler)
{
	const struct debug_wanted *wanted = &debug_state()->wanted;
	if (has_handler && wanted->place == DEBUG_PLACE_FAILURE)
		return false;
	return sig < 1 || sig > 64 || !(wanted->signals >> (sig - 1) & 1);
}
