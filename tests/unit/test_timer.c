/* SPDX-License-Identifier: MIT */
/* Interval timers, POSIX timers and the queue of their signals, against models that reckon expirations one by one. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/personality.h"
#include "kernel/signal/queue.h"
#include "kernel/signal/signal.h"
#include "kernel/time/posix_timer.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

static uint64_t now_ns, cpu_ns;
static unsigned sent[LINUX_NSIG + 1];

uint64_t vclock_now(void)
{
	return now_ns;
}

static uint64_t process_cpu(void)
{
	return cpu_ns;
}

static uint64_t process_cpu_due(const struct process *process, uint64_t ns)
{
	(void)process;
	return now_ns - cpu_ns + ns;
}

const struct personality personality = {.process_cpu_ns = process_cpu, .process_cpu_due = process_cpu_due};

uint64_t vclock_monotonic(void)
{
	return now_ns;
}

int64_t vclock_realtime(void)
{
	return (int64_t)now_ns + 1000000000;
}

void signal_send(int sig, int code)
{
	(void)code;
	sent[sig]++;
}

static bool dropped, pending;

bool signal_is_dropped(const struct thread *thread, int sig)
{
	(void)thread;
	(void)sig;
	return dropped;
}

bool signal_is_pending(int sig)
{
	(void)sig;
	return pending;
}

static struct signal_queue queue;

int signal_queue(struct thread *thread, int sig, const struct signal_origin *origin)
{
	(void)thread;
	return dropped || queue_add(&queue, sig, origin) ? 0 : 1;
}

void signal_remove_timer(int sig, int timer)
{
	queue_remove_timer(&queue, sig, timer);
}

/* Time passes, at work or idle, and the kernel's next call finds what is due. */
static void pass(uint64_t ns, bool work)
{
	now_ns += ns;
	if (work)
		cpu_ns += ns;
	timer_expire();
}

static int start(void **state)
{
	struct signal_origin origin;
	(void)state;
	for (int kind = 0; kind < TIMER_KINDS; kind++)
		timer_set((enum timer_kind)kind, 0, 0);
	for (int sig = 1; sig <= LINUX_NSIG; sig++)
		while (queue_take(&queue, sig, &origin))
			;
	memset(sent, 0, sizeof(sent));
	dropped = pending = false;
	now_ns = 1000;
	cpu_ns = 1000;
	return 0;
}

static void test_interval(void **state)
{
	uint64_t value, interval;
	(void)state;
	timer_set(TIMER_REAL, 100, 30);
	pass(99, true);
	assert_int_equal(sent[LINUX_SIGALRM], 0);
	timer_get(TIMER_REAL, &value, &interval);
	assert_int_equal(value, 1);
	assert_int_equal(interval, 30);
	pass(1, true);
	assert_int_equal(sent[LINUX_SIGALRM], 1);
	pass(95, true); /* three expirations, one signal; 25 before the next */
	assert_int_equal(sent[LINUX_SIGALRM], 2);
	timer_get(TIMER_REAL, &value, &interval);
	assert_int_equal(value, 25);
	timer_set(TIMER_REAL, 0, 0);
	pass(1000, true);
	assert_int_equal(sent[LINUX_SIGALRM], 2);
	assert_int_equal(timer_next_ns(), UINT64_MAX);
}

static void test_work_only(void **state)
{
	(void)state;
	timer_set(TIMER_PROFILE, 50, 0);
	assert_int_equal(timer_next_ns(), UINT64_MAX); /* idling does not bring it nearer */
	pass(1000, false);
	assert_int_equal(sent[LINUX_SIGPROF], 0);
	pass(49, true);
	assert_int_equal(sent[LINUX_SIGPROF], 0);
	pass(1, true);
	assert_int_equal(sent[LINUX_SIGPROF], 1);
}

/* Each kind expires when its own clock says so, whatever the others do and however time passes. */
static void test_random_intervals(void **state)
{
	static const int signals[TIMER_KINDS] = {LINUX_SIGALRM, LINUX_SIGVTALRM, LINUX_SIGPROF};
	uint64_t deadline[TIMER_KINDS] = {0}, interval[TIMER_KINDS] = {0};
	unsigned wanted[TIMER_KINDS] = {0};
	(void)state;
	srandom(3);
	for (int step = 0; step < 50000; step++) {
		int kind = (int)(random() % TIMER_KINDS);
		if (random() % 4 == 0) {
			uint64_t value = (uint64_t)(random() % 300);
			interval[kind] = random() % 2 ? 0 : (uint64_t)(1 + random() % 100);
			timer_set((enum timer_kind)kind, value, interval[kind]);
			deadline[kind] = value ? (kind == TIMER_REAL ? now_ns : cpu_ns) + value : 0;
		}
		pass((uint64_t)(random() % 120), random() % 2);
		for (kind = 0; kind < TIMER_KINDS; kind++) {
			uint64_t clock = kind == TIMER_REAL ? now_ns : cpu_ns;
			if (!deadline[kind] || clock < deadline[kind])
				continue;
			wanted[kind]++;
			while (interval[kind] && deadline[kind] <= clock)
				deadline[kind] += interval[kind];
			if (!interval[kind])
				deadline[kind] = 0;
		}
		for (kind = 0; kind < TIMER_KINDS; kind++)
			assert_int_equal(sent[signals[kind]], wanted[kind]);
	}
}

static int create(int sig)
{
	const struct posix_timer_event event = {.sig = sig, .value = 77};
	int id = posix_timer_create(&event);
	assert_true(id >= 0);
	return id;
}

static void test_overrun(void **state)
{
	struct signal_origin origin;
	int id = create(LINUX_SIGURG);
	(void)state;
	assert_int_equal(posix_timer_arm(id, 10, 10), 0);
	for (int i = 0; i < 7; i++)
		pass(10, i % 2);
	assert_true(queue_take(&queue, LINUX_SIGURG, &origin));
	assert_int_equal(origin.code, LINUX_SI_TIMER);
	assert_int_equal(origin.pid, id);
	assert_int_equal(origin.value, 77);
	assert_int_equal(posix_timer_taken(id), 6);
	assert_int_equal(posix_timer_overrun(id), 6);
	assert_false(queue_take(&queue, LINUX_SIGURG, &origin));
	pass(35, true);
	assert_true(queue_take(&queue, LINUX_SIGURG, &origin));
	assert_int_equal(posix_timer_taken(id), 2);
	assert_int_equal(posix_timer_delete(id), 0);
	assert_int_equal(posix_timer_delete(id), -EINVAL);
	assert_int_equal(posix_timer_arm(id, 1, 0), -EINVAL);
	assert_int_equal(timer_next_ns(), UINT64_MAX);
}

/* Time jumps to no timer whose signal would be dropped, or would find one that is pending. */
static void test_useless(void **state)
{
	struct signal_origin origin;
	int id = create(LINUX_SIGURG);
	(void)state;
	assert_int_equal(posix_timer_arm(id, 10, 10), 0);
	timer_set(TIMER_REAL, 20, 20);
	assert_int_equal(timer_next_ns(), 1010);
	dropped = true;
	assert_int_equal(timer_next_ns(), UINT64_MAX);
	pass(10, false);
	dropped = false;
	assert_int_equal(timer_next_ns(), 1020);
	pass(10, false);
	assert_int_equal(sent[LINUX_SIGALRM], 1);
	assert_int_equal(timer_next_ns(), 1040); /* the other one's is queued */
	pending = true;
	assert_int_equal(timer_next_ns(), UINT64_MAX);
	pass(95, false);
	assert_true(queue_take(&queue, LINUX_SIGURG, &origin));
	assert_int_equal(posix_timer_taken(id), 9);
	assert_int_equal(timer_next_ns(), 1120);
	assert_int_equal(posix_timer_delete(id), 0);
	assert_int_equal(timer_next_ns(), UINT64_MAX);
}

/* Moments that numbers cannot hold are as late as they can. */
static void test_far(void **state)
{
	uint64_t left, interval;
	int id = create(LINUX_SIGURG);
	(void)state;
	now_ns = INT64_MAX / 2;
	assert_int_equal(posix_timer_arm(id, INT64_MAX, INT64_MAX), 0);
	assert_int_equal(posix_timer_get(id, &left, &interval), 0);
	assert_int_equal(left, INT64_MAX - INT64_MAX / 2);
	assert_int_equal(posix_timer_due_ns(false), INT64_MAX);
	assert_int_equal(posix_timer_arm(id, -INT64_MAX, INT64_MAX), 0);
	pass(1, false);
	assert_int_equal(posix_timer_get(id, &left, &interval), 0);
	assert_int_equal(left, INT64_MAX - 1 - INT64_MAX / 2);
	timer_set(TIMER_REAL, INT64_MAX, INT64_MAX);
	timer_get(TIMER_REAL, &left, &interval);
	assert_int_equal(left, INT64_MAX);
	assert_int_equal(posix_timer_delete(id), 0);
}

/* A timer that is deleted takes its signal with it: more of them than the queue holds must not fill it. */
static void test_delete_queued(void **state)
{
	struct signal_origin origin;
	int last = -1;
	(void)state;
	for (int i = 0; i < 3 * SIGNAL_QUEUE_MAX; i++) {
		int kept = i == 5 ? create(LINUX_SIGRTMIN) : -1, id = create(LINUX_SIGRTMIN);
		assert_true(id > last);
		last = id;
		if (kept >= 0)
			assert_int_equal(posix_timer_arm(kept, 0, 0), 0);
		assert_int_equal(posix_timer_arm(id, 0, 0), 0);
		pass(1, true);
		assert_int_equal(posix_timer_delete(id), 0);
	}
	assert_true(queue_take(&queue, LINUX_SIGRTMIN, &origin));
	assert_false(queue_take(&queue, LINUX_SIGRTMIN, &origin));
	assert_int_equal(posix_timer_delete(origin.pid), 0);
}

static void test_table_full(void **state)
{
	const struct posix_timer_event event = {.sig = LINUX_SIGURG};
	int ids[POSIX_TIMERS_MAX];
	(void)state;
	for (int i = 0; i < POSIX_TIMERS_MAX; i++)
		ids[i] = create(LINUX_SIGURG);
	assert_int_equal(posix_timer_create(&event), -EAGAIN);
	assert_int_equal(posix_timer_delete(ids[20]), 0);
	ids[20] = create(LINUX_SIGURG);
	for (int i = 0; i < POSIX_TIMERS_MAX; i++)
		assert_int_equal(posix_timer_delete(ids[i]), 0);
}

/* Adding, taking and removing in any order keeps each signal's entries in the order of their sending. */
static void test_queue(void **state)
{
	static uint64_t model[4][SIGNAL_QUEUE_MAX];
	unsigned used[4] = {0}, total = 0;
	uint64_t next = 0;
	(void)state;
	srandom(5);
	for (int step = 0; step < 200000; step++) {
		unsigned list = (unsigned)(random() % 4);
		int sig = LINUX_SIGRTMIN + (int)list;
		struct signal_origin origin = {.code = LINUX_SI_QUEUE, .value = ++next};
		if (random() % 100 < (step / 50000 % 2 ? 40 : 60)) {
			int result = queue_add(&queue, sig, &origin);
			assert_int_equal(result, total == SIGNAL_QUEUE_MAX ? -EAGAIN : 0);
			if (!result)
				model[list][used[list]++] = next, total++;
		} else if (queue_take(&queue, sig, &origin)) {
			assert_true(used[list] > 0);
			assert_int_equal(origin.value, model[list][0]);
			memmove(model[list], model[list] + 1, --used[list] * sizeof(model[0][0]));
			total--;
		} else {
			assert_int_equal(used[list], 0);
		}
		assert_int_equal(queue_is_empty(&queue, sig), used[list] == 0);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, start)

static const struct CMUnitTest tests[] = {TEST(test_interval),      TEST(test_work_only),  TEST(test_random_intervals),
                                          TEST(test_overrun),       TEST(test_useless),    TEST(test_far),
                                          TEST(test_delete_queued), TEST(test_table_full), TEST(test_queue)};

TAP_MAIN(tests)
