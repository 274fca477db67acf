/* SPDX-License-Identifier: MIT */
/* Identity of threads: pthread_self(3), pthread_equal(3), names. */
#include <string.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

pthread_t pthread_self(void)
{
	return (pthread_t)thread_self();
}

int pthread_equal(pthread_t one, pthread_t other)
{
	return one == other;
}

pid_t gettid(void)
{
	return (pid_t)kcall_gettid();
}

int pthread_setname_np(pthread_t id, const char *name)
{
	struct pthread *thread = (struct pthread *)id;
	if (strlen(name) >= sizeof(thread->note.name))
		return ERANGE;
	strcpy(thread->note.name, name);
	return 0;
}

int pthread_getname_np(pthread_t id, char *name, size_t bytes)
{
	const struct pthread *thread = (const struct pthread *)id;
	if (strlen(thread->note.name) >= bytes)
		return ERANGE;
	strcpy(name, thread->note.name);
	return 0;
}
