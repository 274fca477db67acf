/* SPDX-License-Identifier: MIT */
/* Delivery between sockets takes time. With the argument "times", prints how much longer in nanoseconds a large send
 * takes than one of a byte: the same in all runs of the guest. */
#include <stdint.h>
#include <time.h>

#include "tests/linux/internet.h"

static char data[65536];

static int64_t now(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000L + ts.tv_nsec;
}

static void show(const char *what, int from, int to, size_t large, int times)
{
	int64_t start = now();
	send(from, data, 1, 0);
	int64_t middle = now();
	send(from, data, large, 0);
	int64_t end = now();
	size_t got = 0;
	while (got < large + 1)
		got += (size_t)recv(to, data, sizeof(data), 0);
	printf("%s: %zu bytes", what, got);
	if (times)
		printf(", %ld ns", (long)((end - middle) - (middle - start)));
	printf("\n");
}

int main(int argc, char **argv)
{
	int pair[2], times = argc > 1 && !strcmp(argv[1], "times");
	own_network();
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	show("unix", pair[0], pair[1], 65536, times);
	bind_to(datagrams, "127.0.0.1", 0);
	connect_to(datagrams, "127.0.0.1", port_of(datagrams));
	show("udp", datagrams, datagrams, 32768, times);
	bind_to(listener, "127.0.0.1", 0);
	listen(listener, 1);
	connect_to(client, "127.0.0.1", port_of(listener));
	show("tcp", client, accept(listener, NULL, NULL), 65536, times);
	return 0;
}
