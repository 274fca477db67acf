/* SPDX-License-Identifier: MIT */
/* What links in /proc call open files that have no name, and what fdinfo tells of an eventfd. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void name(const char *what, int fd)
{
	char path[64], text[128] = "";
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ssize_t bytes = readlink(path, text, sizeof(text) - 1);
	printf("%s: %zd %s\n", what, bytes, text);
}

static void count(int fd)
{
	char path[64], line[128];
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "eventfd-count", 13))
			fputs(line, stdout);
	if (file)
		fclose(file);
}

int main(void)
{
	sigset_t none;
	sigemptyset(&none);
	int event = eventfd(0x1234, 0);
	name("eventfd", event);
	name("epoll", epoll_create1(0));
	name("timerfd", timerfd_create(CLOCK_MONOTONIC, 0));
	name("signalfd", signalfd(-1, &none, 0));
	name("inotify", inotify_init1(0));
	count(event);
	SAY(eventfd_write(event, 0xabcdef));
	count(event);
	return 0;
}
