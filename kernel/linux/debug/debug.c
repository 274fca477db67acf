/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug.h"

#include "abi/doorbell.h"
#include "abi/syscalls.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_aside.h"
#include "kernel/linux/debug/debug_breakpoints.h"
#include "kernel/linux/debug/debug_serve.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/debug/debug_step.h"
#include "kernel/linux/debug/debug_wanted.h"
#include "kernel/linux/debug/debug_watch.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/linux/signal/xsave_frame.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/sched/process.h"
#include "kernel/signal/signal.h"

#define RFLAGS_TF 0x100UL

#define NUMBER(number, name, ...) CALL_##name = (number),
enum { SYSCALL_LIST_COMMON(NUMBER) SYSCALL_LIST_LINUX(NUMBER) };
#undef NUMBER

/* Whether a system call looks at page tables or changes them. */
static bool changes_mappings(uint64_t call)
{
	switch (call) {
	case CALL_mmap:
	case CALL_mprotect:
	case CALL_munmap:
	case CALL_brk:
	case CALL_mremap:
	case CALL_madvise:
	case CALL_shmat:
	case CALL_clone:
	case CALL_fork:
	case CALL_vfork:
	case CALL_execve:
	case CALL_exit:
	case CALL_shmdt:
	case CALL_exit_group:
	case CALL_execveat:
	case CALL_clone3:
		return true;
	default:
		return false;
	}
}

/* Whether the current address space is that of the program that is debugged, and that has started. A child may lend
 * it (vfork(2)). */
static bool is_in_space(void)
{
	return debug_is_on() && debug_area()->magic == DEBUG_MAGIC && process_first.more->space &&
	       space_current == &process_first.more->space->base;
}

/* Whether the running thread belongs to the program. */
static bool is_debugged(void)
{
	return is_in_space() && process_current == &process_first && thread_current->process == &process_first;
}

/* A step of the monitor's, which looks for waits in loops (spin.h), ends here. */
static void end_monitors_step(struct trap_frame *frame)
{
	volatile struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	doorbell->stepping = 0;
	frame->rflags &= ~RFLAGS_TF;
}

/* The end of a step by which a thread comes back from the kernel to a place is a stop at that place. */
static enum debug_reason settle_reason(enum debug_reason reason)
{
	struct debug_state *state = debug_state();
	if (reason == DEBUG_AT_STEP && state->place_reason)
		reason = state->place_reason;
	if (reason == DEBUG_AT_PLACE)
		state->wanted.place = DEBUG_PLACE_NONE;
	state->place_reason = 0;
	return reason;
}

/* Lets the debugger look at a thread, until it continues. */
static void stop_at(const struct debug_place *place, enum debug_reason reason, uint64_t sig, const void *info)
{
	struct debug_area *area = debug_area();
	debug_breakpoints_lift();
	debug_step_forget();
	debug_watch_end();
	end_monitors_step(place->frame);
	reason = settle_reason(reason);
	area->interrupt = 0;
	area->stop = (struct debug_stop){.watched = area->stop.watched,
	                                 .call = area->stop.call,
	                                 .child = area->stop.child,
	                                 .reason = reason,
	                                 .signal = reason == DEBUG_AT_WATCH ? area->stop.signal : (uint32_t)sig,
	                                 .tid = thread_current->tid,
	                                 .pid = thread_current->process->id};
	if (info)
		memcpy(area->stop.info, info, sizeof(area->stop.info));
	enum debug_event event = DEBUG_STOPPED;
	while (doorbell_ring(DOORBELL_DEBUG, event, 0) == DEBUG_REQUEST) {
		debug_serve(place);
		event = DEBUG_ANSWERED;
	}
	if (area->request.op == DEBUG_STEP) {
		debug_state()->step_thread = thread_current->number;
		debug_state()->step_alone = area->request.tid & DEBUG_GO_ALONE;
		debug_state()->step_low = area->request.address;
		debug_state()->step_high = area->request.address + area->request.bytes;
	}
}

/* Whether an access that has been made stops the program. What it was stays for the stop. */
static bool is_watch_hit(void)
{
	debug_watch_end();
	return debug_watch_hits(&debug_area()->stop);
}

static void stop_in_trap(struct trap_frame *frame, enum debug_reason reason, uint64_t sig, const void *info)
{
	const struct debug_place place = {.frame = frame};
	stop_at(&place, reason, sig, info);
	debug_step_go(frame);
}

/* At the kernel's entry the thread has not got over its instruction yet. */
static void stop_at_entry(const struct trap_frame *frame)
{
	struct trap_frame shown = *frame;
	const struct debug_place place = {.frame = &shown, .from = debug_state()->single_from, .is_in_call = true};
	stop_at(&place, DEBUG_AT_STEP, 0, NULL);
	debug_step_enter(frame, place.from);
	debug_breakpoints_insert();
}

/* --- exceptions --- */

static bool is_at_breakpoint(const struct trap_frame *frame)
{
	return frame->vector == TRAP_BREAKPOINT && debug_breakpoints_at(frame->rip - 1);
}

/* A breakpoint that is not aimed at the thread: of a child that runs in its parent's memory, where another thread
 * comes back from the kernel, or while the debugger expects that the thread stands. */
static bool is_of_others(const struct trap_frame *frame)
{
	const struct debug_state *state = debug_state();
	if (frame->vector != TRAP_BREAKPOINT)
		return false;
	const bool stands = state->step_thread && state->step_alone && state->step_thread != thread_current->number;
	return frame->rip - 1 == state->return_at ||
	       ((stands || !is_debugged()) && debug_breakpoints_at(frame->rip - 1));
}

/* Whether the monitor has set the trap flag, because the debugger wants the program to stop. */
static bool is_interrupted(const struct trap_frame *frame)
{
	return debug_area()->interrupt && frame->vector == TRAP_DEBUG && !debug_step_in_kernel(frame->rip);
}

bool debug_trap_begins(struct trap_frame *frame)
{
	if (!is_in_space())
		return false;
	const bool is_aside = debug_aside_leave(frame);
	if (!is_aside)
		debug_breakpoints_settle(frame);
	if (debug_step_passed(frame))
		return true;
	if (debug_watch_faults(frame)) { /* in the kernel, the page stays open until the call ends */
		if (!debug_step_in_kernel(frame->rip))
			debug_step_store(frame, is_aside);
		return true;
	}
	if (debug_step_stored(frame) && is_watch_hit()) {
		frame->rflags &= ~RFLAGS_TF;
		stop_in_trap(frame, DEBUG_AT_WATCH, 0, NULL);
		return true;
	}
	switch (debug_step_trap(frame)) {
	case DEBUG_STEP_ON:
		return true;
	case DEBUG_STEP_DONE:
		stop_in_trap(frame, DEBUG_AT_STEP, 0, NULL);
		return true;
	case DEBUG_STEP_ENTERS:
		stop_at_entry(frame);
		return true;
	default:
		break;
	}
	if (is_of_others(frame)) {
		frame->rip--;
		debug_step_pass(frame);
		return true;
	}
	if (is_at_breakpoint(frame)) {
		frame->rip--;
		if (debug_breakpoints_pass(frame))
			return true;
		stop_in_trap(frame, DEBUG_AT_BREAKPOINT, 0, NULL);
		return true;
	}
	if (is_debugged() && is_interrupted(frame)) {
		stop_in_trap(frame, DEBUG_AT_INTERRUPT, 0, NULL);
		return true;
	}
	debug_breakpoints_lift();
	return false;
}

void debug_trap_ends(struct trap_frame *frame)
{
	if (!is_in_space())
		return;
	debug_breakpoints_insert();
	if (debug_state()->is_storing && is_debugged() && !debug_step_in_kernel(frame->rip) && is_watch_hit()) {
		stop_in_trap(frame, DEBUG_AT_WATCH, 0, NULL);
		return;
	}
	if (debug_step_after(frame) == DEBUG_STEP_DONE)
		stop_in_trap(frame, DEBUG_AT_STEP, 0, NULL);
	else if (is_debugged() && !debug_step_in_kernel(frame->rip) && debug_wanted_is_reached())
		stop_in_trap(frame, DEBUG_AT_PLACE, 0, NULL);
}

/* Continues at the fault if the debugger does not want its signal. */
static void go_without_signal(struct trap_frame *frame)
{
	if (!debug_drops_signal())
		return;
	frame->rip = stub_going_on(frame->rip);
	debug_step_go(frame);
	trap_resume(frame);
}

int debug_frame_push(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                     uint64_t mask, uint64_t return_address)
{
	strace_note(STRACE_SIGNAL, (uint64_t)info->si_signo, info);
	if (is_debugged() && debug_wanted_stops_at((uint64_t)info->si_signo, true)) {
		const struct debug_place place = {.frame = frame};
		stop_at(&place, DEBUG_AT_SIGNAL, (uint64_t)info->si_signo, info);
		go_without_signal(frame);
		debug_step_to((uint64_t)action->handler);
	}
	return xsave_frame_push(frame, action, info, mask, return_address);
}

_Noreturn void debug_die_at(const struct trap_frame *frame, int sig, const char *what)
{
	struct trap_frame *at = (struct trap_frame *)frame; /* on the trap stack */
	const struct debug_place place = {.frame = at};
	struct linux_siginfo info;
	memset(&info, 0, sizeof(info));
	info.si_signo = sig;
	info.si_code = signal_fatal.code;
	info.si_addr = (void *)signal_fatal.address;
	if (is_debugged()) {
		stop_at(&place, DEBUG_AT_SIGNAL, (uint64_t)sig, &info);
		go_without_signal(at);
	}
	deliver_die_at(frame, sig, what);
}

/* --- system calls --- */

/* Stops the running thread in a system call, whose result may be in its frame. A step from there ends behind the call.
 */
static void stop_in_call(enum debug_reason reason, bool has_result)
{
	struct trap_frame *frame = linux_frame(thread_current);
	const struct debug_place place = {.frame = frame, .is_in_call = true, .has_result = has_result};
	debug_area()->stop.call = frame->error_code;
	stop_at(&place, reason, 0, NULL);
	debug_step_to(frame->rip);
}

/* Tells the debugger of a process that a system call has made. A thread that waits for it (vfork(2)) waits no more. */
static void stop_with_child(const struct trap_frame *frame)
{
	const enum debug_reason reason = debug_wanted_child(frame);
	if (!reason)
		return;
	debug_area()->stop.child = frame->rax;
	stop_in_call(reason, true);
	if (reason == DEBUG_AT_VFORK)
		stop_in_call(DEBUG_AT_VFORK_DONE, true);
}

void debug_call_begins(const struct trap_frame *frame)
{
	enum debug_reason reason;
	debug_wanted_count_call(frame);
	if (!is_in_space())
		return;
	if (is_debugged() && (reason = debug_wanted_before_call(frame))) {
		stop_in_call(reason, false);
		debug_breakpoints_insert();
	}
	if (changes_mappings(frame->error_code) || debug_watch_hides())
		debug_breakpoints_lift();
}

/* Another program has taken the place of the one that was debugged. */
static void stop_at_program(void)
{
	const struct debug_place place = {.frame = linux_frame(thread_current)};
	debug_state()->space = space_current;
	debug_breakpoints_forget();
	debug_watch_forget();
	stop_at(&place, DEBUG_AT_EXEC, 0, NULL);
	debug_step_to(place.frame->rip);
	debug_breakpoints_insert();
}

void debug_call_ends(const struct trap_frame *frame)
{
	if (!is_in_space())
		return;
	if (debug_state()->space != space_current) {
		stop_at_program();
		return;
	}
	debug_step_call_ends(frame);
	if (debug_watch_hides())
		debug_breakpoints_lift();
	if ((debug_state()->is_storing || debug_watch_hides()) && is_debugged() && is_watch_hit())
		stop_in_call(DEBUG_AT_WATCH, true);
	if (is_debugged())
		stop_with_child(frame);
	if (is_debugged() && debug_wanted_after_call(frame))
		stop_in_call(DEBUG_AT_RETURN, true);
	if (is_debugged() && debug_area()->interrupt)
		stop_in_call(DEBUG_AT_INTERRUPT, true);
	if (is_debugged() && debug_wanted_is_reached())
		stop_in_call(DEBUG_AT_PLACE, true);
	debug_breakpoints_insert();
}

/* Why a thread is to stop when it continues after a decision point or a tick; 0: it is not. There the kernel may have
 * stored to a watched page. */
static enum debug_reason reason_after_point(void)
{
	const bool was_storing = debug_state()->is_storing;
	if (was_storing && is_watch_hit())
		return DEBUG_AT_WATCH;
	if (was_storing)
		debug_breakpoints_insert();
	return debug_wanted_is_reached() ? DEBUG_AT_PLACE : 0;
}

/* The thread continues at an address, and may have to stop there. */
static void go_to_place(uint64_t address)
{
	struct debug_state *state = debug_state();
	const enum debug_reason reason = reason_after_point();
	if (!reason || (state->step_thread && state->step_thread != thread_current->number))
		return;
	if (!state->step_thread) {
		state->step_thread = thread_current->number;
		state->step_alone = false;
		state->step_low = state->step_high = 0;
	}
	state->place_reason = reason;
	debug_step_to(address);
}

void debug_stop_in_call(enum debug_reason reason, uint64_t sig, const void *info)
{
	struct trap_frame *frame = linux_frame(thread_current);
	const struct debug_place place = {
		.frame = frame, .is_in_call = reason != DEBUG_AT_START, .has_result = reason == DEBUG_AT_SIGNAL};
	if (reason == DEBUG_AT_START)
		debug_area()->magic = DEBUG_MAGIC;
	if (!is_debugged())
		return;
	if (reason == DEBUG_AT_PLACE) {
		go_to_place(sig);
		return;
	}
	if (reason == DEBUG_AT_SIGNAL && !debug_wanted_stops_at(sig, info != NULL))
		return;
	if (reason == DEBUG_AT_START)
		debug_state()->space = space_current;
	stop_at(&place, reason, sig, info);
	if (reason == DEBUG_AT_DEADLOCK)
		return;
	if (reason == DEBUG_AT_START)
		debug_step_go(frame);
	else if (info)
		debug_step_to((uint64_t)process_current->signals.actions[sig].handler);
	debug_breakpoints_insert();
}

void debug_deadlocked(void)
{
	debug_note(DEBUG_AT_DEADLOCK, 0, NULL);
}
