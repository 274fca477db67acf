/* SPDX-License-Identifier: MIT */
/* Serves the doorbell. The guest's requests are untrusted. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "base/jitter.h"
#include "code/code_service.h"
#include "run/run_state.h"

/* With jitter the engine shows up to so many blocks more than the guest is told of. */
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
	if (console_drain(&run->console) >= 0 || !run->console.error[0])
		return;
	run_fail(run, "%s", run->console.error);
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

/* The guest waits for somebody outside, who may change files until it goes on. */
static void stop_ahead(const struct run *run)
{
	if (run->config->host_files)
		host_ahead_stop(run->config->host_ahead);
}

/* The guest waits until somebody has read some of its output. */
static void empty_console(struct run *run)
{
	stop_ahead(run);
	run_drain_beside(run);
	run_drain(run);
}

/* Input for the guest: waits for some, and copies it in. Nothing of the host reaches the guest but bytes and their end:
 * an error ends the run. */
static int64_t read_stdin(struct run *run, gpa_t to, uint64_t bytes)
{
	struct input live = {0};
	void *at = guest_memory_at(&run->memory, to, bytes);
	if (!at)
		return -EFAULT;
	run_drain_beside(run); /* waiting for input may take long */
	stop_ahead(run);
	for (;;) {
		ssize_t got = input_read(run->config->input ? run->config->input : &live, at, bytes);
		if (got < 0 && got != -EINTR)
			run_fail(run, "cannot read standard input: %s", strerror((int)-got));
		if (got != -EINTR || run_is_stopped())
			return got;
	}
}

/* The next key typed on the terminal. */
static int64_t read_key(struct run *run, gpa_t to, uint64_t wait_ns)
{
	uint8_t key[TYPED_BYTES];
	struct run_stats stats = {0};
	if (!run->config->tty) {
		run_fail(run, "the guest asked for a key, but it has no terminal");
		return 0;
	}
	guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &stats, sizeof(stats));
	if (wait_ns) {
		run_drain_beside(run);
		stop_ahead(run);
	}
	int64_t bytes = terminal_key(&run->terminal, key, wait_ns, stats.events);
	if (bytes > 0 && guest_memory_write(&run->memory, to, key, (uint64_t)bytes))
		return -EFAULT;
	return bytes;
}

/* Each time twice as much. */
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
			run_fail(run, "cannot show more memory to the guest: %s", strerror(-result));
			return result;
		}
	}
	run->shown = shown;
	return (int64_t)shown;
}

/* One request for the host's files, of which the guest may see none. */
static int64_t serve_host_files(struct run *run, gpa_t request)
{
	struct host_files none = {0}, *files = run->config->host_files ? run->config->host_files : &none;
	memory_ahead_follow_guest(&run->ahead, &run->memory); /* it is about to use more */
	bool failed;
	int64_t answer;
	if (run->config->host_files) {
		answer = host_ahead_serve(run->config->host_ahead, request, &failed);
	} else {
		answer = host_files_serve(files, &run->memory, request);
		failed = files->error[0];
	}
	if (failed)
		run_fail(run, "%s", files->error);
	return answer;
}

void run_serve_doorbell(struct run *run, uint32_t op)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	struct doorbell asked;
	struct run_exits *exits = &run->result->exits;
	int64_t answer = 0;
	char error[256];
	guest_memory_copy(&asked, page, sizeof(asked));
	run->doorbells += op != DOORBELL_STEP; /* which is no progress */
	switch (op) {
	case DOORBELL_CONSOLE_FULL:
		exits->console_full++;
		empty_console(run);
		break;
	case DOORBELL_STDIN_READ:
		exits->stdin_read++;
		run_drain(run);                  /* what the program asked is read before it is answered */
		if (run_take_recorded_stop(run)) /* the recorded run waited here */
			break;
		answer = read_stdin(run, gpa(asked.args[0]), asked.args[1]);
		break;
	case DOORBELL_TYPED:
		exits->stdin_read++;
		run_drain(run);
		if (run_take_recorded_stop(run))
			break;
		answer = read_key(run, gpa(asked.args[0]), asked.args[1]);
		__atomic_store_n(&page->interrupt, run->config->tty && terminal_look(&run->terminal), __ATOMIC_RELAXED);
		break;
	case DOORBELL_FAULT:
		exits->end++;
		run_take_report(run, gpa(asked.args[0]));
		break;
	case DOORBELL_OUT_ENTRY:
	case DOORBELL_OUT_DATA:
		exits->out++;
		if (!run->out_open)
			break;
		answer = op == DOORBELL_OUT_ENTRY
		                 ? out_entry(&run->out, &run->memory, gpa(asked.args[0]))
		                 : out_data(&run->out, &run->memory, gpa(asked.args[0]), asked.args[1]);
		if (answer < 0 && !run_is_stopped())
			run_fail(run, "%s", run->out.error);
		break;
	case DOORBELL_SCHEDULE:
		exits->schedule++;
		if (schedule_window_turn(&run->schedule, &run->memory, error))
			run_fail(run, "%s", error);
		break;
	case DOORBELL_HOST_FILE:
		exits->host_files++;
		answer = serve_host_files(run, gpa(asked.args[0]));
		break;
	case DOORBELL_THREAD:
		exits->end++;
		run_take_thread(run, gpa(asked.args[0]));
		break;
	case DOORBELL_CODE:
		exits->other++;
		answer = code_service_answer(&run->memory, gpa(asked.args[0]), &run->config->sched.points, error);
		if (error[0] && run_is_stopped())
			run->stops_here = true; /* the kernel has no answer, and would make an error of it */
		else if (error[0])
			run_fail(run, "%s", error);
		break;
	case DOORBELL_MEMORY:
		exits->other++;
		answer = run_show_memory(run, asked.args[0]);
		break;
	case DOORBELL_STEP:
		answer = spin_step(&run->spin, asked.args[0], asked.args[1], watch_now_ns());
		break;
	case DOORBELL_EXIT:
		exits->end++;
		run_take_end(run, asked.args[0], asked.args[1]);
		break;
	default:
		run_fail(run, "the guest rang the doorbell for operation %u, which does not exist", op);
	}
	page->result = answer;
}
