/* SPDX-License-Identifier: MIT */
/* --verify over runs that are played: what it says of where two of them part. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "session/verify.h"
#include "report/summary.h"

#define CALLS 8

/* One run: the results of its calls, ended by a 0, and how many of each the log keeps one. */
struct play {
	int64_t results[CALLS];
	uint64_t stride;
};

static struct play plays[8];
static unsigned played, shown;
static struct run_result result;
static char said[4096];

const char *summary_call_name(unsigned call)
{
	return call == 39 ? "getpid" : "?";
}

/* From 100 on: a switch to a thread. */
static struct event_record record_of(int64_t value)
{
	if (value >= 100)
		return (struct event_record){value - 100, (uint64_t)value << 16 | EVENT_SWITCH};
	return (struct event_record){value, (uint64_t)value << 16 | 39};
}

static void open_engine(unsigned runs)
{
	assert_in_range(runs, 2, ENGINE_RUNS_MAX);
}

/* What kernel/sched/event.c does in a guest. */
void run_image(const struct run_config *config, const struct engine_ops *ops, struct run_result *end)
{
	const struct play *play = &plays[played++];
	const struct boot_events *wanted = &config->event_log->wanted;
	struct event_record *log = config->event_log->records;
	(void)ops;
	memset(end, 0, sizeof(*end));
	end->events.stride = play->stride;
	for (unsigned i = 0; i < CALLS && play->results[i]; i++) {
		uint64_t number = ++end->events.returned;
		struct event_record this = record_of(play->results[i]);
		if (play->results[i] >= 100)
			end->sched.youngest = 3;
		end->stats.chain[0] = end->stats.chain[0] * 31 + (uint64_t)play->results[i];
		if (wanted->mode == EVENT_LOG_RECORD) {
			if (number % play->stride == 0)
				log[end->events.records++] = this;
			continue;
		}
		bool differs = number > wanted->returned;
		if (!differs && number % wanted->stride == 0)
			differs = memcmp(&log[number / wanted->stride - 1], &this, sizeof(this)) != 0;
		if (!differs && number != wanted->stop)
			continue;
		end->end = RUN_STOPPED;
		end->events.stopped = number;
		end->events.differs = differs;
		end->events.last = this;
		if (config->observer.fault)
			config->observer.fault(config->observer.context, end, NULL, NULL);
		return;
	}
	end->end = RUN_EXIT;
}

static void report(void *context, const struct run_result *of, const struct guest_memory *memory,
                   const struct image *image)
{
	(void)context;
	(void)of;
	(void)memory;
	(void)image;
	shown++;
}

/* Runs verify_run with what it says on stderr in said[]. */
static void verify(void)
{
	struct run_config config = {.observer.fault = report};
	FILE *file = tmpfile();
	int old = dup(STDERR_FILENO);
	assert_true(file && old >= 0);
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	played = shown = 0;
	verify_run(&config, &(struct engine_ops){.open = open_engine, .reserve = host_memory_anonymous}, &result);
	dup2(old, STDERR_FILENO);
	close(old);
	said[pread(fileno(file), said, sizeof(said) - 1, 0)] = 0;
	fclose(file);
}

static void play(unsigned from, struct play what)
{
	for (unsigned i = from; i < 8; i++)
		plays[i] = what;
}

static void equal_runs_are_equal(void **state)
{
	(void)state;
	play(0, (struct play){{1, 2, 3}, 1});
	verify();
	assert_int_equal(result.end, RUN_EXIT);
	assert_int_equal(played, 2);
	assert_string_equal(said, "");
	play(0, (struct play){{0}, 0}); /* no calls at all */
	verify();
	assert_int_equal(result.end, RUN_EXIT);
}

static void difference_is_placed(void **state)
{
	(void)state;
	play(0, (struct play){{1, 2, 3}, 1});
	plays[1] = (struct play){{1, 9, 3}, 1};
	verify();
	assert_int_equal(result.end, RUN_DIFFER);
	assert_non_null(strstr(result.message, "first in kernel call 2: getpid = 2 in run 1, getpid = 9 in run 2"));
	assert_int_equal(played, 3);
	assert_int_equal(shown, 2);
	assert_non_null(strstr(said, "run 2 at kernel call 2"));
	assert_non_null(strstr(said, "run 1 at kernel call 2, from a further run"));
}

static void stack_of_another_history_is_not_shown(void **state)
{
	(void)state;
	play(0, (struct play){{1, 9, 3}, 1});
	plays[0] = plays[4] = (struct play){{1, 2, 3}, 1};
	plays[2] = (struct play){{7, 9, 3}, 1};
	verify();
	assert_int_equal(played, 5); /* the third and fourth run did otherwise, the fifth as the first */
	assert_int_equal(shown, 2);
	plays[4] = plays[3];
	verify();
	assert_int_equal(shown, 1);
	assert_non_null(strstr(said, "cannot show the stack of run 1"));
	assert_non_null(strstr(result.message, "first in kernel call 2: getpid = 2 in run 1, getpid = 9 in run 2"));
}

static void decision_is_named(void **state)
{
	(void)state;
	play(0, (struct play){{1, 102, 3}, 1});
	plays[1] = (struct play){{1, 103, 3}, 1};
	verify();
	assert_string_equal(result.message,
	                    "two runs of the same inputs differ, first in event 2: decision: switch to thread 2 in run "
	                    "1, decision: switch to thread 3 in run 2");
	assert_int_equal(shown, 2);
	assert_non_null(strstr(said, "run 2 at event 2, where it differs:"));
	assert_non_null(strstr(said, "run 1 at event 2, from a further run"));
	plays[1] = (struct play){{1, 9, 3}, 1};
	verify();
	assert_non_null(
		strstr(result.message, "first in event 2: decision: switch to thread 2 in run 1, getpid = 9 in run 2"));
}

static void one_run_ends_sooner(void **state)
{
	(void)state;
	play(0, (struct play){{1, 2, 3}, 1});
	plays[1] = (struct play){{1, 2}, 1};
	verify();
	assert_non_null(strstr(result.message, "first in kernel call 3: getpid = 3 in run 1, already ended in run 2"));
	assert_int_equal(shown, 1);
	play(0, (struct play){{1, 2}, 1});
	plays[1] = (struct play){{1, 2, 3}, 1};
	verify();
	assert_non_null(strstr(result.message, "first in kernel call 3: already ended in run 1, getpid = 3 in run 2"));
	assert_int_equal(played, 2); /* there is no such place in run 1 */
}

static void long_logs_give_an_interval(void **state)
{
	(void)state;
	play(0, (struct play){{1, 2, 3, 4, 5, 6, 7}, 4});
	plays[1] = (struct play){{1, 2, 9, 8, 5, 6, 7}, 4};
	verify();
	assert_non_null(strstr(result.message,
	                       "first in one of the kernel calls 1 to 4: getpid = 4 in run 1, getpid = 8 in run 2"));
	plays[1] = (struct play){{1, 2, 3, 4, 5, 6, 8}, 4}; /* behind the last record */
	verify();
	assert_int_equal(result.end, RUN_DIFFER);
	assert_non_null(strstr(result.message, "first in one of the kernel calls 5 to 7"));
}

static void corrupt_log_is_an_error(void **state)
{
	(void)state;
	play(0, (struct play){{1, 2, 3}, 3});
	verify();
	assert_int_equal(result.end, RUN_ERROR);
	assert_non_null(strstr(result.message, "corrupted its log"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(equal_runs_are_equal),
	cmocka_unit_test(difference_is_placed),
	cmocka_unit_test(stack_of_another_history_is_not_shown),
	cmocka_unit_test(decision_is_named),
	cmocka_unit_test(one_run_ends_sooner),
	cmocka_unit_test(long_logs_give_an_interval),
	cmocka_unit_test(corrupt_log_is_an_error),
};

TAP_MAIN(tests)
