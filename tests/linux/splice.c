/* SPDX-License-Identifier: MIT */
/* splice(2), tee(2), vmsplice(2) and sendfile(2) between files, pipes and sockets, in one process and with a child. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int one[2], two[2];

static void show(int fd)
{
	char buf[64];
	long bytes = read(fd, buf, sizeof(buf));
	if (bytes < 0)
		printf("nothing: %s\n", errno_name(errno));
	else
		printf("'%.*s'\n", (int)bytes, buf);
}

static void errors(int file)
{
	long at = 0, bad = -1;
	SAY(splice(99, NULL, one[1], NULL, 0, 0));
	SAY(splice(99, NULL, one[1], NULL, 1, 0));
	SAY(splice(file, NULL, one[1], NULL, 1, 0x100));
	SAY(splice(one[0], &at, file, NULL, 1, 0));
	SAY(splice(file, NULL, one[1], &at, 1, 0));
	SAY(splice(one[0], NULL, one[1], NULL, 1, 0));
	SAY(splice(one[1], NULL, two[0], NULL, 1, 0));
	SAY(splice(file, NULL, file, NULL, 1, 0));
	SAY(splice(file, &bad, one[1], NULL, 1, 0));
	SAY(splice(file, (void *)8, one[1], NULL, 1, 0));
	SAY(splice(one[0], NULL, two[1], NULL, 1, SPLICE_F_NONBLOCK));
	SAY(tee(one[0], one[1], 1, 0));
	SAY(tee(file, one[1], 1, 0));
	SAY(tee(one[0], two[1], 1, SPLICE_F_NONBLOCK));
	SAY(tee(one[0], two[1], 0, 0));
	SAY(vmsplice(file, NULL, 0, 0));
}

static void moves(int file)
{
	char text[] = "of memory";
	struct iovec iov[2] = {{text, 3}, {text + 3, 6}};
	long at = 6, out = 20;
	SAY(splice(file, NULL, one[1], NULL, 5, 0));
	SAY(lseek(file, 0, SEEK_CUR));
	SAY(splice(file, &at, one[1], NULL, 100, 0));
	SAY(at);
	SAY(splice(file, &at, one[1], NULL, 100, 0));
	SAY(tee(one[0], two[1], 100, 0));
	show(two[0]);
	SAY(splice(one[0], NULL, two[1], NULL, 7, 0));
	show(two[0]);
	SAY(splice(one[0], NULL, file, &out, 100, 0));
	SAY(out);
	SAY(lseek(file, 0, SEEK_CUR));
	SAY(lseek(file, 0, SEEK_END));
	SAY(vmsplice(one[1], iov, 2, 0));
	show(one[0]);
	SAY(write(one[1], "read", 4));
	iov[0].iov_len = 2;
	SAY(vmsplice(one[0], iov, 2, 0));
	printf("%s\n", text);
	int ends[2];
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	SAY(write(one[1], "to a socket", 11));
	SAY(splice(one[0], NULL, ends[0], NULL, 100, 0));
	SAY(splice(ends[1], NULL, two[1], NULL, 100, 0));
	show(two[0]);
	at = 0;
	SAY(sendfile(ends[0], file, &at, 11));
	show(ends[1]);
	SAY(splice(one[0], NULL, ends[0], &at, 1, SPLICE_F_NONBLOCK));
	SAY(splice(ends[0], &at, one[1], NULL, 1, SPLICE_F_NONBLOCK));
	close(ends[0]);
	close(ends[1]);
}

static void *feed(void *unused)
{
	static char data[300000];
	(void)unused;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i % 251);
	if (write(one[1], data, sizeof(data)) != sizeof(data))
		printf("write failed\n");
	close(one[1]);
	return NULL;
}

static void *carry(void *unused)
{
	long total = 0, done;
	(void)unused;
	while ((done = splice(one[0], NULL, two[1], NULL, 100000, 0)) > 0)
		total += done;
	close(two[1]);
	return (void *)total;
}

/* Through two pipes, with a thread at each of three places. */
static void threads(void)
{
	pthread_t feeder, carrier;
	void *carried;
	char buf[7000];
	long total = 0, wrong = 0, done;
	pthread_create(&feeder, NULL, feed, NULL);
	pthread_create(&carrier, NULL, carry, NULL);
	while ((done = read(two[0], buf, sizeof(buf))) > 0)
		for (long i = 0; i < done; i++, total++)
			wrong += (unsigned char)buf[i] != total % 251;
	pthread_join(feeder, NULL);
	pthread_join(carrier, &carried);
	printf("carried %ld, read %ld, wrong %ld\n", (long)carried, total, wrong);
}

/* A child that answers over a socket, and is given a pipe by it. */
static void child(void)
{
	int ends[2], status;
	char buf[16] = "";
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		struct ucred who;
		socklen_t bytes = sizeof(who);
		close(ends[0]);
		if (recv(ends[1], buf, 4, MSG_WAITALL) != 4 ||
		    getsockopt(ends[1], SOL_SOCKET, SO_PEERCRED, &who, &bytes) || who.pid != getppid())
			_exit(1);
		_exit(send(ends[1], buf, 4, 0) != 4);
	}
	close(ends[1]);
	SAY(send(ends[0], "ping", 4, 0));
	SAY(recv(ends[0], buf, 4, 0));
	SAY(recv(ends[0], buf, 4, 0));
	waitpid(pid, &status, 0);
	printf("status %d\n", status);
	close(ends[0]);
}

int main(void)
{
	int file = open("file", O_RDWR | O_CREAT, 0600);
	SAY(write(file, "hello over there", 16));
	SAY(lseek(file, 0, SEEK_SET));
	if (pipe(one) || pipe(two))
		return 1;
	errors(file);
	moves(file);
	threads();
	child();
	unlink("file");
	return 0;
}
