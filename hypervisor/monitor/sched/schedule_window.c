/* SPDX-License-Identifier: MIT */
/* The window of schedule records. Records from the guest are checked before they are written to a file, so the file can
 * be read again. A wrong count ends the run. */
#include "sched/schedule_window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_area.h"
#include "abi/sched_op.h"
#include "abi/sched_shared.h"
#include "sched/schedule.h"

bool schedule_window_is_needed(const struct boot_sched *boot)
{
	return boot->flags || (boot->policy != SCHED_fifo && boot->policy != SCHED_rr);
}

/* Returns the shared memory, for writing only. Reads use a copy. */
static struct sched_shared *shared_of(const struct guest_memory *memory)
{
	return guest_memory_at(memory, gpa(LAYOUT_SCHED), sizeof(struct sched_shared));
}

static struct sched_shared read_shared(const struct guest_memory *memory)
{
	struct sched_shared shared = {0};
	guest_memory_read(memory, gpa(LAYOUT_SCHED), &shared, sizeof(shared));
	return shared;
}

/* Number of points passed since the last one that `decision` counts. 0 if the guest has not begun. */
static uint64_t unsettled(const struct sched_shared *shared)
{
	return shared->points_armed ? shared->points_armed - (uint64_t)shared->points_left - 1 : 0;
}

uint64_t schedule_window_decisions(const struct sched_shared *shared)
{
	return shared->decision + unsettled(shared);
}

/* Puts the next records of the file into the window. */
static void give(struct schedule_window *window, struct sched_shared *shared)
{
	if (!window->from)
		return;
	uint64_t count = window->from->count - window->given;
	if (count > SCHED_WINDOW)
		count = SCHED_WINDOW;
	if (count)
		memcpy(window->area->records, window->from->records + window->given,
		       count * sizeof(struct sched_record));
	window->given += count;
	shared->records_count = count;
}

int schedule_window_init(struct schedule_window *window, const struct sched_config *config, const struct schedule *from,
                         FILE *to, const struct guest_memory *memory, host_memory_reserve *reserve)
{
	*window = (struct schedule_window){.from = from, .to = to};
	if (!schedule_window_is_needed(&config->boot))
		return 0;
	struct sched_shared *shared = shared_of(memory);
	if (!shared)
		return -EINVAL;
	int result = reserve(&window->memory, LAYOUT_SCHEDULE_SIZE);
	if (result)
		return result;
	window->area = (struct sched_area *)window->memory.base;
	window->plan = config->boot.policy == SCHED_near ? config->plan : NULL;
	window->plan_count = config->boot.counts;
	if (window->plan && window->plan_count > SCHED_PLAN_MAX)
		return -E2BIG;
	if (window->plan)
		memcpy(window->area->plan, window->plan, window->plan_count * sizeof(*window->plan));
	else if (config->boot.counts && config->boot.policy != SCHED_near)
		memcpy(window->area->counts, config->counts, config->boot.counts * sizeof(uint64_t));
	give(window, shared);
	if (to)
		schedule_print_header(to, &config->points);
	return 0;
}

void schedule_window_fini(struct schedule_window *window)
{
	host_memory_release(&window->memory);
	*window = (struct schedule_window){0};
}

static void print(struct schedule_window *window, const struct sched_record *record)
{
	schedule_print_record(window->to, record);
	window->has_end = record->kind == SCHED_KIND_end || record->kind == SCHED_KIND_stop;
}

/* Writes the records that the guest has completed. */
static int take(struct schedule_window *window, const struct sched_shared *shared, struct error *error)
{
	uint64_t count = shared->records_at, before = shared->records_before;
	if (count > SCHED_WINDOW)
		return error_set(error, EPROTO,
		                 "the guest says that it has written %lu schedule records, but there is room for %d",
		                 count, SCHED_WINDOW);
	for (uint64_t i = 0; i < count; i++) {
		struct sched_record record;
		guest_memory_copy(&record, &window->area->records[i], sizeof(record));
		if (!schedule_is_valid(&record) || window->has_end)
			return error_set(error, EPROTO,
			                 "the guest has written an impossible schedule record: decision %lu (kind %u, "
			                 "operation %u)",
			                 before + i + 1, record.kind, record.op);
		print(window, &record);
	}
	if (ferror(window->to))
		return error_set(error, EIO, "cannot write the schedule: %s", strerror(errno));
	return 0;
}

int schedule_window_turn(struct schedule_window *window, const struct guest_memory *memory, struct error *error)
{
	const struct sched_shared said = read_shared(memory);
	struct sched_shared *shared = shared_of(memory);
	int result = 0;
	if (!window->area)
		return error_set(error, EPROTO, "the guest asks for schedule records, but it has no schedule area");
	if (window->to)
		result = take(window, &said, error);
	if (result)
		return result;
	give(window, shared);
	shared->records_before = said.records_before + said.records_at;
	shared->records_at = 0;
	return 0;
}

/* Returns the stop at the end of a replayed file, or NULL. */
static const struct sched_record *last_stop(const struct schedule_window *window)
{
	const struct schedule *from = window->from;
	const struct sched_record *last = from && from->count ? &from->records[from->count - 1] : NULL;
	return last && last->kind == SCHED_KIND_stop ? last : NULL;
}

/* Returns the thread that runs after the written records. The guest may not have switched to it yet. */
static uint32_t whose_turn(const struct schedule_window *window, const struct sched_shared *shared)
{
	const struct schedule *from = window->from;
	uint64_t count = shared->records_before + shared->records_at;
	if (from && count < from->count)
		return from->records[count].thread;
	uint64_t thread = !from && shared->next_at <= count && shared->next ? shared->next : shared->current;
	return thread ? (uint32_t)thread : 1;
}

static struct sched_record stop_here(const struct schedule_window *window, const struct sched_shared *shared,
                                     uint64_t ticks)
{
	return (struct sched_record){
		.thread = whose_turn(window, shared),
		.kind = SCHED_KIND_stop,
		.op = SCHED_OP_NONE,
		.points = shared->counting ? shared->counting - 1 : shared->points_since + unsettled(shared),
		.detail = ticks - shared->slice_start,
	};
}

bool schedule_window_ends_by_stop(const struct schedule_window *window)
{
	return last_stop(window) != NULL;
}

bool schedule_window_is_at_stop(const struct schedule_window *window, const struct sched_shared *shared, uint64_t ticks)
{
	const struct sched_record *last = last_stop(window), here = stop_here(window, shared, ticks);
	return last && shared->records_before + shared->records_at == window->from->count - 1 &&
	       (shared->current ? shared->current : 1) == last->thread &&
	       (here.points > last->points || (here.points == last->points && here.detail >= last->detail));
}

struct sched_record schedule_window_stop(const struct schedule_window *window, const struct sched_shared *shared,
                                         uint64_t ticks)
{
	return schedule_window_is_at_stop(window, shared, ticks) ? *last_stop(window)
	                                                         : stop_here(window, shared, ticks);
}

bool schedule_window_look(struct schedule_window *window, struct sched_look *look)
{
	if (!window->area)
		return false;
	guest_memory_copy(look, &window->area->look, sizeof(*look));
	window->area->look.wanted = 0;
	return window->plan && look->wanted == 1;
}

/* Tells the owner of the plan what became of its entries. */
static void take_uses(const struct schedule_window *window)
{
	for (uint64_t i = 0; window->area && window->plan && i < window->plan_count; i++) {
		struct sched_plan entry;
		guest_memory_copy(&entry, &window->area->plan[i], sizeof(entry));
		window->plan[i].use = entry.use <= SCHED_PLAN_VAIN ? entry.use : SCHED_PLAN_UNUSED;
	}
}

int schedule_window_close(struct schedule_window *window, const struct guest_memory *memory,
                          const struct sched_record *stop, struct error *error)
{
	take_uses(window);
	if (!window->to || !window->area)
		return 0;
	const struct sched_shared said = read_shared(memory);
	int result = take(window, &said, error);
	if (!result && stop && !window->has_end && schedule_is_valid(stop))
		print(window, stop);
	return result;
}

/* Replaces all but printable characters of a name that the guest wrote. */
static void clean_name(char name[16])
{
	for (unsigned i = 0; i < 16; i++)
		if (name[i] && (name[i] < ' ' || name[i] > '~'))
			name[i] = '?';
	name[15] = 0;
}

bool schedule_window_account(const struct schedule_window *window, unsigned index, struct sched_account *account)
{
	if (!window->area || index >= SCHED_ACCOUNTS)
		return false;
	guest_memory_copy(account, &window->area->accounts[index], sizeof(*account));
	clean_name(account->name);
	return account->thread != 0;
}

void schedule_window_account_process(const struct schedule_window *window, unsigned index,
                                     struct sched_account_process *process)
{
	*process = (struct sched_account_process){0};
	if (!window->area || index >= SCHED_ACCOUNTS)
		return;
	guest_memory_copy(process, &window->area->account_processes[index], sizeof(*process));
	clean_name(process->name);
}

unsigned schedule_window_accesses(const struct schedule_window *window, struct sched_access **accesses)
{
	unsigned count = 0;
	*accesses = window->area ? calloc(SCHED_ACCESSES, sizeof(**accesses)) : NULL;
	for (unsigned i = 0; *accesses && i < SCHED_ACCESSES; i++) {
		struct sched_access *entry = &(*accesses)[count];
		guest_memory_copy(entry, &window->area->profile.accesses[i], sizeof(*entry));
		count += entry->thread && entry->points;
	}
	return count;
}

unsigned schedule_window_pairs(const struct schedule_window *window, uint64_t **pairs, uint64_t *signature)
{
	uint64_t count = 0;
	*signature = 0;
	*pairs = window->area ? calloc(SCHED_PAIRS_LISTED, sizeof(**pairs)) : NULL;
	if (!*pairs)
		return 0;
	const struct sched_reads *reads = &window->area->reads;
	guest_memory_copy(signature, &reads->signature, sizeof(*signature));
	guest_memory_copy(&count, &reads->pairs, sizeof(count));
	guest_memory_copy(*pairs, reads->listed, sizeof(reads->listed));
	return count < SCHED_PAIRS_LISTED ? (unsigned)count : SCHED_PAIRS_LISTED;
}

void schedule_window_places(const struct schedule_window *window, uint64_t *first, uint64_t *last)
{
	*first = *last = 0;
	if (!window->area)
		return;
	guest_memory_copy(first, &window->area->profile.first, sizeof(*first));
	guest_memory_copy(last, &window->area->profile.last, sizeof(*last));
}
