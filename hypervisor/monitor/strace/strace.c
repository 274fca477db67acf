/* SPDX-License-Identifier: MIT */
/* Turns records into lines. The guest's records are copied before they are checked; a damaged ring ends the lines, not
 * the run. */
#include "strace/strace.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_record.h"
#include "abi/thread.h"
#include "base/array.h"
#include "guest/guest_memory.h"
#include "strace/strace_names.h"
#include "strace/strace_show.h"

#define RESULT_COLUMN 40 /* where strace(1) puts the result */

#define STATUS_SIGNAL 0x7f /* of a status of wait(2) */

void strace_begin(struct strace *strace, void *area)
{
	strace->area = area;
	memcpy(strace->area->wanted, strace->filter.wanted, sizeof(strace->area->wanted));
	if (strace->taker)
		memset(strace->area->wanted, 0xff, sizeof(strace->area->wanted));
	strace->area->sample_by = strace->sample_by;
	strace->area->sample_every = strace->sample_every;
	const bool is_bare = strace->filter.counts && !strace->taker;
	strace->area->flags = (is_bare ? STRACE_FLAG_BARE : 0) | (strace->taker ? STRACE_FLAG_TRACE : 0);
}

/* --- threads --- */

static size_t find_place(const struct strace *strace, uint32_t number)
{
	size_t at = strace->thread_count;
	while (at && strace->threads[at - 1].number >= number)
		at--;
	return at;
}

static struct strace_thread *find_thread(const struct strace *strace, uint32_t number)
{
	const size_t at = find_place(strace, number);
	return at < strace->thread_count && strace->threads[at].number == number ? &strace->threads[at] : NULL;
}

/* The thread that the record names; one that no record has named before is added. NULL: no memory, or more threads than
 * a guest has. */
static struct strace_thread *take_thread(struct strace *strace, const struct strace_record *record)
{
	const size_t at = find_place(strace, record->thread);
	struct strace_thread *thread = find_thread(strace, record->thread);
	if (!thread) {
		if (strace->thread_count == THREADS_MAX ||
		    !array_reserve(strace->threads, strace->thread_room, strace->thread_count + 1))
			return NULL;
		thread = &strace->threads[at];
		memmove(thread + 1, thread, (strace->thread_count++ - at) * sizeof(*thread));
		*thread = (struct strace_thread){.number = record->thread};
	}
	thread->tid = record->tid;
	if (record->pid)
		thread->pid = record->pid;
	return thread;
}

static void drop_thread(struct strace *strace, struct strace_thread *thread)
{
	strace_call_fini(&thread->call);
	strace->thread_count--;
	memmove(thread, thread + 1, (size_t)(&strace->threads[strace->thread_count] - thread) * sizeof(*thread));
}

/* --- lines --- */

/* Ends the line that another thread has begun. */
static void cut_line(struct strace *strace)
{
	struct strace_thread *thread = find_thread(strace, strace->open_line);
	if (!strace->open_line)
		return;
	strace_out_text(&strace->out, " <unfinished ...>\n");
	if (thread)
		thread->is_cut = true;
	strace->open_line = 0;
}

/* Begins a line: the thread, time and number of the decision. */
static void begin_line(struct strace *strace, const struct strace_thread *thread)
{
	const struct strace_record *at = &strace->at;
	char who[24];
	cut_line(strace);
	snprintf(who, sizeof(who), thread->number == thread->pid ? "%u" : "%u/%u", thread->pid, thread->number);
	strace_out_format(&strace->out, "%-5s %lu.%09lu %4lu ", who, at->now_ns / 1000000000, at->now_ns % 1000000000,
	                  at->decision);
	strace->line_at = strace->out.column;
}

static void show_name(struct strace *strace, unsigned number)
{
	const char *name = strace_filter_name(number);
	if (name)
		strace_out_text(&strace->out, name);
	else
		strace_out_format(&strace->out, "syscall_%#x", number);
}

static void end_arguments(struct strace *strace)
{
	strace_out_text(&strace->out, ")");
	strace_out_pad(&strace->out, strace->line_at + RESULT_COLUMN - 1);
	strace_out_text(&strace->out, " ");
}

/* Begins the line of a call that was cut, again. */
static void resume_line(struct strace *strace, const struct strace_thread *thread)
{
	begin_line(strace, thread);
	strace_out_text(&strace->out, "<... ");
	show_name(strace, thread->call.number);
	strace_out_text(&strace->out, " resumed>");
}

static void show_begin(struct strace *strace, struct strace_thread *thread)
{
	begin_line(strace, thread);
	show_name(strace, thread->call.number);
	strace_out_text(&strace->out, "(");
	thread->shown = 0;
	thread->is_cut = false;
	strace_show_arguments(&strace->out, &thread->call, &thread->shown);
	strace->open_line = thread->number;
	if (!strace_show_is_last(thread->call.number))
		return;
	end_arguments(strace);
	strace_out_text(&strace->out, "= ?\n");
	strace->open_line = 0;
	thread->is_in_call = false;
}

static void show_end(struct strace *strace, struct strace_thread *thread)
{
	if (strace->open_line != thread->number)
		resume_line(strace, thread);
	strace_show_arguments(&strace->out, &thread->call, &thread->shown);
	end_arguments(strace);
	strace_show_result(&strace->out, &thread->call);
	strace_out_text(&strace->out, "\n");
	strace->open_line = 0;
}

/* --- records --- */

static bool shows_lines(const struct strace *strace)
{
	return !strace->is_silent && !strace->filter.counts;
}

/* Whether the lines or the counts have this call. With a taker, the guest notes others, too. */
static bool is_chosen(const struct strace *strace, unsigned call)
{
	const unsigned bit = call < STRACE_CALLS ? call : STRACE_CALLS - 1;
	return !strace->is_silent && strace->filter.wanted[bit / 64] >> bit % 64 & 1;
}

/* Passes the record on. */
static void tell_taker(const struct strace *strace, const struct strace_thread *thread,
                       const struct strace_call *memory)
{
	if (strace->taker)
		strace->taker->take(strace->taker->context, &strace->at, thread, memory);
}

static bool take_begin(struct strace *strace, struct strace_thread *thread, const uint8_t *pieces, size_t bytes)
{
	const struct strace_record *at = &strace->at;
	strace_call_fini(&thread->call);
	thread->call.number = at->call;
	memcpy(thread->call.arguments, at->values, sizeof(at->values));
	thread->is_in_call = true;
	thread->now_ns = at->now_ns;
	if (strace_call_add(&thread->call, pieces, bytes))
		return false;
	tell_taker(strace, thread, &thread->call);
	if (!is_chosen(strace, at->call))
		return true;
	if (!strace->filter.counts)
		show_begin(strace, thread);
	else if (strace_show_is_last(at->call))
		strace_count_add(&strace->count, at->call, 0, 0);
	return true;
}

static void take_end(struct strace *strace, struct strace_thread *thread, uint8_t *pieces, size_t bytes)
{
	if (!thread->is_in_call || thread->call.number != strace->at.call)
		return;
	thread->call.end = (struct strace_pieces){pieces, bytes};
	thread->call.has_ended = true;
	thread->call.result = (int64_t)strace->at.values[0];
	if (is_chosen(strace, thread->call.number) && strace->filter.counts)
		strace_count_add(&strace->count, thread->call.number, thread->call.result,
		                 strace->at.now_ns - thread->now_ns);
	else if (is_chosen(strace, thread->call.number))
		show_end(strace, thread);
	tell_taker(strace, thread, &thread->call);
	strace_call_fini(&thread->call);
	thread->is_in_call = false;
}

static void take_signal(struct strace *strace, struct strace_thread *thread, uint8_t *pieces, size_t bytes)
{
	const struct strace_call memory = {.end = {pieces, bytes}, .has_ended = true};
	tell_taker(strace, thread, &memory);
	if (!shows_lines(strace) || strace->at.values[0] == SIGKILL) /* of which strace(1) shows the end alone */
		return;
	begin_line(strace, thread);
	strace_show_signal(&strace->out, &memory, strace->at.values[0]);
	strace_out_text(&strace->out, "\n");
}

/* Records that only a taker wants. */
static void take_other(const struct strace *strace, const struct strace_thread *thread, uint8_t *pieces, size_t bytes)
{
	const struct strace_call memory = {.end = {pieces, bytes}, .has_ended = true};
	tell_taker(strace, thread, &memory);
}

/* A thread ends, with a status of wait(2). */
static void show_thread_end(struct strace *strace, const struct strace_thread *thread, uint64_t status)
{
	if (thread->is_in_call) {
		if (strace->open_line != thread->number)
			resume_line(strace, thread);
		end_arguments(strace);
		strace_out_text(&strace->out, "= ?\n");
		strace->open_line = 0;
	}
	begin_line(strace, thread);
	if (status & STATUS_SIGNAL)
		strace_out_format(&strace->out, "+++ killed by %s +++\n",
		                  strace_names_signal((unsigned)status & STATUS_SIGNAL).text);
	else
		strace_out_format(&strace->out, "+++ exited with %u +++\n", (unsigned)status >> 8 & 0xff);
}

static bool take_record(struct strace *strace, uint8_t *from, size_t bytes)
{
	const struct strace_record *record = &strace->at;
	if (record->kind == STRACE_PAD)
		return true;
	struct strace_thread *thread = take_thread(strace, record);
	uint8_t *pieces = from + sizeof(*record);
	bytes -= sizeof(*record);
	if (!thread)
		return false;
	switch (record->kind) {
	case STRACE_ENTER:
		return take_begin(strace, thread, pieces, bytes);
	case STRACE_AGAIN:
		return !strace_call_add(&thread->call, pieces, bytes);
	case STRACE_LEAVE:
		take_end(strace, thread, pieces, bytes);
		return true;
	case STRACE_SIGNAL:
		take_signal(strace, thread, pieces, bytes);
		return true;
	case STRACE_DECIDED:
		take_other(strace, thread, pieces, bytes);
		if (record->values[0] == SCHED_KIND_exit)
			drop_thread(strace, thread);
		return true;
	case STRACE_NAMED:
	case STRACE_FAULT:
		take_other(strace, thread, pieces, bytes);
		return true;
	case STRACE_END:
		if (shows_lines(strace))
			show_thread_end(strace, thread, record->values[0]);
		tell_taker(strace, thread, &thread->call);
		if (!strace->taker) /* else the decision that follows is still the thread's */
			drop_thread(strace, thread);
		return true;
	default:
		return false;
	}
}

/* Copies the record at the tail. Returns its size, or 0 if it is damaged. */
static size_t copy_record(struct strace *strace, uint64_t head)
{
	const uint8_t *ring = (const uint8_t *)strace->area + (STRACE_RING - LAYOUT_STRACE);
	const size_t at = strace->tail % STRACE_RING_BYTES, left = STRACE_RING_BYTES - at;
	struct strace_record *record = &strace->at;
	memset(record, 0, sizeof(*record));
	guest_memory_copy(record, ring + at, left < sizeof(*record) ? left : sizeof(*record));
	const bool is_pad = record->kind == STRACE_PAD;
	if (record->bytes % 8 || record->bytes > left || record->bytes > head - strace->tail ||
	    record->bytes < (is_pad ? 8 : sizeof(*record)) || (!is_pad && record->bytes > STRACE_RECORD_MAX))
		return 0;
	if (!is_pad)
		guest_memory_copy(strace->record, ring + at, record->bytes);
	return record->bytes;
}

int strace_drain(struct strace *strace, strace_show_output *show, void *context)
{
	struct strace_area *area = strace->area;
	const uint64_t head = __atomic_load_n(&area->head, __ATOMIC_ACQUIRE);
	int result = 0;
	strace->is_broken |= head - strace->tail > STRACE_RING_BYTES;
	while (!strace->is_broken && strace->tail != head && !result) {
		const size_t bytes = copy_record(strace, head);
		if (bytes && !strace->is_silent && !strace->file && strace->at.console != strace->console &&
		    strace->at.kind != STRACE_PAD) {
			strace_out_flush(&strace->out);
			result = show(context, strace->at.console);
			strace->console = strace->at.console;
		}
		strace->is_broken = !bytes || !take_record(strace, strace->record, bytes);
		strace->tail += bytes;
	}
	strace_out_flush(&strace->out);
	/* A guest that has damaged its ring goes on without being observed. */
	__atomic_store_n(&area->tail, strace->is_broken ? head : strace->tail, __ATOMIC_RELEASE);
	return result;
}

/* The first process has ended: no record says so. */
static void tell_end(struct strace *strace, const struct strace_thread *first, uint64_t status)
{
	strace->at.kind = STRACE_END;
	strace->at.thread = first->number;
	strace->at.pid = first->pid;
	strace->at.values[0] = status;
	tell_taker(strace, first, &first->call);
}

/* Calls that were not finished when the run ended stay so. */
void strace_end(struct strace *strace, int status)
{
	struct strace_thread *first = find_thread(strace, 1);
	strace->is_told = strace->area->magic == STRACE_MAGIC;
	cut_line(strace);
	if (!strace->is_silent && strace->filter.counts)
		strace_count_show(&strace->count, &strace->out);
	else if (shows_lines(strace) && first && status >= 0)
		show_thread_end(strace, first, (uint64_t)status);
	if (first && status >= 0)
		tell_end(strace, first, (uint64_t)status);
	strace_out_flush(&strace->out);
	while (strace->thread_count)
		drop_thread(strace, &strace->threads[strace->thread_count - 1]);
	free(strace->threads);
	strace->threads = NULL;
}
