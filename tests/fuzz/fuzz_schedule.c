/* SPDX-License-Identifier: MIT */
/* The window of schedule records. What is written of it can be read again, and says the same. */
#include <stdio.h>

#include "abi/sched_area.h"
#include "abi/sched_op.h"
#include "abi/sched_reads.h"
#include "abi/sched_shared.h"
#include "base/error.h"
#include "sched/schedule.h"
#include "sched/schedule_window.h"
#include "tests/fuzz/fuzz.h"

static void read_again(char *text, size_t bytes)
{
	struct schedule schedule = {0};
	struct error error;
	char *again = NULL;
	FILE *from = fmemopen(text, bytes, "r"), *to = open_memstream(&again, &bytes);
	if (schedule_read(&schedule, from, "a schedule", &error))
		abort();
	schedule_print_header(to, &schedule.points);
	for (uint64_t i = 0; i < schedule.count; i++)
		schedule_print_record(to, &schedule.records[i]);
	fclose(to);
	if (strcmp(again, text))
		abort();
	fclose(from);
	free(again);
	schedule_free(&schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sched_record given[3] = {
		{.thread = 1, .kind = SCHED_KIND_preempt, .op = SCHED_OP_NONE, .points = 1},
		{.thread = 2, .kind = SCHED_KIND_preempt, .op = SCHED_OP_NONE, .points = 2},
		{.thread = 1, .kind = SCHED_KIND_stop, .op = SCHED_OP_NONE, .points = 3},
	};
	struct fuzz_input input = fuzz_begin(data, size);
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const struct schedule replayed = {.records = given, .count = 2 + (flags & 1)};
	struct sched_config config = {.boot.flags = flags & 2 ? 0 : SCHED_FLAG_ACCOUNT};
	struct schedule_window window;
	struct sched_account account;
	struct sched_access *accesses = NULL;
	struct error error;
	char *text = NULL;
	size_t bytes;
	FILE *to = flags & 4 ? open_memstream(&text, &bytes) : NULL;
	if (schedule_window_init(&window, &config, flags & 8 ? &replayed : NULL, to, &memory, host_memory_anonymous))
		abort();
	struct sched_shared *shared = guest_memory_at(&memory, gpa(LAYOUT_SCHED), sizeof(*shared));
	struct sched_record *records = window.area ? window.area->records : NULL;
	struct sched_record stop = {0};
	int result = 0;
	for (unsigned turn = 0; turn < 3 && input.left && !result; turn++) {
		fuzz_take(&input, shared, 80);
		fuzz_take(&input, &shared->current, 40);
		for (uint64_t i = 0; records && i < 64 && i < shared->records_at; i++)
			fuzz_take(&input, &records[i], sizeof(records[i]));
		uint64_t ticks = fuzz_number(&input, 8);
		schedule_window_is_at_stop(&window, shared, ticks);
		stop = schedule_window_stop(&window, shared, ticks);
		if (!(flags & 16))
			result = schedule_window_turn(&window, &memory, &error);
	}
	if (!result)
		result = schedule_window_close(&window, &memory, flags & 64 ? &stop : NULL, &error);
	if (result && strnlen(error.text, sizeof(error)) == sizeof(error))
		abort();
	if (window.area)
		fuzz_take(&input, &window.area->accounts[1], sizeof(account));
	if (window.area)
		fuzz_take(&input, &window.area->profile.accesses[1], sizeof(*accesses));
	if (flags & 32 && schedule_window_accesses(&window, &accesses) > SCHED_ACCESSES)
		abort();
	free(accesses);
	uint64_t *pairs = NULL, signature;
	if (window.area)
		fuzz_take(&input, &window.area->reads, offsetof(struct sched_reads, table));
	if (schedule_window_pairs(&window, &pairs, &signature) > SCHED_PAIRS_LISTED)
		abort();
	free(pairs);
	for (unsigned i = 0; i < 3; i++)
		schedule_window_account(&window, flags & 32 ? i : UINT32_MAX - i, &account);
	if (to)
		fclose(to);
	if (text && *text && !result)
		read_again(text, bytes);
	free(text);
	schedule_window_fini(&window);
	return 0;
}
