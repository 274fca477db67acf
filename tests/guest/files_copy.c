/* SPDX-License-Identifier: MIT */
/* From one open file to another: sendfile, copy_file_range; vectors with flags; descriptors closed by the range. */
#include <fcntl.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "say.h"

static char block[100000];

static void sending(void)
{
	int in = open("in", O_RDWR | O_CREAT, 0644), out = open("to", O_RDWR | O_CREAT, 0644), fds[2];
	off_t at = 2;
	SAY(write(in, "0123456789", 10));
	SAY(sendfile(out, in, NULL, 10));
	SAY(sendfile(out, in, &at, 5));
	printf("at %lld\n", (long long)at);
	SAY(lseek(in, 1, SEEK_SET));
	SAY(sendfile(out, in, NULL, 100));
	SAY(lseek(in, 0, SEEK_CUR));
	SAY(lseek(out, 0, SEEK_CUR));
	SAY(pread(out, block, 100, 0));
	printf("%.14s\n", block);
	at = -1;
	SAY(sendfile(out, in, &at, 1));
	SAY(sendfile(99, in, NULL, 1));
	SAY(sendfile(out, 99, NULL, 1));
	SAY(pipe(fds));
	SAY(sendfile(out, fds[0], NULL, 1));
	at = 0;
	SAY(sendfile(out, fds[0], &at, 1));
	SAY(sendfile(fds[1], in, &at, 10));
	SAY(read(fds[0], block, 100));
	SAY(ftruncate(in, 100000));
	at = 0;
	SAY(sendfile(fds[1], in, &at, 100000));
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	SAY(sendfile(fds[1], in, &at, 100000));
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	SAY(sendfile(fds[1], in, &at, 10));
	SAY(fcntl(out, F_SETFL, O_APPEND));
	SAY(sendfile(out, in, NULL, 1));
	at = 0;
	off_t to = 3;
	SAY(copy_file_range(in, &at, out, &to, 1, 0));
	fcntl(out, F_SETFL, 0);
	SAY(copy_file_range(in, &at, out, &to, 4, 0));
	printf("at %lld, to %lld\n", (long long)at, (long long)to);
}

static void vectors(void)
{
	int fd = open("to", O_RDWR | O_TRUNC);
	struct iovec iov[2] = {{"abc", 3}, {"defg", 4}};
	SAY(pwritev2(fd, iov, 2, -1, 0));
	SAY(pwritev2(fd, iov, 2, 2, 0));
	SAY(pwritev2(fd, iov, 1, 0, RWF_APPEND));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pwritev2(fd, iov, 1, -1, RWF_APPEND | RWF_SYNC));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pwritev2(fd, iov, 1, -2, 0));
	SAY(pwritev2(fd, iov, 1, 0, 1 << 20));
	struct iovec back[2] = {{block, 5}, {block + 5, 50}};
	SAY(preadv2(fd, back, 2, 1, 0));
	printf("%.14s\n", block);
	SAY(preadv2(fd, back, 2, -1, 0));
	SAY(sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE));
	SAY(sync_file_range(fd, 0, 0, 8));
	SAY(sync_file_range(99, 0, 0, 0));
	SAY(readahead(fd, 0, 10));
	SAY(syncfs(fd));
}

static void closing(void)
{
	for (int i = 0; i < 4; i++)
		dup2(1, 20 + i);
	SAY(close_range(21, 22, CLOSE_RANGE_CLOEXEC));
	SAY(fcntl(21, F_GETFD));
	SAY(fcntl(23, F_GETFD));
	SAY(close_range(22, ~0U, 0));
	SAY(fcntl(21, F_GETFD));
	SAY(fcntl(22, F_GETFD));
	SAY(close_range(5, 4, 0));
	SAY(close_range(5, 6, 1));
}

int main(void)
{
	sending();
	vectors();
	closing();
	unlink("in");
	return unlink("to");
}
