/* SPDX-License-Identifier: MIT */
/* A wait with SO_RCVTIMEO ends by EINTR, although the handler of the signal has SA_RESTART. */
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void on_alarm(int sig)
{
	(void)sig;
}

int main(void)
{
	const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	const struct timeval second = {1, 0};
	int ends[2];
	char c;
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	sigaction(SIGALRM, &action, NULL);
	SAY(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second)));
	ualarm(10000, 0);
	SAY(read(ends[0], &c, 1));
	return 0;
}
