/* SPDX-License-Identifier: MIT */
/* A bug of Linux's sequencer as a program (CVE-2017-15265): a new port is in the client's list before the call that
 * makes it has filled in its answer. Another thread may delete it in between, and the first one reads freed memory,
 * which only AddressSanitizer notices. */
#include <pthread.h>
#include <stdlib.h>

struct port {
	struct port *next;
	int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct port *ports;
static volatile int answer;

static void *create(void *unused)
{
	struct port *port = malloc(sizeof(*port));
	port->number = 3;
#ifdef FIXED
	answer = port->number;
#endif
	pthread_mutex_lock(&lock);
	port->next = ports;
	ports = port;
	pthread_mutex_unlock(&lock);
#ifndef FIXED
	answer = port->number;
#endif
	return unused;
}

static void *delete (void *unused)
{
	pthread_mutex_lock(&lock);
	struct port *port = ports;
	if (port)
		ports = port->next;
	pthread_mutex_unlock(&lock);
	free(port);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, create, NULL);
	pthread_create(&threads[1], NULL, delete, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
