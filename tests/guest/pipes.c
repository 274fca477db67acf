/* SPDX-License-Identifier: MIT */
/* Pipes and readiness: order, capacity, end of file, EPIPE, O_NONBLOCK, poll and select. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static volatile int broken;

static void on_pipe(int sig)
{
	(void)sig;
	broken++;
}

static void show_poll(const char *what, int in, int out, int timeout)
{
	struct pollfd fds[3] = {{in, POLLIN, 0}, {out, POLLOUT, 0}, {-1, POLLIN, 0}};
	int count = poll(fds, 3, timeout);
	printf("%-20s %d: in %x, out %x\n", what, count, fds[0].revents, fds[1].revents);
}

static void show_select(int in, int out)
{
	fd_set r, w;
	struct timeval tv = {0, 1000};
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(in, &r);
	FD_SET(out, &w);
	int count = select((in > out ? in : out) + 1, &r, &w, NULL, &tv);
	printf("select %d: in %d, out %d\n", count, !!FD_ISSET(in, &r), !!FD_ISSET(out, &w));
}

int main(void)
{
	static char block[200000];
	int fds[2], waiting;
	struct stat st;
	SAY(pipe(fds));
	int in = fds[0], out = fds[1];
	fstat(in, &st);
	printf("mode %o\n", st.st_mode & S_IFMT);
	SAY(lseek(in, 0, SEEK_SET));
	SAY(pread(in, block, 1, 0));
	SAY(write(in, "x", 1));
	SAY(read(out, block, 1));
	show_poll("empty", in, out, 0);
	SAY(write(out, "hello", 5));
	SAY(write(out, "world", 5));
	SAY(ioctl(in, FIONREAD, &waiting));
	printf("%d waiting\n", waiting);
	show_poll("with data", in, out, -1);
	show_select(in, out);
	SAY(read(in, block, 7));
	printf("%.7s\n", block);
	SAY(read(in, block, 100));
	show_select(in, out);
	SAY(fcntl(in, F_SETFL, O_NONBLOCK));
	SAY(read(in, block, 1));
	SAY(fcntl(out, F_SETFL, O_NONBLOCK));
	SAY(write(out, block, sizeof(block)));
	SAY(write(out, block, 1));
	show_poll("full", in, out, 0);
	SAY(read(in, block, 4096));
	show_poll("a page less", in, out, 0);
	long total = 0;
	ssize_t got;
	while ((got = read(in, block, sizeof(block))) > 0)
		total += got;
	printf("%ld more\n", total);
	SAY(write(out, "last", 4));
	SAY(close(out));
	show_poll("writer gone, data", in, -1, 0);
	SAY(read(in, block, 100));
	SAY(read(in, block, 100));
	show_poll("writer gone", in, -1, -1);
	close(in);

	signal(SIGPIPE, on_pipe);
	SAY(pipe2(fds, O_CLOEXEC));
	SAY(fcntl(fds[0], F_GETFD));
	SAY(pipe2(fds, 12345));
	close(fds[0]);
	show_poll("reader gone", -1, fds[1], 0);
	SAY(write(fds[1], "x", 1));
	SAY_TRUE(broken == 1);
	signal(SIGPIPE, SIG_IGN);
	SAY(write(fds[1], "x", 1));
	close(fds[1]);

	SAY(pipe(fds));
	struct pollfd one = {fds[0], POLLIN, 0};
	SAY(poll(&one, 1, 20));
	struct timespec ts = {0, 5000000};
	SAY(ppoll(&one, 1, &ts, NULL));
	one.fd = 99;
	SAY(poll(&one, 1, 0));
	printf("revents %x\n", one.revents);
	int file = open("file", O_RDWR | O_CREAT, 0644);
	show_poll("a file", file, file, 0);
	unlink("file");
	SAY(poll(NULL, 0, 5));
	return 0;
}
