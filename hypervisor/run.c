/* SPDX-License-Identifier: MIT */
/* One run: set up, serve the guest's doorbell until it ends, take the sums, tear down.
 *
 * The calling thread runs the guest. A second one drains the console meanwhile and watches the wall clock; most runs
 * end before the first tick, which starts it, and are spared a thread. */
#include "run.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "abi/layout.h"
#include "boot.h"
#include "console.h"
#include "exit_status.h"
#include "image.h"
#include "out.h"
#include "scan.h"

/* How often the second thread looks at the console ring: ever more seldom while there is nothing, because each look
 * takes time from a guest that computes. A guest that fills the ring sooner drains it itself, through
 * the doorbell: with a reader at the pipe's other end, more threads at work make output slower. */
#define DRAIN_INTERVAL_MIN_NS 2000000UL
#define DRAIN_INTERVAL_MAX_NS 32000000UL

/* When the second thread starts. */
#define FIRST_TICK_US 3000

struct run {
	const struct run_config *config;
	const struct engine_ops *ops;
	struct run_result *result;
	struct guest_memory memory;
	struct image image;
	struct engine *engine;
	struct console console;
	struct out out;
	bool out_open;
	bool ready; /* set up, so the guest may run */
	bool ended;
	uint64_t deadline_ns;
	pthread_t watcher;
	pthread_mutex_t watch_lock;
	pthread_cond_t watch_stop;
	bool watching; /* under watch_lock, until the guest has ended */
	bool timed_out;
};

/* The run that the first tick belongs to. */
static struct run *ticking;
static volatile sig_atomic_t ticked;

static uint64_t now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void fail(struct run *run, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The run cannot go on; the first reason stays. */
static void fail(struct run *run, const char *fmt, ...)
{
	va_list args;
	if (run->ended && run->result->end == RUN_ERROR)
		return;
	run->ended = true;
	run->result->end = RUN_ERROR;
	va_start(args, fmt);
	vsnprintf(run->result->message, sizeof(run->result->message), fmt, args);
	va_end(args);
}

static void *watch(void *context)
{
	struct run *run = context;
	uint64_t deadline = run->deadline_ns, interval = DRAIN_INTERVAL_MIN_NS;
	pthread_mutex_lock(&run->watch_lock);
	while (run->watching) {
		uint64_t now = now_ns(), next = now + interval;
		if (now >= deadline) {
			__atomic_store_n(&run->timed_out, true, __ATOMIC_SEQ_CST);
			run->ops->interrupt(run->engine);
		}
		if (deadline > now && deadline < next)
			next = deadline;
		struct timespec until = {(time_t)(next / 1000000000), (long)(next % 1000000000)};
		pthread_cond_timedwait(&run->watch_stop, &run->watch_lock, &until);
		if (!run->watching)
			break;
		pthread_mutex_unlock(&run->watch_lock);
		/* An error is found again, and told, by the guest's thread. */
		if (console_drain(&run->console) > 0)
			interval = DRAIN_INTERVAL_MIN_NS;
		else if (interval < DRAIN_INTERVAL_MAX_NS)
			interval *= 2;
		pthread_mutex_lock(&run->watch_lock);
	}
	pthread_mutex_unlock(&run->watch_lock);
	return NULL;
}

static void nothing(int sig)
{
	(void)sig;
}

static void tick(int sig)
{
	(void)sig;
	ticked = 1;
	if (ticking)
		ticking->ops->interrupt(ticking->engine);
}

static void set_tick(struct run *run, long us)
{
	const struct itimerval once = {.it_value.tv_usec = us};
	ticking = run;
	ticked = 0;
	setitimer(ITIMER_REAL, &once, NULL);
}

static void prepare_signals(void)
{
	const struct sigaction wake = {.sa_handler = nothing}; /* no SA_RESTART: system calls have to return */
	const struct sigaction alarm = {.sa_handler = tick, .sa_flags = SA_RESTART};
	sigset_t signals;
	sigaction(SIGUSR1, &wake, NULL);
	sigaction(SIGALRM, &alarm, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* Starts the second thread if it does not run yet. */
static void watch_from_now(struct run *run)
{
	if (run->watching)
		return;
	set_tick(run, 0);
	run->watching = true;
	int error = pthread_create(&run->watcher, NULL, watch, run);
	if (error) {
		run->watching = false;
		fail(run, "cannot start a thread: %s", strerror(error));
	}
}

static void stop_watching(struct run *run)
{
	set_tick(NULL, 0);
	if (!run->watching)
		return;
	pthread_mutex_lock(&run->watch_lock);
	run->watching = false;
	pthread_cond_signal(&run->watch_stop);
	pthread_mutex_unlock(&run->watch_lock);
	pthread_join(run->watcher, NULL);
}

static int prepare_guest(struct run *run, char error[256])
{
	const struct run_config *config = run->config;
	struct trap_site *sites = NULL;
	uint64_t site_count = 0;
	int result = guest_memory_init(&run->memory, config->memory_bytes);
	if (result) {
		snprintf(error, 256, "cannot reserve %lu MiB of address space: %s", config->memory_bytes >> 20,
		         strerror(-result));
		return result;
	}
	result = image_load(config->image, &run->memory, &run->image, error);
	if (!result)
		result = scan_image(&run->memory, &run->image, &sites, &site_count, error);
	if (!result) {
		struct boot_config boot = {
			.seed = config->seed,
			.epoch_ns = config->epoch_ns,
			.flags = config->tty ? BOOT_FLAG_STDIN_TTY | BOOT_FLAG_STDOUT_TTY | BOOT_FLAG_STDERR_TTY : 0,
			.arguments = config->arguments,
			.argument_count = config->argument_count,
			.environment = config->environment,
			.environment_count = config->environment_count,
			.root_bytes = config->root ? config->root->bytes : 0,
			.events = config->watch,
			.trap_sites = sites,
			.trap_site_count = site_count,
		};
		result = boot_prepare(&run->memory, &run->image, &boot, error);
	}
	free(sites);
	return result;
}

static int prepare_engine(struct run *run, char error[256])
{
	const struct root *root = run->config->root;
	int result = run->ops->create(&run->engine, &run->memory, run->image.header.syscall_stub, error);
	if (result)
		return result;
	if (root && root->bytes) {
		result = run->ops->map_readonly(run->engine, LAYOUT_ROOT, root->data, root->bytes);
		if (result) {
			snprintf(error, 256, "cannot show the root image to the guest: %s", strerror(-result));
			return result;
		}
	}
	struct engine_registers registers = {.rflags = 0x202};
	registers.general[ENGINE_RIP] = run->image.header.start;
	registers.general[ENGINE_RSP] = run->image.header.boot_stack_top;
	result = run->ops->set_registers(run->engine, &registers);
	if (result)
		snprintf(error, 256, "cannot set the guest's registers: %s", strerror(-result));
	return result;
}

static void set_up(struct run *run)
{
	char error[256] = "";
	if (prepare_guest(run, error) || prepare_engine(run, error)) {
		fail(run, "%s", error);
		return;
	}
	console_init(&run->console, &run->memory, run->config->discard_output, run->config->want_digest);
	run->out_open = run->config->out_dir || run->config->want_digest;
	if (run->out_open && out_init(&run->out, run->config->out_dir)) {
		fail(run, "%s", run->out.error);
		return;
	}
	pthread_condattr_t attributes;
	pthread_mutex_init(&run->watch_lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&run->watch_stop, &attributes);
	pthread_condattr_destroy(&attributes);
	run->deadline_ns = UINT64_MAX;
	if (run->config->timeout_s > 0)
		run->deadline_ns = now_ns() + (uint64_t)(run->config->timeout_s * 1e9);
	prepare_signals();
	set_tick(run, FIRST_TICK_US);
	run->ready = true;
}

static void drain(struct run *run)
{
	if (console_drain(&run->console) < 0 && run->console.error[0])
		fail(run, "%s", run->console.error);
}

/* Input for the guest: waits for some, and copies it in. */
static int64_t read_stdin(struct run *run, gpa_t to, uint64_t bytes)
{
	struct input live = {0};
	void *at = guest_memory_at(&run->memory, to, bytes);
	if (!at)
		return -EFAULT;
	watch_from_now(run); /* waiting for input may take long */
	for (;;) {
		ssize_t got = input_read(run->config->input ? run->config->input : &live, at, bytes);
		if (got != -EINTR || __atomic_load_n(&run->timed_out, __ATOMIC_SEQ_CST))
			return got;
	}
}

static void take_events(struct run *run)
{
	if (!run->config->events)
		return;
	int error = events_take(run->config->events, &run->memory);
	if (error)
		fail(run, "cannot keep the record of kernel calls: %s", strerror(-error));
}

static void take_report(struct run *run, gpa_t address)
{
	struct run_result *result = run->result;
	if (guest_memory_read(&run->memory, address, &result->report, sizeof(result->report))) {
		fail(run, "the guest gave a fault report outside its memory");
		return;
	}
	result->report.message[sizeof(result->report.message) - 1] = 0;
	for (char *c = result->report.message; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';
	result->has_report = true;
}

static void take_end(struct run *run, uint64_t reason, uint64_t status)
{
	struct run_result *result = run->result;
	run->ended = true;
	result->status = (int)(status & 0xff);
	switch (reason) {
	case END_EXIT:
		result->end = RUN_EXIT;
		return;
	case END_SIGNAL:
		result->end = RUN_SIGNAL;
		result->status &= 0x7f;
		return;
	case END_DEADLOCK:
		result->end = RUN_DEADLOCK;
		return;
	case END_STOPPED:
		result->end = RUN_STOPPED;
		return;
	case END_REFUSED:
		run->ended = false;
		fail(run, "the guest cannot start: %s",
		     result->has_report ? result->report.message : "it does not say why");
		result->has_report = false;
		return;
	default:
		run->ended = false;
		fail(run, "the guest's kernel is in error: %s",
		     result->has_report ? result->report.message : "it ended for a reason that it did not give");
	}
}

static void serve_doorbell(struct run *run, uint32_t op)
{
	struct doorbell *page = guest_memory_at(&run->memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	struct doorbell asked = *page; /* copied: the guest has one processor, but what is checked must not change */
	struct run_exits *exits = &run->result->exits;
	int64_t answer = 0;
	switch (op) {
	case DOORBELL_CONSOLE_FULL:
		exits->console_full++;
		watch_from_now(run);
		drain(run);
		break;
	case DOORBELL_STDIN_READ:
		exits->stdin_read++;
		drain(run); /* what the program asked is read before it is answered */
		answer = read_stdin(run, gpa(asked.args[0]), asked.args[1]);
		break;
	case DOORBELL_FAULT:
		exits->end++;
		take_report(run, gpa(asked.args[0]));
		break;
	case DOORBELL_OUT_ENTRY:
	case DOORBELL_OUT_DATA:
		exits->out++;
		if (!run->out_open)
			break;
		answer = op == DOORBELL_OUT_ENTRY
		                 ? out_entry(&run->out, &run->memory, gpa(asked.args[0]))
		                 : out_data(&run->out, &run->memory, gpa(asked.args[0]), asked.args[1]);
		if (answer < 0)
			fail(run, "%s", run->out.error);
		break;
	case DOORBELL_EVENTS:
		exits->events++;
		take_events(run);
		break;
	case DOORBELL_EXIT:
		exits->end++;
		take_end(run, asked.args[0], asked.args[1]);
		break;
	default:
		fail(run, "the guest rang the doorbell for operation %u, which does not exist", op);
	}
	page->result = answer;
}

static void serve(struct run *run)
{
	while (!run->ended) {
		struct engine_exit exit = {0};
		run->ops->run(run->engine, &exit);
		if (exit.stop == ENGINE_DOORBELL) {
			serve_doorbell(run, exit.doorbell_op);
		} else if (exit.stop == ENGINE_BROKEN) {
			run->result->exits.other++;
			drain(run);
			fail(run, "%s", exit.message);
		}
		if (ticked && !run->ended)
			watch_from_now(run);
		if (!run->ended && __atomic_load_n(&run->timed_out, __ATOMIC_SEQ_CST)) {
			run->ended = true;
			run->result->end = RUN_TIMEOUT;
		}
	}
}

/* Where a guest stands that was stopped from outside. */
static void report_place(struct run *run)
{
	struct engine_registers registers;
	struct fault_report *report = &run->result->report;
	if (run->ops->get_registers(run->engine, &registers))
		return;
	memset(report, 0, sizeof(*report));
	report->vector = 0xff;
	memcpy(report->registers, registers.general, sizeof(report->registers));
	report->rflags = registers.rflags;
	snprintf(report->message, sizeof(report->message), "stopped here");
	run->result->has_report = true;
}

/* The run digest: a sum over the sums, and over how it ended. */
static void close_digest(struct run *run)
{
	struct run_result *result = run->result;
	struct run_digest *digest = &result->digest;
	const struct run_stats *stats = &result->stats;
	struct digest_sum sum;
	const uint64_t closing[] = {stats->chain[0],   stats->chain[1], stats->events,
	                            stats->virtual_ns, result->end,     (uint64_t)result->status};
	for (int stream = 1; stream <= 2; stream++)
		digest_end(&run->console.sums[stream], digest->streams[stream]);
	digest_memory(&run->memory, LAYOUT_IMAGE, stats->page_tables_low, stats->page_tables_high, digest->memory);
	digest_begin(&sum);
	digest_add(&sum, closing, sizeof(closing));
	digest_add(&sum, digest->streams[1], 2 * DIGEST_BYTES);
	digest_add(&sum, digest->out, DIGEST_BYTES);
	digest_add(&sum, digest->memory, DIGEST_BYTES);
	digest_end(&sum, digest->all);
}

static void finish(struct run *run)
{
	struct run_result *result = run->result;
	stop_watching(run);
	drain(run);
	take_events(run);
	guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &result->stats, sizeof(result->stats));
	if (result->end == RUN_TIMEOUT)
		report_place(run);
	if (run->out_open && out_fini(&run->out, result->digest.out) && result->end != RUN_TIMEOUT)
		fail(run, "%s", run->out.error);
	run->out_open = false;
	if (run->config->want_digest)
		close_digest(run);
}

void run_image(const struct run_config *config, const struct engine_ops *ops, struct run_result *result)
{
	struct run run = {.config = config, .ops = ops, .result = result};
	memset(result, 0, sizeof(*result));
	uint64_t start = now_ns();
	set_up(&run);
	uint64_t entered = now_ns();
	if (!run.ended)
		serve(&run);
	uint64_t left = now_ns();
	if (run.ready)
		finish(&run);
	else if (run.out_open)
		out_fini(&run.out, result->digest.out);
	if (result->has_report && run.config->report)
		run.config->report(result, &run.memory);
	if (run.console.memory)
		console_fini(&run.console);
	ops->destroy(run.engine);
	guest_memory_fini(&run.memory);
	uint64_t end = now_ns();
	result->setup_ns = entered - start;
	result->guest_ns = left - entered;
	result->teardown_ns = end - left;
	result->wall_ns = end - start;
}

int run_exit_status(const struct run_result *result)
{
	switch (result->end) {
	case RUN_EXIT:
		return result->status;
	case RUN_SIGNAL:
		return EXIT_SIGNAL_BASE + result->status;
	case RUN_DEADLOCK:
		return EXIT_DEADLOCK;
	case RUN_TIMEOUT:
		return EXIT_TIMEOUT;
	case RUN_DIFFER:
		return EXIT_DIFFER;
	default:
		return EXIT_EREMITE;
	}
}
