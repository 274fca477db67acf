/* SPDX-License-Identifier: MIT */
/* eventfd(2): counts, semaphores, errors, readers and writers that wait. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int shared;

static uint64_t take(int fd)
{
	uint64_t value = 0;
	SAY(read(fd, &value, sizeof(value)));
	return value;
}

static long give(int fd, uint64_t value)
{
	return write(fd, &value, sizeof(value));
}

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static void calls(void)
{
	char small[16] = "";
	SAY(eventfd(0, 1 << 20));
	int fd = eventfd(3, EFD_NONBLOCK | EFD_CLOEXEC);
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GETFD));
	printf("%lu\n", take(fd));
	take(fd);
	SAY(read(fd, small, 7));
	SAY(write(fd, small, 7));
	SAY(read(fd, (void *)8, 8));
	SAY(write(fd, (void *)8, 8));
	SAY(give(fd, UINT64_MAX));
	SAY(events_of(fd));
	SAY(give(fd, UINT64_MAX - 1));
	SAY(events_of(fd));
	SAY(give(fd, 1));
	SAY(give(fd, 0));
	printf("%lx\n", take(fd));
	SAY(give(fd, 5));
	SAY(events_of(fd));
	SAY(read(fd, small, 16));
	SAY(close(fd));
	fd = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
	printf("%lu\n", take(fd));
	printf("%lu\n", take(fd));
	take(fd);
	close(fd);
}

static void *reader(void *sum)
{
	for (int i = 0; i < 100; i++) {
		uint64_t value;
		if (read(shared, &value, sizeof(value)) != sizeof(value))
			printf("a read failed\n");
		*(uint64_t *)sum += value;
	}
	return NULL;
}

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 300; i++)
		give(shared, 1);
	return NULL;
}

/* Readers and a writer that both have to wait: the counter is full most of the time. */
static void threads(void)
{
	pthread_t all[4];
	uint64_t sums[3] = {0};
	shared = eventfd(0, EFD_SEMAPHORE);
	for (int i = 0; i < 3; i++)
		pthread_create(&all[i], NULL, reader, &sums[i]);
	pthread_create(&all[3], NULL, writer, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	printf("sums %lu %lu %lu\n", sums[0], sums[1], sums[2]);
	give(shared, UINT64_MAX - 3);
	pthread_create(&all[3], NULL, writer, NULL);
	pthread_create(&all[0], NULL, reader, &sums[0]);
	pthread_create(&all[1], NULL, reader, &sums[1]);
	pthread_create(&all[2], NULL, reader, &sums[2]);
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	printf("sums %lu %lu %lu\n", sums[0], sums[1], sums[2]);
}

int main(void)
{
	calls();
	threads();
	return 0;
}
