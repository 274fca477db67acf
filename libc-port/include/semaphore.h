/* SPDX-License-Identifier: MIT */
/* POSIX semaphores (sem_overview(7)). */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <sys/_timespec.h>

__BEGIN_DECLS

typedef struct {
	unsigned __value; /* the futex word */
	unsigned __waiters;
	int __reserved[6];
} sem_t;

#define SEM_FAILED ((sem_t *)0)
#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 0x7fffffff /* in <limits.h>, too */
#endif

int sem_init(sem_t *__sem, int __shared, unsigned __value);
int sem_destroy(sem_t *__sem);
sem_t *sem_open(const char *__name, int __flags, ...);
int sem_close(sem_t *__sem);
int sem_unlink(const char *__name);
int sem_wait(sem_t *__sem);
int sem_trywait(sem_t *__sem);
int sem_timedwait(sem_t *__restrict __sem, const struct timespec *__restrict __deadline);
#if __GNU_VISIBLE
int sem_clockwait(sem_t *__restrict __sem, clockid_t __clock, const struct timespec *__restrict __deadline);
#endif
int sem_post(sem_t *__sem);
int sem_getvalue(sem_t *__restrict __sem, int *__restrict __value);

__END_DECLS

#endif
