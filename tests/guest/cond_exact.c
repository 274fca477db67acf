/* SPDX-License-Identifier: MIT */
/* eremite-options: --sched random --sched-seed 7 */
/* A signal ends one wait, and none that begins later: at no time have more threads come out than signals were sent,
 * though these are sent without the mutex. POSIX lets a system wake more; this one does not. */
#include <pthread.h>
#include <sched.h>

#include "sync.h"

#define THREADS 12
#define ROUNDS 30

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int in, out, sent;

static void *wait_once(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		in++;
		MUST(pthread_cond_wait(&cond, &mutex) == 0);
		out++;
		MUST(out <= sent);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];
	int done = 0;
	for (int i = 0; i < THREADS; i++)
		start(&threads[i], wait_once, NULL);
	while (!done) {
		sent++;
		pthread_cond_signal(&cond);
		if (sent % 3 == 0)
			sched_yield();
		pthread_mutex_lock(&mutex);
		done = out == THREADS * ROUNDS;
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d in, %d out, never more out than signals\n", in, out);
	return 0;
}
