/* SPDX-License-Identifier: MIT */
/* Two locks in opposite order: mutexes of pthread.h, those of threads.h with `c11`, and with `own` locks of its own on
 * futexes. With `again`, each lock was taken at another line before. With `self`, the first thread takes one and waits
 * for the others, so that the program fails under each schedule. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

/* linux/futex.h, which musl lacks */
#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int first, second;
static int count;

static void *forwards(void *unused)
{
	pthread_mutex_lock(&a); /* forwards */
	count++;
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return unused;
}

static void *backwards(void *unused)
{
	pthread_mutex_lock(&b); /* backwards */
	count++;
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return unused;
}

static void *twice(void *unused)
{
	pthread_mutex_lock(&a); /* self */
	count++;
	pthread_mutex_lock(&a);
	return unused;
}

static void *before(void *unused)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); /* before */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return backwards(unused);
}

static void take(_Atomic int *word)
{
	int was = 0;
	if (atomic_compare_exchange_strong(word, &was, 1)) /* own */
		return;
	while (atomic_exchange(word, 2))
		syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void drop(_Atomic int *word)
{
	if (atomic_exchange(word, 0) == 2)
		syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *own_forwards(void *unused)
{
	take(&first);
	take(&second);
	drop(&second);
	drop(&first);
	return unused;
}

static void *own_backwards(void *unused)
{
	take(&second);
	take(&first);
	drop(&first);
	drop(&second);
	return unused;
}

static mtx_t c, d;

static void *c11_forwards(void *unused)
{
	mtx_lock(&c); /* c11 forwards */
	mtx_lock(&d);
	mtx_unlock(&d);
	mtx_unlock(&c);
	return unused;
}

static void *c11_backwards(void *unused)
{
	mtx_lock(&d); /* c11 backwards */
	mtx_lock(&c);
	mtx_unlock(&c);
	mtx_unlock(&d);
	return unused;
}

static int run(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, one, NULL);
	pthread_create(&threads[1], NULL, other, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "own"))
		return run(own_forwards, own_backwards);
	if (!strcmp(how, "again"))
		return run(forwards, before);
	mtx_init(&c, mtx_plain);
	mtx_init(&d, mtx_plain);
	if (!strcmp(how, "c11"))
		return run(c11_forwards, c11_backwards);
	if (!strcmp(how, "self"))
		return run(twice, forwards);
	return run(forwards, backwards);
}
