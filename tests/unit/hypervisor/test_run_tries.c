/* SPDX-License-Identifier: MIT */
/* What a guest may write into the area of tries, and what its monitor passes on of that. */
#include "tests/unit/fakes/tap.h"

#include <string.h>
#include <unistd.h>

#include "abi/tries.h"
#include "run/run_state.h"
#include "run/run_tries.h"

#define TRIES 3U

static struct run run;
static struct run_result result;
static struct run_config config;
static struct tries_channel channel;
static struct tries_shared *shared;
static int requests_to, results_from;

bool run_is_stopped(void) /* no signal arrives here */
{
	return false;
}

/* A run that has been given TRIES requests, of which the guest has made none. */
static int set_up(void **state)
{
	(void)state;
	const uint64_t head[2] = {TRIES, 0};
	struct try_request requests[TRIES] = {{.number = 7}, {.number = 8}, {.number = 9}};
	uint64_t count;
	int down[2], up[2];
	if (pipe(down) || pipe(up) || host_memory_anonymous(&run.tries, LAYOUT_TRIES_SHARED_SIZE))
		return -1;
	shared = (struct tries_shared *)run.tries.base;
	channel = (struct tries_channel){down[0], up[1]};
	requests_to = down[1];
	results_from = up[0];
	config.tries = &channel;
	result = (struct run_result){.end = RUN_SIGNAL};
	run.config = &config;
	run.result = &result;
	run.ended = false;
	run.tries_given = 0;
	if (write(requests_to, head, sizeof(head)) != sizeof(head) ||
	    write(requests_to, requests, sizeof(requests)) != sizeof(requests))
		return -1;
	run_serve_tries(&run, NULL);
	return read(results_from, &count, sizeof(count)) != sizeof(count) || count;
}

static int tear_down(void **state)
{
	(void)state;
	run_tries_fini(&run);
	close(requests_to);
	close(results_from);
	close(channel.in);
	close(channel.out);
	return 0;
}

/* Makes the tries as a kernel does. */
static void make(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		shared->result[i] = (struct try_result){.number = shared->request[i].number, .end = END_EXIT};
	shared->results = count;
}

/* Returns how many results were passed on, which must be those of the first requests. */
static uint64_t passed_on(void)
{
	uint64_t count;
	struct try_result results[TRIES];
	close(channel.out);
	if (read(results_from, &count, sizeof(count)) != sizeof(count))
		return 0;
	assert_in_range(count, 0, TRIES);
	assert_int_equal(read(results_from, results, sizeof(results)), count * sizeof(results[0]));
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(results[i].number, 7 + i);
	return count;
}

static void test_all(void **state)
{
	(void)state;
	assert_int_equal(shared->requests, TRIES);
	make(TRIES);
	close(requests_to); /* no more are wanted */
	run_serve_tries(&run, NULL);
	assert_int_equal(result.end, RUN_EXIT);
	assert_int_equal(passed_on(), TRIES);
}

/* A run that ends during a try passes on the results of those before it. */
static void test_some(void **state)
{
	(void)state;
	make(2);
	run_tries_finish(&run);
	assert_int_equal(passed_on(), 2);
}

static void expect_refused(void)
{
	run_serve_tries(&run, NULL);
	assert_true(run.ended);
	assert_int_equal(result.end, RUN_ERROR);
	assert_string_equal(result.message, "the guest gave an impossible result of a try");
	assert_int_equal(passed_on(), 0);
}

static void test_other_number(void **state)
{
	(void)state;
	make(TRIES);
	shared->result[1].number = 9;
	expect_refused();
}

/* The guest can change the requests in the area, too. */
static void test_other_request(void **state)
{
	(void)state;
	shared->request[2].number = 10;
	make(TRIES);
	expect_refused();
}

static void test_other_end(void **state)
{
	(void)state;
	make(TRIES);
	shared->result[0].end = END_SIGNAL; /* by no signal */
	expect_refused();
}

static void test_other_count(void **state)
{
	(void)state;
	make(TRIES);
	shared->results = UINT64_MAX;
	run_serve_tries(&run, NULL);
	assert_int_equal(result.end, RUN_ERROR);
	run_tries_finish(&run); /* passes on all but the one in which the guest must have ended */
	assert_int_equal(passed_on(), TRIES - 1);
}

/* What became of a plan is passed on, as far as it is possible. */
static void test_plan(void **state)
{
	const uint64_t head[2] = {1, 0};
	const struct try_request request = {.number = 5, .sched = {.policy = SCHED_near, .counts = 2}};
	const struct sched_plan plan[2] = {{.thread = 1, .points = 3}, {.thread = 2}};
	struct {
		uint64_t count;
		struct try_result results[TRIES];
	} first;
	struct {
		uint64_t count;
		struct try_result result;
		uint8_t uses[2];
	} second;
	(void)state;
	make(TRIES);
	assert_int_equal(write(requests_to, head, sizeof(head)), sizeof(head));
	assert_int_equal(write(requests_to, &request, sizeof(request)), sizeof(request));
	assert_int_equal(write(requests_to, plan, sizeof(plan)), sizeof(plan));
	close(requests_to);
	run_serve_tries(&run, NULL);
	assert_memory_equal(shared->plan, plan, sizeof(plan));
	shared->result[0] = (struct try_result){.number = 5, .end = END_EXIT};
	shared->plan[0].use = SCHED_PLAN_OTHER;
	shared->plan[1].use = SCHED_PLAN_VAIN + 1;
	shared->results = 1;
	run_serve_tries(&run, NULL);
	assert_int_equal(result.end, RUN_EXIT);
	assert_int_equal(read(results_from, &first, sizeof(first)), sizeof(first));
	assert_int_equal(read(results_from, &second, sizeof(second)), sizeof(uint64_t) + sizeof(second.result) + 2);
	assert_int_equal(second.uses[0], SCHED_PLAN_OTHER);
	assert_int_equal(second.uses[1], SCHED_PLAN_UNUSED);
}

/* A plan that does not lie behind those before it, or has no room, is refused. */
static void test_other_plan(void **state)
{
	const uint64_t head[2] = {1, 0};
	const struct try_request request = {
		.number = 5, .counts_at = 1, .sched = {.policy = SCHED_near, .counts = TRIES_PLANS}};
	(void)state;
	make(TRIES);
	assert_int_equal(write(requests_to, head, sizeof(head)), sizeof(head));
	assert_int_equal(write(requests_to, &request, sizeof(request)), sizeof(request));
	run_serve_tries(&run, NULL);
	assert_int_equal(result.end, RUN_ERROR);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_all, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_some, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_plan, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other_plan, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other_number, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other_request, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other_end, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_other_count, set_up, tear_down),
};

TAP_MAIN(tests)
