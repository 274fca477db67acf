/* SPDX-License-Identifier: MIT */
/* A deadlock for each argument: of locks of glibc's pthread.h, of what only looks like one, and of what nobody holds.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* A lock of its own with the words of a mutex, but not as a mutex has them when it is held. */
static uint32_t words[10] = {2, 0, 1};
static sem_t nothing;

static void make(pthread_mutex_t *mutex, int type, int protocol, int shared)
{
	pthread_mutexattr_t how;
	pthread_mutexattr_init(&how);
	pthread_mutexattr_settype(&how, type);
	pthread_mutexattr_setprotocol(&how, protocol);
	pthread_mutexattr_setpshared(&how, shared);
	pthread_mutexattr_setrobust(&how, shared ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
	pthread_mutex_init(mutex, &how);
}

static void *forwards(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&second);
	return unused;
}

static void *backwards(void *unused)
{
	pthread_mutex_lock(&second);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&first);
	return unused;
}

static void *writes(void *unused)
{
	pthread_rwlock_wrlock(&lock);
	return unused;
}

static void *reads(void *unused)
{
	pthread_rwlock_rdlock(&lock);
	return unused;
}

static void *takes(void *unused)
{
	pthread_mutex_lock(&first);
	return unused;
}

static void *waits(void *unused)
{
	syscall(SYS_futex, words, FUTEX_WAIT, 2, NULL);
	return unused;
}

static void *never(void *unused)
{
	sem_wait(&nothing);
	return unused;
}

static void *waits_changed(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_cond_wait(&changed, &first);
	return unused;
}

static void *meets(void *unused)
{
	pthread_barrier_wait(&both);
	return unused;
}

static void run(void *(*one)(void *), void *(*other)(void *))
{
	pthread_t thread[2];
	pthread_create(&thread[0], NULL, one, NULL);
	pthread_create(&thread[1], NULL, other, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
}

static void processes(void)
{
	pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	make(mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, 1);
	pthread_mutex_lock(mutex);
	if (fork())
		pause();
	pthread_mutex_lock(mutex);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_barrier_init(&both, NULL, 2);
	sem_init(&nothing, 0, 0);
	if (!strcmp(how, "recursive"))
		make(&first, PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, 0);
	if (!strcmp(how, "inherit"))
		make(&first, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0);
	if (!strcmp(how, "self"))
		pthread_mutex_lock(&first);
	if (!strcmp(how, "written") || !strcmp(how, "read"))
		pthread_rwlock_wrlock(&lock);
	if (!strcmp(how, "mutex") || !strcmp(how, "recursive") || !strcmp(how, "inherit"))
		run(forwards, backwards);
	else if (!strcmp(how, "self"))
		takes(NULL);
	else if (!strcmp(how, "ended"))
		run(takes, takes);
	else if (!strcmp(how, "written"))
		run(writes, reads);
	else if (!strcmp(how, "none"))
		run(waits_changed, meets);
	else if (!strcmp(how, "readers"))
		run(reads, writes);
	else if (!strcmp(how, "words"))
		run(waits, never);
	else if (!strcmp(how, "processes"))
		processes();
	return 0;
}
