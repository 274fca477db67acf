/* SPDX-License-Identifier: MIT */
/* A step begins at an instruction, and ends when the thread is at another address of the program. In between it may be
 * in a stub, whose instructions are stepped, too, or in the kernel. The exception at the first instruction of the
 * kernel removes the flag, and a breakpoint waits where the kernel will return to. */
#include "kernel/linux/debug/debug_step.h"

#include "kernel/arch/uaccess.h"
#include "kernel/linux/debug/debug_breakpoints.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/sched/thread.h"

#define RFLAGS_TF 0x100UL

extern const char __kernel_text_start[], __kernel_text_end[]; /* linux.ld */

bool debug_step_in_kernel(uint64_t address)
{
	return address >= (uint64_t)__kernel_text_start && address < (uint64_t)__kernel_text_end;
}

static bool is_single(void)
{
	return debug_state()->single_thread && debug_state()->single_thread == thread_current->number;
}

static bool is_return(void)
{
	return debug_state()->return_at && debug_state()->return_thread == thread_current->number;
}

/* The program's address of an instruction, from anywhere in a stub. */
static uint64_t place_of(uint64_t address)
{
	uint64_t rax = 0, rcx = 0;
	return stub_leave(address, &rax, &rcx);
}

static void await_return(uint64_t at)
{
	debug_state()->return_at = at;
	debug_state()->return_thread = thread_current->number;
	debug_breakpoints_insert();
}

#define PUSHF_OPCODE 0x9c
#define OPERAND_SIZE_PREFIX 0x66

/* Sets the trap flag for the instruction at the frame. PUSHF would show it, and its copy is cleaned afterwards; a
 * `syscall` instruction would show it in r11, so a breakpoint behind it takes its place. */
static void arm_flag(struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	uint8_t code[2] = {0};
	copy_from_user(code, (const void *)frame->rip, sizeof(code));
	state->fault_at = 0;
	state->pushes_flags = code[0] == PUSHF_OPCODE || (code[0] == OPERAND_SIZE_PREFIX && code[1] == PUSHF_OPCODE);
	debug_area()->steps = 1;
	if (code[0] == 0x0f && code[1] == 0x05)
		await_return(frame->rip + sizeof(code));
	else
		frame->rflags |= RFLAGS_TF;
}

static void end_single(void)
{
	struct debug_state *state = debug_state();
	state->single_thread = 0;
	state->return_at = 0;
	state->skipped = 0;
	debug_area()->steps = 0;
}

void debug_step_forget(void)
{
	end_single();
	debug_state()->step_thread = 0;
}

void debug_step_go(struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	state->skipped = debug_breakpoints_at(frame->rip) ? frame->rip : 0;
	if (state->skipped || state->step_thread == thread_current->number) {
		state->single_thread = thread_current->number;
		state->single_from = place_of(frame->rip);
		arm_flag(frame);
	}
	debug_breakpoints_insert();
}

/* Whether an address in a stub is where an instruction of the program is executed. A jump of the stub's own is shown as
 * what follows it, and is not. */
static bool is_own_place(uint64_t shown, uint64_t address)
{
	bool is_replaced;
	return stub_going_on(shown) == address || stub_copied(shown, &is_replaced) == address;
}

/* An instruction of the thread has been executed. */
static enum debug_step take_step(struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	const uint64_t place = place_of(frame->rip), shown = stub_original(frame->rip);
	const bool is_in_stub = place != frame->rip;
	if (state->skipped) { /* the thread has left it, so others stop there again */
		state->skipped = 0;
		debug_breakpoints_insert();
	}
	if (is_in_stub && (place != shown || place == state->single_from || !is_own_place(shown, frame->rip))) {
		arm_flag(frame);
		return DEBUG_STEP_ON;
	}
	const bool is_last = state->step_thread != thread_current->number || place < state->step_low ||
	                     place >= state->step_high || debug_breakpoints_at(frame->rip);
	end_single();
	if (!is_last) {
		debug_step_go(frame);
		return DEBUG_STEP_ON;
	}
	if (state->step_thread == thread_current->number) {
		state->step_thread = 0;
		return DEBUG_STEP_DONE;
	}
	debug_breakpoints_insert();
	return DEBUG_STEP_ON;
}

void debug_step_pass(struct trap_frame *frame)
{
	debug_state()->passed = frame->rip;
	debug_state()->passing_thread = thread_current->number;
	debug_area()->steps = 1;
	frame->rflags |= RFLAGS_TF;
	debug_breakpoints_insert();
}

void debug_step_store(struct trap_frame *frame, bool is_at_breakpoint)
{
	struct debug_state *state = debug_state();
	if (is_at_breakpoint) {
		state->skipped = frame->rip;
		debug_breakpoints_insert();
	}
	state->single_thread = thread_current->number;
	state->single_from = place_of(frame->rip);
	arm_flag(frame);
}

bool debug_step_stored(const struct trap_frame *frame)
{
	return debug_state()->is_storing && frame->vector == TRAP_DEBUG && is_single() &&
	       !debug_step_in_kernel(frame->rip);
}

bool debug_step_passed(struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	if (state->passing_thread != thread_current->number || !state->passing_thread)
		return false;
	state->passed = 0;
	state->passing_thread = 0;
	debug_area()->steps = state->single_thread != 0;
	frame->rflags &= ~RFLAGS_TF;
	debug_breakpoints_insert();
	return frame->vector == TRAP_DEBUG;
}

/* Where the kernel will continue a thread that has just entered it by the jump of a stub; 0: elsewhere. */
static uint64_t find_return(const struct trap_frame *frame)
{
	const uint64_t at = frame->rip;
	uint64_t place = 0;
	if (at == (uint64_t)entry_jump || at == linux_state_target || at == linux_tick_target)
		return frame->rcx;
	if (at == linux_cpuid_target || at == linux_rdtsc_target || at == linux_rdtscp_target)
		return frame->rdx;
	if (at == linux_point_target)
		copy_from_user(&place, (const void *)(frame->rcx + offsetof(struct stub_point, go_on)), sizeof(place));
	return place;
}

void debug_step_enter(const struct trap_frame *frame, uint64_t from)
{
	if (debug_state()->step_thread != thread_current->number)
		return;
	debug_state()->single_thread = thread_current->number;
	debug_state()->single_from = from;
	await_return(find_return(frame));
}

/* Whether the debugger lets only this thread continue, to get over a breakpoint. */
static bool is_alone(void)
{
	return debug_state()->step_thread == thread_current->number && debug_state()->step_alone;
}

static void clean_pushed_flags(const struct trap_frame *frame)
{
	uint8_t byte;
	void *at = (void *)(frame->rsp + 1);
	if (debug_state()->pushes_flags && !copy_from_user(&byte, at, 1)) {
		byte &= (uint8_t) ~(RFLAGS_TF >> 8);
		copy_to_user(at, &byte, 1);
	}
}

enum debug_step debug_step_trap(struct trap_frame *frame)
{
	if (frame->vector == TRAP_DEBUG && is_single()) {
		frame->rflags &= ~RFLAGS_TF;
		if (debug_step_in_kernel(frame->rip)) {
			if (is_alone())
				return DEBUG_STEP_ENTERS;
			await_return(find_return(frame));
			return DEBUG_STEP_ON;
		}
		clean_pushed_flags(frame);
		return take_step(frame);
	}
	if (frame->vector == TRAP_BREAKPOINT && is_return() && frame->rip - 1 == debug_state()->return_at) {
		frame->rip--;
		frame->rflags &= ~RFLAGS_TF;
		debug_state()->return_at = 0;
		debug_breakpoints_insert();
		return take_step(frame);
	}
	if (is_single() && frame->rflags & RFLAGS_TF && !debug_step_in_kernel(frame->rip)) {
		frame->rflags &= ~RFLAGS_TF;
		debug_state()->fault_at = frame->rip;
	}
	return DEBUG_STEP_NONE;
}

/* Whether the thread continues on its kernel stack, with the program's registers at the top (patch.c, spin.c). */
static bool is_left_to_others(const struct trap_frame *frame)
{
	return frame->rip == (uint64_t)entry_pause || frame->rip == (uint64_t)entry_spin ||
	       frame->rip == (uint64_t)entry_main;
}

enum debug_step debug_step_after(struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	if (!is_single() || !state->fault_at)
		return DEBUG_STEP_NONE;
	const uint64_t fault_at = state->fault_at;
	state->fault_at = 0;
	if (is_left_to_others(frame)) {
		await_return(linux_frame(thread_current)->rip);
		return DEBUG_STEP_ON;
	}
	if (frame->rip != fault_at)
		return take_step(frame);
	arm_flag(frame);
	return DEBUG_STEP_ON;
}

void debug_step_call_ends(const struct trap_frame *frame)
{
	if (is_single() && !frame->vector)
		await_return(frame->rip);
}

void debug_step_to(uint64_t address)
{
	struct debug_state *state = debug_state();
	if (state->step_thread != thread_current->number)
		return;
	state->single_thread = thread_current->number;
	state->single_from = 0;
	debug_area()->steps = 1;
	await_return(address);
}
