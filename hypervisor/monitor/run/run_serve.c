/* SPDX-License-Identifier: MIT */
/* Serves the doorbell. The guest's requests are untrusted. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "abi/sched_plan.h"
#include "base/error.h"
#include "base/jitter.h"
#include "code/service/code_service.h"
#include "record/record_log.h"
#include "run/place.h"
#include "run/run_state.h"
#include "run/streams/recorded_input.h"

/* With jitter the engine maps up to 512 blocks more than the guest knows of. */
#define JITTER_BLOCKS 512

bool run_is_stopped(void)
{
	return watch_stopped() != WATCH_GOES_ON;
}

uint64_t run_map_beyond(const struct run *run, uint64_t shown)
{
	uint64_t blocks = (run->memory.bytes - shown) / BLOCK_SIZE;
	return shown + jitter_below((blocks < JITTER_BLOCKS ? blocks : JITTER_BLOCKS) + 1) * BLOCK_SIZE;
}

void run_drain(struct run *run)
{
	if (console_drain(&run->console) >= 0 || !run->console.error.text[0])
		return;
	run_fail(run, "%s", run->console.error.text);
	if (run->console.reader_gone)
		run->result->reader_gone = true;
}

void run_drain_beside(struct run *run)
{
	int result = watch_start_draining(&run->watch);
	if (result)
		run_fail(run,
		         "cannot start a thread: %s; raise 'ulimit -u', 'ulimit -v' or pids.max of the control group",
		         strerror(-result));
}

void run_stop_ahead(const struct run *run)
{
	if (run->config->host_files)
		host_ahead_stop(run->config->host_ahead);
}

/* How often this thread has waited. */
static long count_waits(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) ? -1 : usage.ru_nvcsw;
}

/* Drains the console. It blocks until the readers of the output have made room: a reader may then have changed files
 * before the program goes on, so answers prepared for it are undone. */
static void empty_console(struct run *run)
{
	const long waits = count_waits();
	run_drain_beside(run);
	run_drain(run);
	if (waits < 0 || count_waits() != waits)
		run_stop_ahead(run);
}

/* Whether standard input comes by the network's ring: it does so in the same runs with and without a recording, but for
 * terminals. */
static bool has_input_events(const struct run *run)
{
	return run->config->net && run->config->net->has_input;
}

/* Waits for input of the host. Returns its bytes, 0 at its end, or a negative errno after a stop or an error. */
static ssize_t await_input(struct run *run, void *to, size_t bytes)
{
	struct input live = {0}, *input = run->config->input ? run->config->input : &live;
	run_drain_beside(run); /* waiting for input may take long */
	run_stop_ahead(run);
	for (;;) {
		ssize_t got = input_read(input, to, bytes);
		if (got < 0 && got != -EINTR)
			run_fail(run, "cannot read standard input: %s", strerror((int)-got));
		if (got != -EINTR || run_is_stopped())
			return got;
	}
}

/* Records what has come. */
static ssize_t record_input(struct run *run, const void *piece, ssize_t got)
{
	int error = got < 0 ? 0 : recorded_input_add(run->config->recording, piece, (size_t)got);
	if (error)
		run_fail(run, "cannot write the recording: %s", strerror(-error));
	return error ? error : got;
}

/* Copies the next piece of input from the recording. Ends the run if the recording has no further piece. */
static ssize_t replay_input(struct run *run, void *to, size_t bytes)
{
	struct replay *replay = run->config->replay;
	struct replay_block block;
	ssize_t got = recorded_input_next(replay, to, bytes);
	if (got == -ENODATA && replay_find(replay, RECORD_END, &block))
		run_stop_replay(run, RUN_DIFFER,
		                "the program does more than in the recording: it reads standard input");
	else if (got == -ENODATA)
		run_stop_replay(run, RUN_REPLAYED, "the recording was cut off here");
	else if (got == -EPROTO)
		run_stop_replay(run, RUN_DIFFER, "the program reads less standard input than in the recording");
	else if (got < 0)
		run_fail(run, "cannot replay the recording %.60s: %.160s", replay->dir, replay->error.text);
	return got;
}

/* Copies input to the guest. The guest learns only bytes and end of file: an error ends the run. What is recorded goes
 * through a buffer of the monitor, because the guest can change its own memory. */
static int64_t read_stdin(struct run *run, gpa_t to, uint64_t bytes)
{
	static uint8_t piece[LAYOUT_STDIN_BUFFER_SIZE]; /* no kernel asks for more */
	const struct run_config *config = run->config;
	uint64_t most = bytes < sizeof(piece) ? bytes : sizeof(piece);
	void *at = guest_memory_at(&run->memory, to, bytes);
	if (!at)
		return -EFAULT;
	if (has_input_events(run)) {
		run_fail(run, "the guest read standard input by the doorbell, but it gets it as events");
		return 0;
	}
	if (!config->recording && !config->replay)
		return await_input(run, at, most);
	ssize_t got = config->replay ? replay_input(run, piece, most)
	                             : record_input(run, piece, await_input(run, piece, most));
	if (got > 0)
		memcpy(at, piece, (size_t)got);
	return got;
}

/* Copies the next key typed on the terminal to the guest. */
static int64_t read_key(struct run *run, gpa_t to, uint64_t wait_ns)
{
	uint8_t key[TYPED_BYTES];
	struct run_stats stats = {0};
	if (!run->config->tty || has_input_events(run)) {
		run_fail(run, "the guest asked for a key, but it has no terminal that answers");
		return 0;
	}
	guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &stats, sizeof(stats));
	if (wait_ns) {
		run_drain_beside(run);
		run_stop_ahead(run);
	}
	int64_t bytes = terminal_key(&run->terminal, key, wait_ns, stats.events);
	if (bytes > 0 && guest_memory_write(&run->memory, to, key, (uint64_t)bytes))
		return -EFAULT;
	return bytes;
}

/* Doubles the memory shown until it reaches `end`. */
int64_t run_show_memory(struct run *run, uint64_t end)
{
	uint64_t shown = run->shown;
	if (end > run->memory.bytes) {
		run_fail(run, "the guest asked for %lu MiB of its %lu MiB of memory", end >> 20,
		         run->memory.bytes >> 20);
		return -EINVAL;
	}
	while (shown < end)
		shown *= 2;
	if (shown > run->memory.bytes)
		shown = run->memory.bytes;
	if (shown > run->mapped) {
		uint64_t from = run->mapped;
		run->mapped = run_map_beyond(run, shown);
		int result = run->ops->map(run->engine, from, &run->memory.ram, from, run->mapped - from, true);
		if (result) {
			run_fail(run, "cannot map more of the guest's memory: %s", strerror(-result));
			return result;
		}
	}
	run->shown = shown;
	return (int64_t)shown;
}

int64_t run_serve_console_full(struct run *run, const uint64_t *args)
{
	(void)args;
	empty_console(run);
	return 0;
}

int64_t run_serve_stdin_read(struct run *run, const uint64_t *args)
{
	run_drain(run);                  /* the user sees the program's question before typing the answer */
	if (run_take_recorded_stop(run)) /* the recorded run waited here */
		return 0;
	return read_stdin(run, gpa(args[0]), args[1]);
}

int64_t run_serve_typed(struct run *run, const uint64_t *args)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	run_drain(run);
	if (run_take_recorded_stop(run))
		return 0;
	int64_t answer = read_key(run, gpa(args[0]), args[1]);
	if (run->watch.terminal)
		__atomic_store_n(&page->interrupt, terminal_look(&run->terminal), __ATOMIC_RELAXED);
	return answer;
}

int64_t run_serve_fault(struct run *run, const uint64_t *args)
{
	run_take_report(run, gpa(args[0]));
	return 0;
}

/* Ends the run if the answer to a request about /out is an error. */
static int64_t out_answer(struct run *run, int64_t answer)
{
	if (answer < 0 && !run_is_stopped())
		run_fail(run, "%s", run->out.error.text);
	return answer;
}

int64_t run_serve_out_entry(struct run *run, const uint64_t *args)
{
	return run->out_open ? out_answer(run, out_entry(&run->out, &run->memory, gpa(args[0]))) : 0;
}

int64_t run_serve_out_data(struct run *run, const uint64_t *args)
{
	return run->out_open ? out_answer(run, out_data(&run->out, &run->memory, gpa(args[0]), args[1])) : 0;
}

int64_t run_serve_schedule(struct run *run, const uint64_t *args)
{
	const struct observer *observer = &run->config->observer;
	struct error error;
	struct sched_look look;
	struct fault_report place;
	(void)args;
	if (schedule_window_turn(&run->schedule, &run->memory, &error))
		run_fail(run, "%s", error.text);
	else if (schedule_window_look(&run->schedule, &look) && observer->decision &&
	         !place_take(run->ops, run->engine, &run->memory, &place))
		observer->decision(observer->context, &look, &place, &run->memory, &run->image);
	return 0;
}

int64_t run_serve_host_file(struct run *run, const uint64_t *args)
{
	struct host_files none = {0}, *files = run->config->host_files ? run->config->host_files : &none;
	bool failed;
	int64_t answer;
	memory_ahead_follow_guest(&run->ahead, &run->memory); /* the guest is about to use more */
	if (run->config->host_files) {
		answer = host_ahead_serve(run->config->host_ahead, gpa(args[0]), &failed);
	} else { /* every lookup fails */
		answer = host_files_serve(files, &run->memory, gpa(args[0]));
		failed = files->error.text[0];
	}
	if (failed)
		run_fail(run, "%s", files->error.text);
	return answer;
}

int64_t run_serve_thread(struct run *run, const uint64_t *args)
{
	run_take_thread(run, gpa(args[0]));
	return 0;
}

int64_t run_serve_code(struct run *run, const uint64_t *args)
{
	struct error error;
	int64_t answer =
		code_service_answer(&run->memory, gpa(args[0]), &run->config->sched.points, &run->known, &error);
	if (error.text[0] && run_is_stopped())
		run->stops_here =
			true; /* the kernel must not continue: it would take the missing answer for an error */
	else if (error.text[0])
		run_fail(run, "%s", error.text);
	return answer;
}

int64_t run_serve_memory(struct run *run, const uint64_t *args)
{
	return run_show_memory(run, args[0]);
}

int64_t run_serve_step(struct run *run, const uint64_t *args)
{
	return spin_step(&run->spin, args[0], args[1], watch_now_ns());
}

int64_t run_serve_exit(struct run *run, const uint64_t *args)
{
	run_take_end(run, args[0], args[1]);
	return 0;
}

/* Operations served while the program runs. */
static const struct service {
	int64_t (*serve)(struct run *run, const uint64_t *args);
	enum doorbell_counter counter;
} services[DOORBELL_OPS] = {
#define SERVICE(number, NAME, name, counter, ...) [number] = {run_serve_##name, DOORBELL_COUNTER_##counter},
	DOORBELL_RUN_LIST(SERVICE)
#undef SERVICE
};

/* Versions of the contract that have added operations. A run that has used one needs that version. DOORBELL_STRACE and
 * DOORBELL_DEBUG are left out, because only runs that are observed use them. */
static const struct {
	uint32_t op;
	unsigned version;
} added[] = {{DOORBELL_RACE, 25}};

_Static_assert(DOORBELL_OPS == 26, "a new operation that a sealed run can use has a row in the list of added ones");

static void note_contract(struct run *run, uint32_t op)
{
	if (!run->result->contract)
		run->result->contract = run->image.header.abi_version;
	for (unsigned i = 0; i < sizeof(added) / sizeof(added[0]); i++)
		if (added[i].op == op && run->result->contract < added[i].version)
			run->result->contract = added[i].version;
}

void run_serve_doorbell(struct run *run, uint32_t op)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	const struct service *service = op < DOORBELL_OPS && services[op].serve ? &services[op] : NULL;
	struct doorbell asked;
	int64_t answer = 0;
	guest_memory_copy(&asked, page, sizeof(asked));
	if (!service) {
		run_fail(run, "the guest rang the doorbell for operation %u, which does not exist", op);
	} else {
		if (service->counter != DOORBELL_COUNTER_none) {
			run->doorbells++;
			run->result->exits[service->counter]++;
		}
		note_contract(run, op);
		answer = service->serve(run, asked.args);
	}
	page->result = answer;
}

int64_t run_serve_file_after(struct run *run, const uint64_t *args)
{
	struct host_files *files = run->config->host_files;
	if (!files)
		return -ENOENT;
	files->is_ahead = true;
	int64_t answer = host_files_serve(files, &run->memory, gpa(args[0]));
	files->is_ahead = false;
	return answer;
}

void run_serve_after(struct run *run, const struct run_after *after)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	const uint64_t start = watch_now_ns();
	bool has_ended = false;
	while (!has_ended && after->goes_on(run, watch_now_ns() - start)) {
		run->ops->run(run->engine, &run->exit);
		const uint32_t op = run->exit.doorbell_op;
		const bool is_served = run->exit.stop == ENGINE_DOORBELL && op < DOORBELL_OPS && after->services[op];
		if (is_served) {
			struct doorbell asked;
			guest_memory_copy(&asked, page, sizeof(asked));
			page->result = after->services[op](run, asked.args);
			has_ended = op == DOORBELL_EXIT;
		} else if (run->exit.stop == ENGINE_DOORBELL || run->exit.stop == ENGINE_BROKEN) {
			after->refuse(run);
		}
	}
}
