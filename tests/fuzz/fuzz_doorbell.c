/* SPDX-License-Identifier: MIT */
/* The doorbell: any operation with any arguments, in any order, and with whatever the input has in memory. */
#include <errno.h>
#include <stdio.h>

#include "abi/code.h"
#include "abi/linux_view.h"
#include "base/beside.h"
#include "run/run_state.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tree.h"

#define SHOWN 0x400000UL

static uint64_t now_ns;

/* The clock and the threads of the monitor, of which there are none. */
uint64_t watch_now_ns(void)
{
	return now_ns += 1000000;
}

int watch_stopped(void)
{
	return WATCH_GOES_ON;
}

int watch_start_draining(struct watch *watch)
{
	(void)watch;
	return 0;
}

unsigned beside_processors(void)
{
	return 1;
}

bool beside_has_processor(void)
{
	return false;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	(void)thread;
	(void)function;
	(void)argument;
	return false;
}

int beside_create(pthread_t *thread, void *(*function)(void *), void *argument)
{
	(void)thread;
	(void)function;
	(void)argument;
	return EAGAIN;
}

static int map(struct engine *engine, uint64_t address, const struct host_memory *ram, uint64_t offset, uint64_t bytes,
               bool writable)
{
	(void)engine;
	(void)ram;
	if (!writable || address != offset || offset > memory.bytes || bytes > memory.bytes - offset)
		abort();
	return 0;
}

static const struct engine_ops ops = {.name = "fake", .map = map};

static void begin(struct run *run, struct run_config *config, struct run_result *result, uint8_t flags)
{
	const struct out_limits limits = {.objects = 100, .bytes = 1 << 20};
	memset(result, 0, sizeof(*result));
	memset(run, 0, sizeof(*run));
	config->sched.boot.flags = flags & 1 ? SCHED_FLAG_RECORD : 0;
	run->config = config;
	run->ops = &ops;
	run->result = result;
	run->memory = memory;
	run->shown = run->mapped = SHOWN;
	run->image.header.kernel_text = 0x200000;
	run->image.header.kernel_text_end = 0x201000;
	run->out_open = flags & 2;
	if (schedule_window_init(&run->schedule, &config->sched, NULL, config->schedule_out, &run->memory,
	                         host_memory_anonymous) ||
	    (run->out_open && out_init(&run->out, NULL, &limits)))
		abort();
	console_init(&run->console, &run->memory, true, true);
	spin_init(&run->spin, &ops, NULL, &run->memory, &run->image);
}

/* An operation of abi/doorbell.h, or seldom another. */
static uint32_t take_operation(struct fuzz_input *input, uint64_t kind)
{
	if ((kind & 15) != 15)
		return kind & 15;
	uint32_t number = (uint32_t)fuzz_number(input, 4);
	return number >> 31 ? number : number % DOORBELL_OPS;
}

/* The counter of the operation, or `none` if it is not served while the program runs. */
static enum doorbell_counter counter_of(uint32_t op)
{
	static const enum doorbell_counter counters[] = {
#define COUNTER(number, NAME, name, counter, ...) DOORBELL_COUNTER_##counter,
		DOORBELL_RUN_LIST(COUNTER)
#undef COUNTER
	};
	static const uint32_t numbers[] = {
#define NUMBER(number, ...) number,
		DOORBELL_RUN_LIST(NUMBER)
#undef NUMBER
	};
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i] == op)
			return counters[i];
	return DOORBELL_COUNTER_none;
}

/* Rings, and checks that this counts once, under the operation's counter alone. */
static void ring_counted(struct run *run, uint32_t op)
{
	uint64_t expected[DOORBELL_COUNTERS], doorbells = run->doorbells;
	enum doorbell_counter counter = counter_of(op);
	memcpy(expected, run->result->exits, sizeof(expected));
	if (counter != DOORBELL_COUNTER_none) {
		expected[counter]++;
		doorbells++;
	}
	run_serve_doorbell(run, op);
	if (memcmp(expected, run->result->exits, sizeof(expected)) || doorbells != run->doorbells)
		abort();
}

/* The guest writes to its memory. */
static void write_memory(struct fuzz_input *input)
{
	static const uint64_t places[] = {LAYOUT_CONSOLE_RING, LAYOUT_CONSOLE_RING + PAGE_SIZE,
	                                  LAYOUT_SCHED,        LAYOUT_LINUX_VIEW,
	                                  LAYOUT_STATS,        LAYOUT_HOST_AHEAD,
	                                  LAYOUT_DOORBELL,     ARENA};
	uint64_t kind = fuzz_number(input, 1), place = places[kind & 7], bytes = kind & 128 ? 256 : 32;
	place += (kind >> 3 & 15) * 8;
	fuzz_take(input, guest_memory_at(&memory, gpa(place), bytes), bytes);
}

static void ring(struct run *run, struct fuzz_input *input)
{
	uint64_t kind = fuzz_number(input, 1);
	struct doorbell asked = {.args = {fuzz_address(input), fuzz_number(input, kind & 128 ? 8 : 1)}};
	void *there = guest_memory_at(&memory, gpa(asked.args[0]), 64);
	if (kind & 64 && there)
		fuzz_take(input, there, 64);
	if (kind & 32)
		asked.args[0] = fuzz_number(input, kind & 16 ? 4 : 1);
	guest_memory_write(&memory, gpa(LAYOUT_DOORBELL), asked.args, sizeof(asked.args));
	ring_counted(run, take_operation(input, kind));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run run;
	static struct run_result result;
	static struct host_files files;
	static struct host_ahead ahead;
	static uint8_t words[] = "words of standard input";
	struct input standard_input = {.kept = words, .kept_bytes = sizeof(words) - 1, .ended = true};
	static FILE *null;
	struct fuzz_input input = fuzz_begin(data, size);
	uint8_t flags = (uint8_t)fuzz_number(&input, 1), out[DIGEST_BYTES];
	struct run_config config = {.input = &standard_input, .host_ahead = &ahead};
	setenv("EREMITE_CACHE", "", 1);
	if (!null)
		null = fopen("/dev/null", "w");
	config.schedule_out = null;
	if (flags & 4) {
		tree_open(&files);
		config.host_files = &files;
		ahead = (struct host_ahead){0};
		host_ahead_begin(&ahead, &files, &memory, gpa(LAYOUT_HOST_AHEAD));
	}
	begin(&run, &config, &result, flags);
	for (unsigned turn = 0; turn < 64 && input.left && !run.ended; turn++)
		if (fuzz_number(&input, 1) & 1)
			write_memory(&input);
		else
			ring(&run, &input);
	if (strnlen(result.message, sizeof(result.message)) == sizeof(result.message) || run.shown > memory.bytes)
		abort();
	if (config.host_files) {
		host_ahead_end(&ahead);
		host_ahead_close(&ahead);
		host_files_close(&files);
	}
	if (run.out_open)
		out_fini(&run.out, out);
	memory_ahead_end(&run.ahead);
	thread_reports_free(&run.threads);
	schedule_window_fini(&run.schedule);
	console_fini(&run.console);
	return 0;
}
