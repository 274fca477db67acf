/* SPDX-License-Identifier: MIT */
/* Bug: use after free on shutdown. The session is closed when the last request was taken, not when it was answered:
 * the worker may still write into the session's buffer.
 * Bites: SIGSEGV, status 139 (close gives back the buffer's pages). */
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#ifndef FIXED
#define FIXED 0
#endif

#define BUFFER_BYTES 4096

struct session {
	char *buffer;
	sem_t taken;
	sem_t answered;
};

static struct session session;

static void *work(void *unused)
{
	char *buffer = session.buffer;
	sem_post(&session.taken);
	for (int i = 0; i < 3; i++)
		buffer[i] = "yes"[i];
	sem_post(&session.answered);
	return unused;
}

int main(void)
{
	pthread_t worker;
	sem_init(&session.taken, 0, 0);
	sem_init(&session.answered, 0, 0);
	session.buffer = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&worker, NULL, work, NULL);
	sem_wait(&session.taken);
	if (FIXED)
		sem_wait(&session.answered);
	munmap(session.buffer, BUFFER_BYTES);
	pthread_join(worker, NULL);
	return 0;
}
