/* SPDX-License-Identifier: MIT */
/* arguments when repeated: 1 */
/* Threads whose stacks overflow at a call that blocks, gives way, locks or reads, go on from a handler on another
 * stack, and everything works as before. */
#include <alloca.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4 };

static int times = 10;

static __thread sigjmp_buf back;
static __thread char alternate[16384] __attribute__((aligned(16)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;

static void yield(void)
{
	sched_yield();
}

static void look(void)
{
	struct stat st;
	stat("/dev/null", &st);
}

static void nap(void)
{
	usleep(1);
}

static void wait_for_signal(void)
{
	const struct timespec soon = {0, 1};
	sigset_t none;
	sigemptyset(&none);
	sigtimedwait(&none, NULL, &soon);
}

static void lock(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void lock_to_write(void)
{
	pthread_rwlock_wrlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
}

static void take(void)
{
	sem_wait(&semaphore);
	sem_post(&semaphore);
}

static void interrupt(void)
{
	raise(SIGUSR1);
}

static void (*const kinds[])(void) = {yield, look, nap, wait_for_signal, lock, lock_to_write, take, interrupt};
static const char *const names[] = {"sched_yield", "stat",   "usleep",    "sigtimedwait",
                                    "mutex",       "rwlock", "semaphore", "raise"};
static void (*kind)(void);

static void overflow(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void nothing(int sig)
{
	(void)sig;
}

__attribute__((noinline)) static int deeper(int depth)
{
	volatile char frame[16];
	frame[0] = (char)depth;
	kind();
	return depth < 1 << 30 ? deeper(depth + 1) + frame[0] : 0;
}

static void *work(void *caught)
{
	const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	sigaltstack(&stack, NULL);
	for (volatile int i = 0; i < times; i++) {
		if (sigsetjmp(back, 1)) {
			++*(int *)caught;
			continue;
		}
		volatile char *shift = alloca(16 + 8 * (size_t)i); /* so that the stack ends elsewhere each time */
		shift[0] = 1;
		deeper(i);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		times = atoi(argv[1]);
	struct sigaction action = {.sa_handler = overflow, .sa_flags = SA_ONSTACK};
	pthread_attr_t attributes;
	sigaction(SIGSEGV, &action, NULL);
	signal(SIGUSR1, nothing);
	sem_init(&semaphore, 0, 1);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		pthread_t threads[THREADS];
		int caught[THREADS] = {0};
		kind = kinds[k];
		for (int i = 0; i < THREADS; i++)
			pthread_create(&threads[i], &attributes, work, &caught[i]);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		printf("%s: %d %d %d %d\n", names[k], caught[0], caught[1], caught[2], caught[3]);
	}
	return 0;
}
