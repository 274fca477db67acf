/* SPDX-License-Identifier: MIT */
/* Writes the records. Only the area of the observer changes. */
#include "kernel/linux/strace/strace.h"

#include "abi/linux_signal.h"
#include "abi/ring.h"
#include "abi/ticks.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/string.h"
#include "kernel/linux/strace/strace_copy.h"
#include "kernel/linux/strace/strace_places.h"
#include "kernel/linux/strace/strace_sample.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/process.h"
#include "kernel/signal/signal.h"
#include "kernel/signal/signal_frame.h"
#include "kernel/time/vclock.h"

#define RT_SIGRETURN 15
#define EXIT_GROUP 231 /* after it no place of the process is executed */
#define ALL_ARGUMENTS ((1U << STRACE_ARGUMENTS) - 1)

static struct strace_area *shared_area(void)
{
	return phys_to_virt(LAYOUT_STRACE);
}

/* The call that a thread is in. A later thread may take over its place. */
static struct strace_open *open_of(uint32_t thread)
{
	return (struct strace_open *)phys_to_virt(STRACE_OPEN) + thread % STRACE_OPENS;
}

static bool is_wanted(uint64_t call)
{
	const uint64_t bit = call < STRACE_CALLS ? call : STRACE_CALLS - 1;
	return shared_area()->wanted[bit / 64] >> bit % 64 & 1;
}

static bool copies_memory(void)
{
	return !(shared_area()->flags & STRACE_FLAG_BARE);
}

/* Waits until a record fits at the ring's head. Returns its place. */
static struct strace_record *find_room(void)
{
	struct strace_area *shared = shared_area();
	uint8_t *ring = phys_to_virt(STRACE_RING);
	const uint64_t left = STRACE_RING_BYTES - shared->head % STRACE_RING_BYTES;
	const uint64_t skipped = left < STRACE_RECORD_MAX ? left : 0;
	while (shared->head + skipped + STRACE_RECORD_MAX - __atomic_load_n(&shared->tail, __ATOMIC_ACQUIRE) >
	       STRACE_RING_BYTES)
		doorbell_ring(DOORBELL_STRACE, 0, 0);
	if (skipped) {
		struct strace_record *pad = (struct strace_record *)&ring[shared->head % STRACE_RING_BYTES];
		pad->bytes = (uint32_t)skipped; /* at least 8 bytes are left, as all sizes are multiples of 8 */
		pad->kind = STRACE_PAD;
		__atomic_store_n(&shared->head, shared->head + skipped, __ATOMIC_RELEASE);
	}
	return (struct strace_record *)&ring[shared->head % STRACE_RING_BYTES];
}

static struct strace_writer begin_record(enum strace_kind kind, uint64_t call)
{
	const struct console_ring *console = phys_to_virt(LAYOUT_CONSOLE_RING);
	struct strace_record *record = find_room();
	*record = (struct strace_record){
		.bytes = sizeof(*record),
		.kind = (uint16_t)kind,
		.call = (uint16_t)(call < STRACE_CALLS ? call : STRACE_CALLS - 1),
		.thread = thread_current->number,
		.tid = thread_current->tid,
		.pid = process_current->id,
		.now_ns = vclock_ticks_inline() / TICKS_PER_NS,
		.decision = sched_shared()->decision + arm_points_passed(),
		.console = console->head,
	};
	return (struct strace_writer){.record = record};
}

static void end_record(const struct strace_writer *writer)
{
	__atomic_store_n(&shared_area()->head, shared_area()->head + writer->record->bytes, __ATOMIC_RELEASE);
}

void strace_begins(const struct trap_frame *frame)
{
	struct strace_open *open = open_of(thread_current->number);
	*open = (struct strace_open){
		.thread = thread_current->number,
		.call = frame->error_code,
		.arguments = {frame->rdi, frame->rsi, frame->rdx, frame->r10, frame->r8, frame->r9},
	};
	if (open->call == RT_SIGRETURN)
		open->arguments[0] = frame->rsp - sizeof(uint64_t) + offsetof(struct signal_frame, context.uc_sigmask);
	strace_sample(STRACE_BY_CALLS, frame);
	if (open->call == EXIT_GROUP && strace_places_are_counted())
		strace_places_tell();
	if (!is_wanted(open->call))
		return;
	struct strace_writer writer = begin_record(STRACE_ENTER, open->call);
	memcpy(writer.record->values, open->arguments, sizeof(open->arguments));
	if (copies_memory())
		open->late = strace_copy_arguments(&writer, open->arguments, STRACE_AT_BEGIN, 0, ALL_ARGUMENTS);
	end_record(&writer);
}

/* Copies what was not mapped when the call began. The kernel has read it by now. */
static void copy_late(struct strace_writer *writer, struct strace_open *open)
{
	if (open->late)
		strace_copy_arguments(writer, open->arguments, STRACE_AT_BEGIN, 0, open->late);
	open->late = 0;
}

/* The frame may be another one by now: that of a new program, or what a handler has interrupted. */
void strace_ends(const struct trap_frame *frame)
{
	if (strace_places_are_counted())
		strace_places_count(frame->rip, 1);
	struct strace_open *open = open_of(thread_current->number);
	if (open->thread != thread_current->number)
		*open = (struct strace_open){.thread = thread_current->number, .call = frame->error_code};
	if (!is_wanted(open->call))
		return;
	struct strace_writer writer = begin_record(STRACE_LEAVE, open->call);
	writer.record->values[0] = frame->rax;
	if (copies_memory()) {
		copy_late(&writer, open);
		strace_copy_arguments(&writer, open->arguments, STRACE_AT_END, (long)frame->rax, ALL_ARGUMENTS);
	}
	end_record(&writer);
}

static bool is_observed(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->flags & BOOT_FLAG_STRACE;
}

static bool is_traced(void)
{
	return is_observed() && shared_area()->flags & STRACE_FLAG_TRACE;
}

void strace_decided(const struct sched_question *question, const struct thread *next)
{
	const struct thread *from = question->current;
	if (!is_traced())
		return;
	const char *what = question->kind == SCHED_KIND_block ? from->reason.what : NULL;
	struct strace_writer writer = begin_record(STRACE_DECIDED, 0);
	if (question->kind == SCHED_KIND_exit)
		writer.record->pid = 0;
	writer.record->values[0] = question->kind;
	writer.record->values[1] = question->op;
	writer.record->values[2] = next->number;
	writer.record->values[3] = what ? from->reason.cause : SCHED_CAUSE_ready;
	if (what)
		strace_copy_kernel(&writer, 0, what, strlen(what) + 1);
	end_record(&writer);
}

void strace_ticks(const struct trap_frame *frame)
{
	if (is_observed())
		strace_sample(STRACE_BY_TICKS, frame);
}

void strace_faults(const struct trap_frame *frame)
{
	if (!is_observed() || frame->vector != TRAP_PAGE_FAULT || frame->address >= VM_ADDRESS_END)
		return;
	strace_sample(STRACE_BY_FAULTS, frame);
	if (!is_traced())
		return;
	struct strace_writer writer = begin_record(STRACE_FAULT, 0);
	writer.record->values[0] = frame->address;
	writer.record->values[1] = frame->error_code;
	writer.record->values[2] = frame->rip;
	end_record(&writer);
}

/* A thread has got a name, or a thread with a name was made. */
static void take_name(const struct thread *thread, const char *name)
{
	struct strace_writer writer = begin_record(STRACE_NAMED, 0);
	writer.record->values[0] = thread->number;
	writer.record->values[1] = thread->process->id;
	strace_copy_kernel(&writer, 0, name, THREAD_NAME_BYTES);
	end_record(&writer);
}

/* Whether the process ends, or executes another program: its last thread ends, or a signal without a handler comes. */
static bool is_last_of_program(enum strace_kind kind, const void *info)
{
	return kind == STRACE_AGAIN || (kind == STRACE_END && process_current->threads == 1) ||
	       (kind == STRACE_SIGNAL && !info);
}

/* The siginfo of a signal without a handler: as it is pending, or of a fault. */
static void find_fatal(int sig, struct linux_siginfo *info)
{
	const bool is_fault = signal_fatal.sig == sig;
	if (signal_look(sig, info))
		return;
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_code = is_fault ? signal_fatal.code : LINUX_SI_KERNEL;
	info->si_addr = is_fault ? (void *)signal_fatal.address : NULL;
}

void strace_take_note(enum strace_kind kind, uint64_t value, const void *info)
{
	struct strace_open *open = open_of(thread_current->number);
	struct linux_siginfo fatal;
	shared_area()->magic = STRACE_MAGIC;
	if (kind == STRACE_PAD) {
		strace_sample_begin();
		return;
	}
	if (kind == STRACE_NAMED) {
		if (is_traced())
			take_name((const struct thread *)value, info);
		return;
	}
	if (strace_places_are_counted() && is_last_of_program(kind, info))
		strace_places_tell();
	if (kind == STRACE_AGAIN && (!open->late || !is_wanted(open->call)))
		return;
	struct strace_writer writer = begin_record(kind, open->call);
	writer.record->values[0] = value;
	if (kind == STRACE_AGAIN)
		copy_late(&writer, open);
	if (kind == STRACE_SIGNAL && !info)
		find_fatal((int)value, &fatal);
	if (kind == STRACE_SIGNAL)
		strace_copy_kernel(&writer, 0, info ? info : &fatal, sizeof(fatal));
	end_record(&writer);
}
