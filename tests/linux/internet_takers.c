/* SPDX-License-Identifier: MIT */
/* Four threads wait for connections of one listener, and four for datagrams of one socket: each takes one. With the
 * argument "order", prints who took them in which order; in the guest this is up to the schedule. */
#include <pthread.h>
#include <stdlib.h>

#include "tests/linux/internet.h"

#define TAKERS 4

static int shared;
static pthread_barrier_t begin;

static void *accept_one(void *name)
{
	pthread_barrier_wait(&begin);
	int fd = accept(shared, NULL, NULL);
	write(fd, name, 1);
	close(fd);
	return NULL;
}

static void *receive_one(void *name)
{
	char byte;
	union address from;
	socklen_t bytes = sizeof(from);
	pthread_barrier_wait(&begin);
	recvfrom(shared, &byte, 1, 0, &from.any, &bytes);
	sendto(shared, name, 1, 0, &from.any, bytes);
	return NULL;
}

/* Asks for a taker, and returns the one that answers. */
static char ask(int type)
{
	char name = '?';
	int fd = socket(AF_INET, type, 0);
	connect_to(fd, "127.0.0.1", port_of(shared));
	if (type == SOCK_DGRAM)
		write(fd, "", 1);
	read(fd, &name, 1);
	close(fd);
	return name;
}

static int compare(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

static void take(const char *what, int type, void *(*taker)(void *), int in_order)
{
	pthread_t threads[TAKERS];
	char names[] = "abcd", took[TAKERS + 1] = "";
	shared = socket(AF_INET, type, 0);
	bind_to(shared, "127.0.0.1", 0);
	if (type == SOCK_STREAM)
		listen(shared, TAKERS);
	pthread_barrier_init(&begin, NULL, TAKERS + 1);
	for (int i = 0; i < TAKERS; i++)
		pthread_create(&threads[i], NULL, taker, &names[i]);
	pthread_barrier_wait(&begin);
	for (int i = 0; i < 8; i++) /* until all wait, under most schedules */
		sched_yield();
	for (int i = 0; i < TAKERS; i++)
		took[i] = ask(type);
	for (int i = 0; i < TAKERS; i++)
		pthread_join(threads[i], NULL);
	if (!in_order)
		qsort(took, TAKERS, 1, compare);
	printf("%s: %s\n", what, took);
	close(shared);
}

int main(int argc, char **argv)
{
	int in_order = argc > 1 && !strcmp(argv[1], "order");
	own_network();
	take("connections", SOCK_STREAM, accept_one, in_order);
	take("datagrams", SOCK_DGRAM, receive_one, in_order);
	return 0;
}
