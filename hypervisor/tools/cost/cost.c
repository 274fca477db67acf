/* SPDX-License-Identifier: MIT */
/* Tries are made as a search makes them, under `random`, without its lists of points. The clock is stopped before
 * memory is looked at, because looking takes time: each is measured in tries of its own. */
#include "cost/cost.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "base/text.h"
#include "cost/cost_memory.h"
#include "library/json_out.h"
#include "search/search_guest.h"
#include "search/search_input.h"
#include "search/search_stop.h"

#define TIMED_TRIES 3U        /* behind the first one, which fills the caches; the fastest counts */
#define LOOK_NS 200000        /* between two looks at the memory of a try: a small one takes 3 ms */
#define WORKER_NS 500000000UL /* a worker makes tries for so long */
#define MIB (1UL << 20)

static struct {
	struct search_option option;
	struct search_slot slot;
	struct search_guest guest;
	sigset_t mask;
	int input; /* standard input of each try; -1: none */
	/* Of a try as a process of its own: */
	double first_s, try_s, start_s; /* start_s is the part of try_s in which the program does not run */
	uint64_t try_bytes;
	char *end; /* "exit 0" */
	/* Of a worker, unless option.why_not: */
	double ready_s, inside_s;
	uint64_t worker_bytes;
	/* Of the process that gives workers their tries, and takes the results: */
	uint64_t search_bytes;
} cost;

static void check_stop(void)
{
	const int sig = search_stop_signal();
	if (sig)
		exit(EXIT_SIGNAL_BASE + sig);
}

static double seconds_since_ns(uint64_t ns)
{
	return (double)(search_guest_now_ns() - ns) / 1e9;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- a try as a process of its own --- */

/* Looks at the memory of a try until it has ended, and keeps the most. */
static void watch_try(void)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};
	while (waitpid(cost.slot.child, &cost.slot.status, WNOHANG) != cost.slot.child) {
		cost.try_bytes = larger(cost.try_bytes, cost_memory_tree(cost.slot.child));
		nanosleep(&pause, NULL);
		search_stop_limit(&cost.slot, &cost.option);
		if (!search_stop_is_due())
			continue;
		kill(cost.slot.child, SIGTERM);
		search_stop_reap(cost.slot.child, &cost.slot.status);
		return;
	}
}

/* Makes a try. Returns the seconds that it took; *start_s are those in which the program did not run. */
static double make_try(bool watches, double *start_s)
{
	static char policy[] = "--sched=random", seed[] = "--sched-seed=1";
	static uint64_t first_output[2];
	struct error error;
	char *from = text_of("--from=%s", cost.option.from), *words[] = {policy, seed, from};
	const struct search_schedule schedule = {
		.words = words, .word_count = strcmp(cost.option.from, "start") ? 3 : 2, .is_plain = true};
	struct search_outcome outcome;
	const uint64_t began_ns = search_guest_now_ns();
	cost.slot.schedule = &schedule;
	if (search_slot_start(&cost.slot, &cost.option, 1, 0, cost.input, &cost.mask))
		die("info: --cost: cannot start a process");
	if (watches)
		watch_try();
	else
		search_stop_wait_slot(&cost.slot, &cost.option);
	const double seconds = seconds_since_ns(began_ns);
	check_stop();
	if (search_slot_read(&cost.slot, &cost.option, first_output, &outcome, &error))
		die("%s", error.text);
	*start_s = seconds - (double)outcome.outcome.guest_ns / 1e9;
	free(cost.end);
	cost.end = text_of("%s", outcome.end);
	search_outcome_fini(&outcome);
	free(from);
	return seconds;
}

static void measure_try(void)
{
	double start_s;
	if (search_slot_open(&cost.slot))
		die("info: --cost: cannot make a file in memory: %s", strerror(errno));
	cost.first_s = make_try(false, &start_s);
	for (unsigned i = 0; i < TIMED_TRIES; i++) {
		const double seconds = make_try(false, &start_s);
		if (i && seconds >= cost.try_s)
			continue;
		cost.try_s = seconds;
		cost.start_s = start_s;
	}
	make_try(true, &start_s);
	search_slot_close(&cost.slot);
}

/* --- a worker --- */

static _Noreturn void fail_worker(void)
{
	const char *said = search_slot_last_line(&cost.guest.slot);
	die("info: --cost: a worker cannot make tries: %s", said ? said : "it has ended");
}

/* Waits until a worker says something. */
static void hear_worker(void)
{
	for (int result = -EAGAIN; result;) {
		struct pollfd polled[3] = {{.fd = cost.guest.from, .events = POLLIN},
		                           {.fd = cost.guest.unsent ? cost.guest.to : -1, .events = POLLOUT},
		                           {.fd = search_stop_fd(), .events = POLLIN}};
		poll(polled, 3, search_stop_wait_ms());
		if (search_stop_signal())
			search_guest_end(&cost.guest);
		check_stop();
		if (seconds_since_ns(cost.guest.now_ns) > cost.option.timeout_s) {
			search_guest_end(&cost.guest);
			die("info: --cost: a worker takes longer than --timeout=%g", cost.option.timeout_s);
		}
		if (polled[1].revents)
			search_guest_send(&cost.guest);
		result = polled[0].revents ? search_guest_take(&cost.guest) : -EAGAIN;
		if (result && result != -EAGAIN)
			fail_worker();
	}
}

/* The schedule of a try in a worker. */
static void draw_schedule(const void *, uint64_t number, struct sched_config *config)
{
	struct error error;
	*config = (struct sched_config){0};
	if (sched_option_parse("random", config, &error))
		die("info: --cost: %s", error.text);
	config->boot.seed = number;
}

static void measure_worker(void)
{
	uint64_t made = 0;
	const uint64_t began_ns = search_guest_now_ns();
	signal(SIGPIPE, SIG_IGN); /* a worker may end while it is given tries */
	if (search_slot_open(&cost.guest.slot) || search_guest_start(&cost.guest, &cost.option, cost.input, &cost.mask))
		die("info: --cost: cannot start a process");
	hear_worker();
	cost.ready_s = seconds_since_ns(began_ns);
	for (const uint64_t first_ns = search_guest_now_ns(); search_guest_now_ns() - first_ns < WORKER_NS;) {
		memory_check(!search_guest_give(&cost.guest, draw_schedule, NULL, made + 1, cost.guest.size));
		do
			hear_worker();
		while (!cost.guest.result_count);
		made += cost.guest.result_count;
		cost.inside_s = seconds_since_ns(first_ns) / (double)made;
		cost.worker_bytes = larger(cost.worker_bytes, cost_memory_tree(cost.guest.slot.child));
		cost.guest.count = cost.guest.result_count = 0;
	}
	cost.search_bytes = cost_memory_own(getpid());
	search_guest_end(&cost.guest);
	search_slot_close(&cost.guest.slot);
}

/* --- what it is for --- */

/* Memory of a search with one job, and what each further one adds. With workers, a try as a process is made beside
 * them: the first of each way to fail. */
static uint64_t first_job_bytes(void)
{
	return cost.search_bytes + cost.try_bytes + cost.worker_bytes;
}

static uint64_t next_job_bytes(void)
{
	return cost.option.why_not ? cost.try_bytes : cost.worker_bytes;
}

static uint64_t mib(uint64_t bytes)
{
	return (bytes + MIB - 1) / MIB;
}

/* Tries that one job makes in an hour, with two digits: more were not measured. */
static double tries_an_hour(void)
{
	char text[32];
	snprintf(text, sizeof(text), "%.1e", 3600 / (cost.option.why_not ? cost.try_s : cost.inside_s));
	return strtod(text, NULL);
}

static void print_seconds(const char *before, double seconds, const char *after)
{
	if (seconds < 1)
		printf("%s%.*f ms%s", before, seconds < 0.01 ? 2 : 0, seconds * 1e3, after);
	else
		printf("%s%.1f s%s", before, seconds, after);
}

static void print_text(void)
{
	printf("a try as a process of its own: %lu MiB", mib(cost.try_bytes));
	print_seconds(", ", cost.try_s, "");
	print_seconds(", ", cost.start_s, " of them to start and end it");
	print_seconds("; the first one took ", cost.first_s, "");
	printf("; it ended with %s\n", cost.end);
	if (cost.option.why_not) {
		printf("no workers: each try is a process of its own, because %s\n", cost.option.why_not);
	} else {
		printf("a worker, which makes one try after the other: %lu MiB", mib(cost.worker_bytes));
		print_seconds(", ", cost.ready_s, " to start it");
		print_seconds(", then ", cost.inside_s, " for a try\n");
	}
	printf("a search with --jobs 1: %lu MiB, %lu MiB more for each further job, %.0f tries an hour and job\n",
	       mib(first_job_bytes()), mib(next_job_bytes()), tries_an_hour());
}

static void print_json(void)
{
	struct error error;
	if (cjson_load(&error))
		die("%s", error.text);
	cJSON *json = memory_or_die(cjson.CreateObject());
	cjson.AddNumberToObject(json, "schema", 1);
	cjson.AddStringToObject(json, "program", cost.option.program[0]);
	cJSON *try = cjson.AddObjectToObject(json, "try");
	cjson.AddNumberToObject(try, "bytes", (double)cost.try_bytes);
	cjson.AddNumberToObject(try, "seconds", cost.try_s);
	cjson.AddNumberToObject(try, "start_seconds", cost.start_s);
	cjson.AddNumberToObject(try, "first_seconds", cost.first_s);
	cjson.AddStringToObject(try, "end", cost.end);
	if (cost.option.why_not) {
		cjson.AddNullToObject(json, "worker");
		cjson.AddStringToObject(json, "no_worker", cost.option.why_not);
	} else {
		cJSON *worker = cjson.AddObjectToObject(json, "worker");
		cjson.AddNumberToObject(worker, "bytes", (double)cost.worker_bytes);
		cjson.AddNumberToObject(worker, "start_seconds", cost.ready_s);
		cjson.AddNumberToObject(worker, "try_seconds", cost.inside_s);
	}
	cJSON *search = cjson.AddObjectToObject(json, "search");
	cjson.AddNumberToObject(search, "first_job_bytes", (double)first_job_bytes());
	cjson.AddNumberToObject(search, "next_job_bytes", (double)next_job_bytes());
	cjson.AddNumberToObject(search, "tries_an_hour", tries_an_hour());
	memory_check(!json_out_print(stdout, json));
	cjson.Delete(json);
}

int cost_run(int argc, char **argv, bool json)
{
	if (argc < 2)
		die("info: --cost: no program given: eremite info --cost PROGRAM [ARG...]");
	search_option_parse(&cost.option, argc, argv);
	if (cost.option.merges)
		die("info: --cost runs a program, and --merge runs none; leave out --merge");
	cost.option.points_tries = 0; /* a search would find its points first */
	cost.input = search_input_keep("info");
	if (search_input_bytes() > TRIES_INPUT_MAX && !cost.option.why_not)
		cost.option.why_not = "standard input has more than 16 MiB";
	search_stop_begin(0, NULL, false, &cost.mask);
	measure_try();
	if (cost.option.why_not)
		cost.search_bytes = cost_memory_own(getpid());
	else
		measure_worker();
	if (json)
		print_json();
	else
		print_text();
	return 0;
}
