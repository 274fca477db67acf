/* SPDX-License-Identifier: MIT */
/* A run that is debugged: takes the stops that the guest's kernel tells, and passes the debugger's requests to it.
 * While the program stands, the guest runs only to perform them. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "abi/debug.h"
#include "abi/sched_area.h"
#include "abi/ticks.h"
#include "base/error.h"
#include "debug/debug.h"
#include "run/place.h"
#include "run/run_state.h"
#include "sched/from_option.h"
#include "sched/schedule.h"
#include "sched/schedule_window.h"

#define RFLAGS_TF 0x100UL

int run_debug_prepare(struct run *run, struct error *error)
{
	static const struct run_area area = {LAYOUT_DEBUG, LAYOUT_DEBUG_SIZE, "the debugger", "the debugger's memory",
	                                     NULL};
	return run->config->debug ? run_area_make(run, &area, &run->debug, error) : 0;
}

static struct debug_area *debug_area_of(const struct run *run)
{
	return (struct debug_area *)run->debug.base;
}

/* Lets the guest run until its kernel has performed a request. Returns 0, or -EIO when the run has ended. */
static int await_answer(struct run *run)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	page->result = DEBUG_REQUEST;
	while (!run->ended) {
		run->ops->run(run->engine, &run->exit);
		if (run->exit.stop == ENGINE_BROKEN) {
			run_fail(run, "%s", run->exit.message);
		} else if (run->exit.stop == ENGINE_DOORBELL && run->exit.doorbell_op == DOORBELL_DEBUG) {
			if (page->args[0] == DEBUG_ANSWERED)
				return 0;
			run_fail(run, "the guest stops while a request of the debugger is performed");
		} else if (run->exit.stop == ENGINE_DOORBELL) {
			run_serve_doorbell(run, run->exit.doorbell_op);
		} else if (run_is_stopped()) {
			return -EIO;
		}
	}
	return -EIO;
}

static int64_t request(void *context, struct debug_request *request, void *data)
{
	struct run *run = context;
	struct debug_area *area = debug_area_of(run);
	int64_t result;
	if (run->ended)
		return -EIO;
	area->request = *request;
	memcpy(area->data, data, sizeof(area->data));
	if (await_answer(run))
		return -EIO;
	guest_memory_copy(&result, &area->result, sizeof(result));
	guest_memory_copy(request, &area->request, sizeof(*request));
	guest_memory_copy(data, area->data, sizeof(area->data));
	return result;
}

/* Copies memory of the program, piece by piece, as the kernel finds it. */
static int64_t read_memory(void *context, uint64_t address, void *to, uint64_t bytes)
{
	struct run *run = context;
	uint8_t data[DEBUG_DATA_BYTES] = {0};
	uint64_t done = 0;
	int64_t got = 0;
	while (done < bytes) {
		struct debug_request what = {.op = DEBUG_READ, .address = address + done, .bytes = bytes - done};
		got = request(run, &what, data);
		if (got > DEBUG_DATA_BYTES || got > (int64_t)(bytes - done)) /* no kernel gives more */
			got = -EIO;
		if (got <= 0)
			break;
		if (!what.address)
			memcpy((uint8_t *)to + done, data, (size_t)got);
		else if (guest_memory_read_shown(&run->memory, gpa(what.address), (uint8_t *)to + done, (uint64_t)got))
			break;
		done += (uint64_t)got;
	}
	return done ? (int64_t)done : got < 0 ? got : -EFAULT;
}

static void find_position(void *context, struct debug_position *position)
{
	const struct run *run = context;
	struct sched_shared shared;
	position->now_ns = place_shared(&run->memory, &run->image, &shared) / TICKS_PER_NS;
	position->decision = schedule_window_decisions(&shared);
}

/* --- what the run says of itself --- */

static void say_schedule(const struct run *run, FILE *to)
{
	const struct run_config *config = run->config;
	char policy[256], from[FROM_TEXT];
	sched_option_describe(&config->sched.boot, policy, sizeof(policy));
	fprintf(to, "policy %s, seed %" PRIu64 "\n", policy, config->sched.boot.seed);
	if (config->schedule)
		fprintf(to, "follows %.200s, which has %" PRIu64 " records\n",
		        config->schedule_name ? config->schedule_name : "a schedule", config->schedule->count);
	if (config->sched.from.kind == SCHED_FROM_START)
		return;
	from_option_describe(&config->sched.from, from);
	fprintf(to, "from %s\n", from);
}

#define SAID_BEFORE 10
#define SAID_AFTER 5

static void say_record(const struct sched_record *record, FILE *to)
{
	if (schedule_is_valid(record))
		schedule_print_record(to, record);
}

/* The records of a schedule that is followed, or of one that is written as far as they are still in the window. */
static void say_decisions(const struct run *run, FILE *to)
{
	const struct schedule_window *window = &run->schedule;
	struct sched_shared shared;
	struct sched_record record;
	place_shared(&run->memory, &run->image, &shared);
	fprintf(to, "decision %" PRIu64 "\n", schedule_window_decisions(&shared));
	if (!window->area || (!window->from && !window->to) || shared.records_at > SCHED_WINDOW) {
		fputs("no schedule is written or followed: give --schedule-out FILE or --schedule FILE\n", to);
		return;
	}
	const uint64_t at = shared.records_at;
	for (uint64_t i = at > SAID_BEFORE ? at - SAID_BEFORE : 0; i < at; i++) {
		guest_memory_copy(&record, &window->area->records[i], sizeof(record));
		say_record(&record, to);
	}
	fputs("(here)\n", to);
	for (uint64_t i = shared.records_before + at; window->from && i < window->from->count; i++) {
		say_record(&window->from->records[i], to);
		if (i - shared.records_before - at == SAID_AFTER - 1)
			break;
	}
}

static void say_digest(const struct run *run, FILE *to)
{
	struct run_stats stats;
	if (guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &stats, sizeof(stats)))
		return;
	fprintf(to, "%016" PRIx64 "%016" PRIx64 " of %" PRIu64 " events (system calls and decisions)\n", stats.chain[0],
	        stats.chain[1], stats.events);
}

static void describe(void *context, enum debug_say what, FILE *to)
{
	const struct run *run = context;
	if (what == DEBUG_SAY_SCHEDULE)
		say_schedule(run, to);
	else if (what == DEBUG_SAY_DECISIONS)
		say_decisions(run, to);
	else
		say_digest(run, to);
}

static void end_by_debugger(struct run *run)
{
	run->ended = true;
	run->result->end = RUN_INTERRUPTED;
	run->result->status = SIGTERM;
}

/* The debugger has gone: the program continues without breakpoints. */
static void forget_debugger(struct run *run)
{
	struct debug_request what = {.op = DEBUG_FORGET};
	uint8_t data[DEBUG_DATA_BYTES] = {0};
	request(run, &what, data);
	debug_area_of(run)->request = (struct debug_request){.op = DEBUG_CONTINUE};
}

int64_t run_serve_debug(struct run *run, const uint64_t *args)
{
	struct debug *debug = run->config->debug;
	const struct debug_target target = {.context = run,
	                                    .request = request,
	                                    .read = read_memory,
	                                    .position = find_position,
	                                    .describe = describe,
	                                    .is_stopped = run_is_stopped};
	struct debug_stop stop;
	struct debug_request go = {.op = DEBUG_CONTINUE};
	if (!debug || args[0] != DEBUG_STOPPED) {
		run_fail(run, "the guest has stopped for a debugger, but this run has no debugger");
		return DEBUG_GO;
	}
	run_drain(run); /* the user sees what the program has printed */
	guest_memory_copy(&stop, &debug_area_of(run)->stop, sizeof(stop));
	const enum debug_verdict verdict = debug->fd < 0 ? DEBUG_LEFT : debug_wait(debug, &stop, &target, &go);
	if (verdict == DEBUG_KILLED)
		end_by_debugger(run);
	else if (verdict == DEBUG_GOES_ON)
		debug_area_of(run)->request = go;
	else if (!run_is_stopped())
		forget_debugger(run);
	return DEBUG_GO;
}

/* Sets the trap flag if the program runs, so that its thread stops at the next instruction. In the kernel it stops at
 * the end of a system call. */
static void stop_program(struct run *run)
{
	struct engine_registers registers;
	const struct image_header *image = &run->image.header;
	debug_area_of(run)->interrupt = 1;
	if (run->ops->get_registers(run->engine, &registers) || registers.pending)
		return;
	const uint64_t rip = registers.general[ENGINE_RIP];
	if (rip >= image->kernel_text && rip < image->kernel_text_end)
		return;
	registers.rflags |= RFLAGS_TF;
	run->ops->set_registers(run->engine, &registers);
}

bool run_debug_look(struct run *run)
{
	struct debug *debug = run->config->debug;
	if (!debug)
		return false;
	if (debug_is_waiting(debug) && debug->was_stopped)
		stop_program(run);
	return debug_area_of(run)->steps || debug_area_of(run)->interrupt;
}

void run_debug_finish(struct run *run)
{
	const struct run_result *result = run->result;
	if (!run->config->debug)
		return;
	if (result->end == RUN_EXIT)
		debug_tell_end(run->config->debug, false, result->status);
	else
		debug_tell_end(run->config->debug, true, result->end == RUN_SIGNAL ? result->status : SIGKILL);
}
