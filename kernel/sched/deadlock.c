/* SPDX-License-Identifier: MIT */
/* Reports a deadlock: one report for each thread. libc's notes about its threads are in the program's memory, and are
 * read as untrusted. */
#include "kernel/sched/deadlock.h"

#include "kernel/arch/registers.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/sched/context.h"
#include "kernel/sched/futex.h"
#include "kernel/sched/thread.h"

/* DWARF numbers of x86-64 (psABI, figure 3.36). */
enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, R13, R14, R15, RIP };

void deadlock_registers(const struct thread *thread, uint64_t registers[17])
{
	if (thread == thread_current) {
		registers_capture(registers);
		return;
	}
	const struct context *context = (const struct context *)thread->stack_pointer;
	memset(registers, 0, 17 * sizeof(registers[0]));
	registers[RBX] = context->rbx;
	registers[RBP] = context->rbp;
	registers[RSP] = thread->stack_pointer + sizeof(*context);
	registers[R12] = context->r12;
	registers[R13] = context->r13;
	registers[R14] = context->r14;
	registers[R15] = context->r15;
	registers[RIP] = context->rip;
}

/* Reports the purpose of a wait on a futex, from libc's note. */
static void tell_futex(const struct thread *thread, const struct thread_note *note, struct thread_report *report)
{
	static const char *const texts[] = {
#define TEXT(name, text, cause) text,
		THREAD_WAIT_LIST(TEXT)
#undef TEXT
	};
	report->object = (uint64_t)thread->futex;
	if (thread->futex_kind == FUTEX_LOCK && !futex_load(thread->futex, &report->holder))
		report->holder &= FUTEX_TID;
	if (note->wait == THREAD_WAIT_none || note->wait >= THREAD_WAITS) {
		format(report->waits_for, sizeof(report->waits_for), "futex");
		return;
	}
	if (note->wait == THREAD_WAIT_join) {
		report->object = 0;
		report->holder = note->joined;
		format(report->waits_for, sizeof(report->waits_for), "end of thread %u", note->joined);
		return;
	}
	report->object = (uint64_t)note->object;
	if (note->holder && copy_from_user(&report->holder, note->holder, sizeof(report->holder)))
		report->holder = 0;
	report->holder &= FUTEX_TID;
	format(report->waits_for, sizeof(report->waits_for), "%s", texts[note->wait]);
}

static void report_thread(const struct thread *thread)
{
	static struct thread_report report;
	struct thread_note note = {.wait = THREAD_WAIT_none};
	memset(&report, 0, sizeof(report));
	report.thread = thread->number;
	if (thread->note && copy_from_user(&note, thread->note, sizeof(note)))
		note = (struct thread_note){.wait = THREAD_WAIT_none};
	memcpy(report.name, note.name, sizeof(report.name) - 1);
	personality.thread_registers(thread, report.registers);
	if (thread->futex)
		tell_futex(thread, &note, &report);
	else
		format(report.waits_for, sizeof(report.waits_for), "%s", thread->reason.what);
	host->thread(&report);
}

_Noreturn void deadlock(void)
{
	static char message[100];
	const char *what = message;
	if (personality.deadlocked)
		personality.deadlocked();
	if (thread_count() == 1)
		what = thread_first()->reason.what;
	else
		format(message, sizeof(message), "each of %u threads waits for another", thread_count());
	if (host->thread)
		for (struct thread *thread = thread_first(); thread; thread = thread->after)
			report_thread(thread);
	end_with_report(END_DEADLOCK, 0, what);
}
