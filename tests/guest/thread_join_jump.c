/* SPDX-License-Identifier: MIT */
/* A handler leaves pthread_join by a jump: the thread can be joined all the same, also after another one. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "say.h"

static sigjmp_buf back;
static pthread_t main_thread;
static sem_t may_end;

static void on_signal(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void *interrupt(void *unused)
{
	usleep(10000); /* most likely the main thread joins by then; if not, the output is the same */
	pthread_kill(main_thread, SIGUSR1);
	while (sem_wait(&may_end))
		;
	return unused;
}

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	static pthread_t thread;
	pthread_t other;
	struct timespec past = {0};
	main_thread = pthread_self();
	sem_init(&may_end, 0, 0);
	signal(SIGUSR1, on_signal);
	if (!sigsetjmp(back, 1)) {
		pthread_create(&thread, NULL, interrupt, NULL);
		pthread_join(thread, NULL);
	}
	SAY_TRUE(pthread_create(&other, NULL, nothing, NULL) == 0);
	SAY_TRUE(pthread_join(other, NULL) == 0);
	SAY_TRUE(pthread_tryjoin_np(thread, NULL) == EBUSY);
	SAY_TRUE(pthread_timedjoin_np(thread, NULL, &past) == ETIMEDOUT);
	sem_post(&may_end);
	SAY_TRUE(pthread_join(thread, NULL) == 0);
	return 0;
}
