/* SPDX-License-Identifier: MIT */
/* States of threads. Threads are grouped by a hash of their report, so ten thousand threads that wait at one place take
 * one line, and no quadratic time. */
#include "report/report_threads.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/thread.h"
#include "guest/linux_view.h"
#include "report/report.h"
#include "report/symbolizer.h"
#include "report/wait_kind.h"

#define SLOTS 65536 /* slots of a hash table: twice the limit of threads */
#define NONE UINT32_MAX
#define PROCESSES_MAX 16 /* limit of processes whose stacks are shown: each needs its own symbolizer */

_Static_assert(SLOTS >= 2 * THREADS_MAX, "slots");

/* Groups of threads in the same state. Threads are numbered by their index in threads->at[]. */
struct group_table {
	const struct thread_reports *threads;
	struct symbolizer_answers answers;
	bool owns_texts;    /* the texts of the answers must be freed */
	uint32_t *same;     /* by thread: the next one of its group; NONE at the end */
	uint32_t *last;     /* by a group's first thread: the group's last thread so far */
	uint32_t *stack_of; /* by thread: the first thread with the same stack */
	uint32_t *by_state; /* by hash: the first thread of a group */
	uint32_t *by_stack; /* by hash: the first thread with a stack */
};

/* FNV-1a of a text. */
static uint32_t hash_text(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 16777619;
	return (hash ^ 0xff) * 16777619;
}

static uint32_t hash_number(uint32_t hash, uint64_t number)
{
	for (unsigned i = 0; i < 64; i += 8)
		hash = (hash ^ (uint8_t)(number >> i)) * 16777619;
	return hash;
}

static bool same_stack(const struct group_table *table, uint32_t a, uint32_t b)
{
	const struct symbolizer_answer *at = table->answers.at;
	return *at[a].frames && !strcmp(at[a].frames, at[b].frames);
}

static bool same_state(const struct group_table *table, uint32_t a, uint32_t b)
{
	const struct thread_report *x = &table->threads->at[a], *y = &table->threads->at[b];
	return x->holder == y->holder && x->object == y->object && !strcmp(x->name, y->name) &&
	       !strcmp(x->waits_for, y->waits_for) && same_stack(table, a, b);
}

/* Returns the first thread of a hash table that is the same as this one. Inserts this one if there is none. */
static uint32_t find(const struct group_table *table, uint32_t *slots, uint32_t hash, uint32_t thread,
                     bool (*same)(const struct group_table *, uint32_t, uint32_t))
{
	uint32_t slot = hash % SLOTS;
	while (slots[slot] != NONE && !same(table, slots[slot], thread))
		slot = (slot + 1) % SLOTS;
	if (slots[slot] == NONE)
		slots[slot] = thread;
	return slots[slot];
}

/* Adds a thread to the group of its state. */
static void add(struct group_table *table, uint32_t thread)
{
	const struct thread_report *report = &table->threads->at[thread];
	uint32_t hash = hash_text(2166136261, table->answers.at[thread].frames);
	if (!*table->answers.at[thread].frames)
		hash = hash_number(hash, thread); /* a thread without a known stack is the same as no other */
	table->stack_of[thread] = find(table, table->by_stack, hash, thread, same_stack);
	hash = hash_number(hash_number(hash, report->holder), report->object);
	hash = hash_text(hash_text(hash, report->name), report->waits_for);
	uint32_t first = find(table, table->by_state, hash, thread, same_state);
	table->same[thread] = NONE;
	if (first != thread)
		table->same[table->last[first]] = thread;
	table->last[first] = thread;
	if (first != thread)
		table->last[thread] = NONE; /* the thread is not the first of a group */
}

/* Copies the answers about some threads, whose numbers are in which[], to the answers about all. */
static int put_answers(struct symbolizer_answers *all, const struct symbolizer_answers *some, const unsigned *which,
                       unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct symbolizer_answer *to = &all->at[which[i]];
		to->object = strdup(some->at[i].object);
		to->frames = strdup(some->at[i].frames);
		if (!to->object || !to->frames)
			return -1;
	}
	return 0;
}

/* Asks about all threads of the process of thread `first`. */
static int ask_process(struct group_table *table, const struct image *image, const struct guest_memory *memory,
                       const struct symbolizer_query *queries, unsigned first)
{
	const struct linux_view *views = table->threads->views, *view = &views[first];
	unsigned count = 0, *which = calloc(table->threads->count, sizeof(*which));
	struct symbolizer_query *own = calloc(table->threads->count, sizeof(*own));
	struct symbolizer_answers answers = {0};
	int result = -1;
	if (which && own) {
		for (unsigned i = first; i < table->threads->count; i++) {
			if (views[i].tables != view->tables || views[i].mappings != view->mappings)
				continue;
			own[count] = queries[i];
			linux_view_registers(view, memory, image, own[count].registers);
			which[count++] = i;
		}
		const struct guest_memory seen = linux_view_memory(view, memory);
		int modules = linux_view_modules(view, memory, image);
		result = symbolizer_ask(&answers, modules, &seen, own, count);
		if (modules >= 0)
			close(modules);
		if (!result)
			result = put_answers(&table->answers, &answers, which, count);
	}
	symbolizer_free(&answers);
	free(which);
	free(own);
	return result;
}

static int ask_linux(struct group_table *table, const struct image *image, const struct guest_memory *memory,
                     const struct symbolizer_query *queries)
{
	char nothing[] = "";
	struct symbolizer_answer none = {.object = nothing, .frames = nothing};
	const struct symbolizer_answers left_out = {.at = &none};
	unsigned processes = 0;
	table->answers.at = calloc(table->threads->count, sizeof(*table->answers.at));
	table->owns_texts = true;
	int result = table->answers.at ? 0 : -1;
	for (unsigned i = 0; !result && i < table->threads->count; i++) {
		if (table->answers.at[i].frames)
			continue;
		if (processes++ < PROCESSES_MAX)
			result = ask_process(table, image, memory, queries, i);
		else
			result = put_answers(&table->answers, &left_out, &i, 1);
	}
	return result;
}

static int ask_native(struct group_table *table, const struct image *image, const struct guest_memory *memory,
                      const struct symbolizer_query *queries)
{
	int file = image_file_alone(image);
	int result = symbolizer_ask(&table->answers, file, memory, queries, table->threads->count);
	if (file >= 0)
		close(file);
	return result;
}

static int ask(struct group_table *table, const struct image *image, const struct guest_memory *memory)
{
	unsigned count = table->threads->count;
	struct symbolizer_query *queries = calloc(count, sizeof(*queries));
	if (!queries)
		return -1;
	for (unsigned i = 0; i < count; i++) {
		memcpy(queries[i].registers, table->threads->at[i].registers, sizeof(queries[i].registers));
		queries[i].object = table->threads->at[i].object;
	}
	int result = table->threads->views ? ask_linux(table, image, memory, queries)
	                                   : ask_native(table, image, memory, queries);
	free(queries);
	for (unsigned i = 0; !result && i < count; i++)
		report_leave_out_kernel(table->answers.at[i].frames, &image->header);
	return result;
}

static void fini(struct group_table *table)
{
	free(table->same);
	free(table->last);
	free(table->stack_of);
	free(table->by_state);
	free(table->by_stack);
	for (unsigned i = 0; table->owns_texts && table->answers.at && i < table->threads->count; i++) {
		free((char *)table->answers.at[i].object);
		free(table->answers.at[i].frames);
	}
	symbolizer_free(&table->answers);
}

static int init(struct group_table *table, const struct image *image, const struct guest_memory *memory)
{
	unsigned count = table->threads->count;
	table->same = calloc(count, sizeof(*table->same));
	table->last = calloc(count, sizeof(*table->last));
	table->stack_of = calloc(count, sizeof(*table->stack_of));
	table->by_state = malloc(SLOTS * sizeof(*table->by_state));
	table->by_stack = malloc(SLOTS * sizeof(*table->by_stack));
	if (!table->same || !table->last || !table->stack_of || !table->by_state || !table->by_stack ||
	    ask(table, image, memory))
		return -1;
	memset(table->by_state, 0xff, SLOTS * sizeof(*table->by_state));
	memset(table->by_stack, 0xff, SLOTS * sizeof(*table->by_stack));
	for (unsigned i = 0; i < count; i++)
		add(table, i);
	return 0;
}

/* "thread 3", or "5 threads (3 to 6, 9)". */
static void write_numbers(FILE *to, const struct group_table *table, uint32_t first)
{
	const struct thread_report *at = table->threads->at;
	unsigned count = 0;
	for (uint32_t i = first; i != NONE; i = table->same[i])
		count++;
	if (count == 1) {
		fprintf(to, "thread %" PRIu32, at[first].thread);
		return;
	}
	fprintf(to, "%u threads (", count);
	for (uint32_t i = first, end = first; i != NONE; i = table->same[end]) {
		for (end = i; table->same[end] != NONE && at[table->same[end]].thread == at[end].thread + 1;)
			end = table->same[end];
		fprintf(to, "%s%" PRIu32, i == first ? "" : ", ", at[i].thread);
		if (end != i)
			fprintf(to, " to %" PRIu32, at[end].thread);
	}
	putc(')', to);
}

/* Writes what the threads of a group wait for, as one line. */
static void write_state(FILE *to, const struct group_table *table, uint32_t first)
{
	const struct thread_report *report = &table->threads->at[first];
	const char *object = table->answers.at[first].object, *kind = NULL;
	bool several = table->same[first] != NONE;
	fprintf(to, "eremite: ");
	write_numbers(to, table, first);
	if (report->name[0])
		fprintf(to, " \"%s\"", report->name);
	if (table->threads->views && !strcmp(report->waits_for, "futex"))
		kind = wait_kind_of(table->answers.at[first].frames);
	if (report->waits_for[0])
		fprintf(to, " wait%s for %s", several ? "" : "s", kind ? kind : report->waits_for);
	else
		fprintf(to, " could go on");
	if (report->object && *object)
		fprintf(to, " %s (0x%" PRIx64 ")", object, report->object);
	else if (report->object)
		fprintf(to, " at 0x%" PRIx64, report->object);
	if (report->object && report->holder == report->thread)
		fprintf(to, ", which it holds itself");
	else if (report->object && report->holder)
		fprintf(to,
		        thread_reports_find(table->threads, report->holder) ? ", which thread %" PRIu32 " holds"
		                                                            : ", which thread %" PRIu32
		                                                              " held when it ended",
		        report->holder);
	putc('\n', to);
}

static void write_stack(FILE *to, const struct group_table *table, uint32_t first, const struct guest_memory *memory)
{
	uint32_t shown = table->stack_of[first];
	if (shown != first)
		fprintf(to, "  (the same stack as thread %" PRIu32 ")\n", table->threads->at[shown].thread);
	else
		report_stack(to, table->answers.at[first].frames, table->threads->at[first].registers, memory);
}

void report_threads(FILE *to, const struct image *image, const struct thread_reports *threads,
                    const struct guest_memory *memory)
{
	struct group_table table = {.threads = threads};
	if (threads->count && !init(&table, image, memory)) {
		for (uint32_t i = 0; i < threads->count; i++) {
			if (table.last[i] == NONE)
				continue; /* reported with an earlier thread */
			write_state(to, &table, i);
			write_stack(to, &table, i, memory);
		}
	} else if (threads->count) {
		fprintf(to, "eremite: there is not enough memory for the states of %u threads\n", threads->count);
	}
	fini(&table);
	fflush(to);
}
