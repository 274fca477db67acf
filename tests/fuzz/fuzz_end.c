/* SPDX-License-Identifier: MIT */
/* What a guest tells at its end by doorbells: a report of a fault, states of threads, and the reason. */
#include <stdio.h>

#include "abi/sched_op.h"
#include "run/run_state.h"
#include "sched/schedule.h"
#include "tests/fuzz/fuzz.h"

static uint32_t lines[] = {2, 3};
static struct sched_record records[] = {{.thread = 1, .kind = SCHED_KIND_preempt, .op = SCHED_OP_NONE},
                                        {.thread = 1, .kind = SCHED_KIND_stop, .op = SCHED_OP_NONE}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run_config config;
	static struct run_result result;
	static struct event_log log;
	static struct run run;
	struct fuzz_input input = fuzz_begin(data, size);
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	const struct schedule schedule = {.records = records, .lines = lines, .count = 2 - (flags & 1), .last_line = 4};
	config = (struct run_config){.schedule = flags & 2 ? &schedule : NULL, .schedule_name = "a schedule"};
	log.wanted.mode = flags & 4 ? EVENT_LOG_COMPARE : EVENT_LOG_RECORD;
	config.event_log = flags & 8 ? &log : NULL;
	memset(&result, 0, sizeof(result));
	memset(&run, 0, sizeof(run));
	run.config = &config;
	run.result = &result;
	run.memory = memory;
	run.image.header.ticks_left = fuzz_address(&input);
	run.image.bias = fuzz_address(&input);
	run.schedule.from = config.schedule;
	struct sched_shared *shared = guest_memory_at(&memory, gpa(LAYOUT_SCHED), sizeof(*shared));
	if (flags & 16)
		fuzz_take(&input, shared, sizeof(*shared));
	for (unsigned turn = 0; turn < 64 && input.left && !run.ended; turn++) {
		struct thread_report thread;
		struct fault_report report;
		uint64_t address = fuzz_address(&input);
		switch (fuzz_number(&input, 1) % 4) {
		case 0:
			fuzz_take(&input, &report, sizeof(report));
			guest_memory_write(&memory, gpa(address), &report, sizeof(report));
			run_take_report(&run, gpa(address));
			break;
		case 1:
			fuzz_take(&input, &thread, 32); /* numbers and name */
			fuzz_take(&input, thread.waits_for, 8);
			guest_memory_write(&memory, gpa(address), &thread, sizeof(thread));
			run_take_thread(&run, gpa(address));
			break;
		case 2:
			fuzz_take(&input, guest_memory_at(&memory, gpa(LAYOUT_LINUX_VIEW), sizeof(struct linux_view)),
			          sizeof(struct linux_view));
			break;
		default:
			address = fuzz_number(&input, 1);
			run_take_end(&run, address, fuzz_number(&input, 8));
		}
	}
	if (strnlen(result.message, sizeof(result.message)) == sizeof(result.message))
		abort();
	thread_reports_free(&run.threads);
	return 0;
}
