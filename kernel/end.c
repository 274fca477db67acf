/* SPDX-License-Identifier: MIT */
/* The end of a run. /out is exported before the host is told; a kernel in error exports nothing. Parts of the kernel
 * that are above this file do their part by end_hooks. */
#include "kernel/end.h"

#include "kernel/arch/registers.h"
#include "kernel/arch/trap.h"
#include "kernel/dev/host.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"

struct end_hooks end_hooks;

static struct fault_report report;
static bool telling;

static void set_message(const char *what)
{
	size_t length = strnlen(what, sizeof(report.message) - 1);
	memcpy(report.message, what, length);
	report.message[length] = 0;
}

/* Data left by traps differs between kinds of KVM, which report some faults in different ways, and depends on when the
 * monitor looked at a program. If the end is being reported from a trap, the part in use stays. */
static void clear_trap_memory(void)
{
	uint8_t *to = trap_memory;
	uint64_t bytes = (uint64_t)(trap_stack_top - trap_memory);
	__asm__ volatile("mov %%rsp, %%rax\n\t"
	                 "sub %%rdi, %%rax\n\t"
	                 "cmp %%rcx, %%rax\n\t"
	                 "cmovb %%rax, %%rcx\n\t"
	                 "xor %%eax, %%eax\n\t"
	                 "rep stosb"
	                 : "+D"(to), "+c"(bytes)
	                 :
	                 : "rax", "cc", "memory");
}

static bool is_in_trap_memory(uint64_t address)
{
	return address - (uint64_t)trap_memory < (uint64_t)(trap_stack_top - trap_memory);
}

/* Goes on at the top of the trap stack, all of which is cleared: the frames of functions in use have gaps, in which
 * earlier traps have left data. Nothing returns to those functions. */
static _Noreturn void leave_trap(void (*go_on)(void))
{
	__asm__ volatile("mov %0, %%rsp\n\t"
	                 "xor %%eax, %%eax\n\t"
	                 "xor %%ebp, %%ebp\n\t"
	                 "rep stosb\n\t"
	                 "call *%%rbx\n\t"
	                 "ud2"
	                 :
	                 : "d"(trap_stack_top), "D"(trap_memory), "c"(trap_stack_top - trap_memory), "b"(go_on)
	                 : "memory");
	__builtin_unreachable();
}

/* From here on a fault cannot be reported: its report would fault again. */
static _Noreturn void tell_host(enum end_reason reason, int status, const struct fault_report *about)
{
	const bool again = telling;
	telling = true;
	if (end_hooks.close)
		report.thread = end_hooks.close(reason);
	if (end_hooks.forget_input)
		end_hooks.forget_input();
	if (personality.forget)
		personality.forget();
	clear_trap_memory();
	host->end(reason, status, about);
	if (!again && end_hooks.tell_changes) /* a fault during these steps is reported as such */
		end_hooks.tell_changes();
	for (;;)
		host->end(reason, status, NULL);
}

_Noreturn void end_tell_core(void)
{
	telling = true;
	if (end_hooks.tell_core)
		end_hooks.tell_core();
	for (;;)
		host->end(END_EXIT, 0, NULL);
}

static void export(void)
{
	if (end_hooks.arrive)
		end_hooks.arrive();
	if (end_hooks.export)
		end_hooks.export();
}

bool end_is_being_told(void)
{
	return telling;
}

_Noreturn void end_exit(int status)
{
	export();
	tell_host(END_EXIT, status & 0xff, NULL);
}

_Noreturn void end_not_started(int status)
{
	export();
	tell_host(END_EXIT, END_NOT_STARTED | (status & 0xff), NULL);
}

static _Noreturn void tell_fault(void)
{
	tell_host(END_SIGNAL, (int)report.signal, &report);
}

_Noreturn void end_at_fault(const struct trap_frame *frame, int sig, const char *what)
{
	if (report.signal) /* a fault during the end: the first fault is reported */
		tell_fault();
	report.signal = (uint32_t)sig;
	report.vector = (uint32_t)frame->vector;
	report.error_code = frame->error_code;
	report.address = frame->address;
	const uint64_t registers[17] = {
		frame->rax, frame->rdx, frame->rcx, frame->rbx, frame->rsi, frame->rdi,
		frame->rbp, frame->rsp, frame->r8,  frame->r9,  frame->r10, frame->r11,
		frame->r12, frame->r13, frame->r14, frame->r15, frame->rip,
	};
	memcpy(report.registers, registers, sizeof(registers));
	report.rflags = frame->rflags;
	set_message(what);
	export();
	/* What has failed in a trap itself is shown with its stack. */
	if (is_in_trap_memory((uint64_t)__builtin_frame_address(0)) && !is_in_trap_memory(report.registers[7]))
		leave_trap(tell_fault);
	tell_fault();
}

_Noreturn void end_stopped(const uint64_t registers[17], const char *what)
{
	report.vector = 0xff;
	memcpy(report.registers, registers, sizeof(report.registers));
	set_message(what);
	tell_host(END_STOPPED, 0, &report);
}

_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what)
{
	report.signal = (uint32_t)sig;
	report.vector = 0xff;
	registers_capture(report.registers);
	set_message(what);
	if (reason != END_PANIC && reason != END_REFUSED)
		export();
	tell_host(reason, sig, &report);
}

_Noreturn void end_misfit(uint64_t record, const char *why)
{
	report.vector = 0xff;
	registers_capture(report.registers);
	set_message(why);
	tell_host(END_SCHEDULE, (int)record, &report);
}

_Noreturn void end_replayed(void)
{
	report.vector = 0xff;
	registers_capture(report.registers);
	set_message("stopped here");
	tell_host(END_REPLAYED, 0, &report);
}

static _Noreturn void report_bug(const char *file, int line, const char *assertion)
{
	static char message[sizeof(report.message)];
	format(message, sizeof(message), "%s:%d: assertion failed: %s", file, line, assertion);
	end_with_report(END_PANIC, 0, message);
}

void end_init(void)
{
	bug_handler = report_bug;
}
