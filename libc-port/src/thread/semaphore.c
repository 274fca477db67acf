/* SPDX-License-Identifier: MIT */
/* Semaphores. Compiled without ticks, so the code between decision points and kernel calls is atomic.
 *
 * sem_post raises the value and wakes one waiting thread; the thread that runs first takes it, as in glibc. A list has
 * the semaphores that are open or have a name. Names last as long as the run, because there is one process. */
#include <semaphore.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "libc-port/src/thread/deadline.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

/* Limit of a name: on Linux its file has the prefix "sem.". */
#define NAME_BYTES (NAME_MAX - 4)

struct named {
	sem_t semaphore; /* first member: sem_open returns its address */
	struct named *next;
	unsigned opened;
	bool has_name;
	char name[NAME_BYTES + 1];
};

static struct named *all;

static int wait_on_semaphore(sem_t *sem, clockid_t clock, const struct timespec *deadline)
{
	thread_point(SCHED_OP_sem_wait, sem);
	int error = deadline_check(clock, deadline);
	if (error)
		return kernel_refuse(error);
	thread_testcancel();
	while (!sem->__value) {
		sem->__waiters++;
		error = thread_wait(&sem->__value, 0, clock, deadline, THREAD_WAIT_semaphore, sem, NULL, true);
		sem->__waiters--;
		if (error == ECANCELED)
			thread_testcancel();
		if (error == ETIMEDOUT || (error == EINTR && (deadline || !kcall_restarts())))
			return kernel_refuse(error);
	}
	sem->__value--;
	return 0;
}

int sem_wait(sem_t *sem)
{
	return wait_on_semaphore(sem, CLOCK_REALTIME, NULL);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline)
{
	return wait_on_semaphore(sem, CLOCK_REALTIME, deadline);
}

int sem_clockwait(sem_t *restrict sem, clockid_t clock, const struct timespec *restrict deadline)
{
	return wait_on_semaphore(sem, clock, deadline);
}

int sem_trywait(sem_t *sem)
{
	thread_point(SCHED_OP_sem_wait, sem);
	if (!sem->__value)
		return kernel_refuse(EAGAIN);
	sem->__value--;
	return 0;
}

int sem_post(sem_t *sem)
{
	thread_point(SCHED_OP_sem_post, sem);
	if (sem->__value == SEM_VALUE_MAX)
		return kernel_refuse(EOVERFLOW);
	/* Read first: once the value is raised, the semaphore may be destroyed. */
	bool waiters = sem->__waiters;
	sem->__value++;
	if (waiters)
		thread_wake(&sem->__value, 1);
	return 0;
}

int sem_getvalue(sem_t *restrict sem, int *restrict value)
{
	*value = (int)sem->__value;
	return 0;
}

int sem_init(sem_t *sem, int, unsigned value)
{
	if (value > SEM_VALUE_MAX)
		return kernel_refuse(EINVAL);
	*sem = (sem_t){.__value = value};
	return 0;
}

int sem_destroy(sem_t *)
{
	return 0;
}

/* Returns a name without slashes in front. If it is no valid name, returns NULL and sets *error. */
static const char *plain_name(const char *name, int *error)
{
	name += strspn(name, "/");
	*error = strlen(name) > NAME_BYTES ? ENAMETOOLONG : !*name || strchr(name, '/') ? EINVAL : 0;
	return *error ? NULL : name;
}

/* Not strcmp, which counts ticks: other threads could run there and change the list. */
static bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static struct named *find_semaphore(const char *name)
{
	struct named *named = all;
	while (named && !(named->has_name && is_same(named->name, name)))
		named = named->next;
	return named;
}

static void drop_unused(struct named *named)
{
	struct named **link = &all;
	if (named->opened || named->has_name)
		return;
	while (*link != named)
		link = &(*link)->next;
	*link = named->next;
	free(named);
}

static sem_t *refuse(int error)
{
	errno = error;
	return SEM_FAILED;
}

/* Allocates before the search, because other threads may run during the allocation. */
static sem_t *open_or_make(const char *name, int flags, unsigned value)
{
	struct named *made = flags & O_CREAT ? calloc(1, sizeof(*made)) : NULL, *found;
	if (made)
		strcpy(made->name, name);
	found = find_semaphore(name);
	if (found && (flags & O_CREAT) && (flags & O_EXCL)) {
		free(made);
		return refuse(EEXIST);
	}
	if (found) {
		found->opened++;
		free(made);
		return &found->semaphore;
	}
	if (!(flags & O_CREAT))
		return refuse(ENOENT);
	if (value > SEM_VALUE_MAX) {
		free(made);
		return refuse(EINVAL);
	}
	if (!made)
		return refuse(ENOMEM);
	sem_init(&made->semaphore, PTHREAD_PROCESS_SHARED, value);
	made->has_name = true;
	made->opened = 1;
	made->next = all;
	all = made;
	return &made->semaphore;
}

sem_t *sem_open(const char *name, int flags, ...)
{
	int error;
	unsigned value = 0;
	const char *plain = plain_name(name, &error);
	if (!plain)
		return refuse(error);
	if (flags & O_CREAT) {
		va_list arguments;
		va_start(arguments, flags);
		(void)va_arg(arguments, mode_t); /* there is one user */
		value = va_arg(arguments, unsigned);
		va_end(arguments);
	}
	return open_or_make(plain, flags, value);
}

int sem_close(sem_t *sem)
{
	for (struct named *named = all; named; named = named->next)
		if (&named->semaphore == sem && named->opened) {
			named->opened--;
			drop_unused(named);
			return 0;
		}
	return kernel_refuse(EINVAL);
}

int sem_unlink(const char *name)
{
	int error;
	const char *plain = plain_name(name, &error);
	struct named *named = plain ? find_semaphore(plain) : NULL;
	if (!named)
		return kernel_refuse(error == ENAMETOOLONG ? error : ENOENT);
	named->has_name = false;
	drop_unused(named);
	return 0;
}
