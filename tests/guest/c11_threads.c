/* SPDX-License-Identifier: MIT */
/* C11's threads.h: each function, and what it says when it fails. */
#include <threads.h>

#include "sync.h"

static mtx_t mutex, recursive;
static cnd_t cond;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int called, destroyed, turn;
static thread_local int own = 5;

static void say_result_of(const char *what, int result)
{
	static const char *const names[] = {[thrd_success] = "success",
	                                    [thrd_busy] = "busy",
	                                    [thrd_error] = "error",
	                                    [thrd_nomem] = "nomem",
	                                    [thrd_timedout] = "timedout"};
	printf("%s = %s\n", what, result >= 0 && result <= 4 ? names[result] : "?");
}

#define SAY_RESULT(call) say_result_of(#call, (call))

static void call(void)
{
	called++;
}

static void destroy(void *value)
{
	destroyed += *(int *)value;
}

static int give_back(void *value)
{
	call_once(&once, call);
	own++;
	MUST(own == 6);
	return *(int *)value;
}

static int leave(void *value)
{
	static int one = 1;
	MUST(tss_get(key) == NULL);
	MUST(tss_set(key, &one) == thrd_success);
	MUST(tss_get(key) == &one);
	thrd_exit(*(int *)value);
}

static int try_it(void *which)
{
	return mtx_trylock(which);
}

static int lock_in_time(void *which)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 5);
	return mtx_timedlock(which, &soon);
}

static int alternate(void *argument)
{
	for (int i = 0; i < 40; i++) {
		MUST(mtx_lock(&mutex) == thrd_success);
		while (turn % 2 != *(int *)argument)
			MUST(cnd_wait(&cond, &mutex) == thrd_success);
		turn++;
		MUST(cnd_signal(&cond) == thrd_success);
		MUST(mtx_unlock(&mutex) == thrd_success);
	}
	return 0;
}

static int run(thrd_start_t function, void *argument)
{
	thrd_t thread;
	int result;
	MUST(thrd_create(&thread, function, argument) == thrd_success);
	MUST(thrd_join(thread, &result) == thrd_success);
	return result;
}

static void check_threads(void)
{
	static int values[] = {-7, 123456789};
	struct timespec brief = {0, 1000000}, wrong = {0, 1000000000}, soon = after_ms(CLOCK_REALTIME, 1);
	thrd_t thread;
	printf("%d %d\n", run(give_back, &values[0]), run(leave, &values[1]));
	printf("called %d, destroyed %d, own %d\n", called, destroyed, own);
	SAY_TRUE(thrd_equal(thrd_current(), thrd_current()));
	SAY_RESULT(thrd_create(&thread, give_back, &values[0]));
	SAY_TRUE(thrd_equal(thread, thrd_current()));
	SAY_RESULT(thrd_join(thread, NULL));
	SAY_RESULT(thrd_create(&thread, give_back, &values[0]));
	SAY_RESULT(thrd_detach(thread));
	SAY(thrd_sleep(&brief, NULL));
	SAY_TRUE(has_passed(CLOCK_REALTIME, soon));
	printf("%d\n", thrd_sleep(&wrong, NULL) < 0);
	thrd_yield();
	call_once(&once, call);
	printf("called %d\n", called);
}

static void check_mutexes(void)
{
	struct timespec past = after_ms(CLOCK_REALTIME, -5);
	SAY_RESULT(mtx_init(&mutex, mtx_plain));
	SAY_RESULT(mtx_lock(&mutex));
	SAY_RESULT(run(try_it, &mutex));
	SAY_RESULT(mtx_unlock(&mutex));
	mtx_destroy(&mutex);
	SAY_RESULT(mtx_init(&mutex, mtx_timed));
	SAY_RESULT(mtx_timedlock(&mutex, &past));
	SAY_RESULT(run(lock_in_time, &mutex));
	SAY_RESULT(mtx_unlock(&mutex));
	SAY_RESULT(mtx_init(&recursive, mtx_timed | mtx_recursive));
	SAY_RESULT(mtx_trylock(&recursive));
	SAY_RESULT(mtx_lock(&recursive));
	SAY_RESULT(mtx_timedlock(&recursive, &past));
	SAY_RESULT(mtx_unlock(&recursive));
	SAY_RESULT(mtx_unlock(&recursive));
	SAY_RESULT(run(try_it, &recursive));
	SAY_RESULT(mtx_unlock(&recursive));
	SAY_RESULT(run(try_it, &recursive));
	SAY_RESULT(mtx_trylock(&recursive));
}

static void check_conditions(void)
{
	static int numbers[] = {0, 1};
	struct timespec soon = after_ms(CLOCK_REALTIME, 5);
	thrd_t threads[2];
	SAY_RESULT(cnd_init(&cond));
	SAY_RESULT(cnd_signal(&cond));
	SAY_RESULT(cnd_broadcast(&cond));
	mtx_lock(&mutex);
	int result = thrd_success;
	while (result == thrd_success)
		result = cnd_timedwait(&cond, &mutex, &soon);
	say_result_of("cnd_timedwait", result);
	mtx_unlock(&mutex);
	for (int i = 0; i < 2; i++)
		MUST(thrd_create(&threads[i], alternate, &numbers[i]) == thrd_success);
	for (int i = 0; i < 2; i++)
		SAY_RESULT(thrd_join(threads[i], NULL));
	printf("turn %d\n", turn);
	cnd_destroy(&cond);
}

int main(void)
{
	int value = 3;
	SAY_RESULT(tss_create(&key, destroy));
	SAY_TRUE(tss_get(key) == NULL);
	SAY_RESULT(tss_set(key, &value));
	SAY_TRUE(tss_get(key) == &value);
	check_threads();
	check_mutexes();
	check_conditions();
	tss_delete(key);
	SAY_RESULT(tss_set(key, &value));
	return 0;
}
