/* SPDX-License-Identifier: MIT */
/* A bug of Linux's netlink sockets as a program (CVE-2016-9806): the end of a dump releases its buffer behind the lock,
 * by the pointer in the socket. Another thread may have begun the next dump by then, so its buffer is released twice.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static struct {
	pthread_mutex_t lock;
	bool running;
	char *buffer;
} sock = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void dump(void)
{
	pthread_mutex_lock(&sock.lock);
	if (!sock.running) {
		pthread_mutex_unlock(&sock.lock);
		return;
	}
	sock.running = false;
#ifdef FIXED
	char *buffer = sock.buffer;
	pthread_mutex_unlock(&sock.lock);
	free(buffer);
#else
	pthread_mutex_unlock(&sock.lock);
	free(sock.buffer);
#endif
}

static void *start(void *unused)
{
	pthread_mutex_lock(&sock.lock);
	if (!sock.running) {
		sock.buffer = malloc(100);
		sock.running = true;
	}
	pthread_mutex_unlock(&sock.lock);
	dump();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, start, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
