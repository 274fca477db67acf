/* SPDX-License-Identifier: MIT */
/* Exact times of functions, without their callers (--by places). A place is named by its address alone: a stack of no
 * bytes. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/sched_account.h"
#include "base/die.h"
#include "profile/profile_frames.h"
#include "profile/profile_stacks.h"
#include "report/report.h"

#define ROOT_BYTES 16

static void add_time(struct profile_stacks *stacks, const char *names, uint64_t count, uint64_t ns)
{
	struct profile_table *table = &stacks->table;
	const size_t at = profile_table_stack(table, names);
	table->stacks[at].samples += count;
	table->stacks[at].ns += ns;
}

/* Names the places of a queue, and adds their times. */
static void name_queue(struct profile_stacks *stacks, const struct strace_place *const *queued, const char *root,
                       int file)
{
	static char names[PROFILE_NAMES_MAX];
	const unsigned count = stacks->queue.count;
	struct symbolizer_answers answers = {0};
	if (!count)
		return;
	const bool is_answered = !symbolizer_ask_kept(&answers, file, &stacks->queue);
	for (unsigned i = 0; i < count; i++) {
		profile_frames_top(names, root, is_answered ? answers.at[i].frames : "");
		add_time(stacks, names, queued[i]->count, queued[i]->ns);
	}
	symbolizer_free(&answers);
}

/* The places of a process whose files are mapped. */
static void add_process(struct profile_stacks *stacks, const struct strace_sample *process,
                        const struct strace_place *places, const struct guest_memory *memory, const struct image *image)
{
	const struct strace_place *queued[SYMBOLIZER_QUEUE_MAX];
	struct fault_report at = {.vector = UINT8_MAX, .thread = process->thread};
	struct symbolizer_query query;
	struct guest_memory seen;
	char root[ROOT_BYTES];
	const int file = report_query(&query, &seen, image, &at, memory, 0, true);
	memcpy(root, process->name, sizeof(root));
	root[sizeof(root) - 1] = 0;
	for (unsigned i = 1; i < STRACE_PLACES_MAX; i++) {
		if (places[i].pid != process->pid || (!places[i].count && !places[i].ns))
			continue;
		if (stacks->queue.count == SYMBOLIZER_QUEUE_MAX)
			name_queue(stacks, queued, root, file);
		query = (struct symbolizer_query){0};
		query.registers[SYMBOLIZE_RIP] = places[i].address;
		queued[stacks->queue.count] = &places[i];
		if (!symbolizer_keep(&stacks->queue, &seen, &query))
			die("out of memory");
	}
	name_queue(stacks, queued, root, file);
	if (file >= 0)
		close(file);
}

void profile_places_add(void *context, const struct strace_sample *process, const struct strace_place *places,
                        const struct guest_memory *memory, const struct image *image)
{
	struct profile_stacks *stacks = context;
	if (process) {
		add_process(stacks, process, places, memory, image);
		return;
	}
	if (places[0].ns || places[0].count)
		add_time(stacks, "[other places]", places[0].count, places[0].ns);
	for (unsigned i = 1; i < STRACE_PLACES_MAX; i++)
		if (places[i].pid && (places[i].ns || places[i].count))
			add_time(stacks, "[process that was stopped]", places[i].count, places[i].ns);
}

void profile_places_end(struct profile_stacks *stacks, const struct run_result *result)
{
	uint64_t ran = 0, placed = 0;
	for (unsigned i = 0; i < result->account_count; i++)
		ran += result->accounts[i].ran_ns;
	for (size_t i = 0; i < stacks->table.count; i++)
		placed += stacks->table.stacks[i].ns;
	if (ran > placed)
		add_time(stacks, "[ends of threads]", 0, ran - placed);
	profile_table_sort(&stacks->table);
}
