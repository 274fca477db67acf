/* SPDX-License-Identifier: MIT */
/* Named pipes: mkfifo and mknod, the rules of open, what stays of the contents, readiness. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static void show(const char *name)
{
	struct stat st;
	if (lstat(name, &st))
		printf("%s: %s\n", name, errno_name(errno));
	else
		printf("%s: mode %o, links %u, %lld bytes\n", name, st.st_mode, (unsigned)st.st_nlink,
		       (long long)st.st_size);
}

static void show_poll(int fd)
{
	struct pollfd one = {fd, POLLIN | POLLOUT, 0};
	int count = poll(&one, 1, 0);
	printf("poll %d: %x\n", count, one.revents);
}

static void making(void)
{
	SAY(mkfifo("fifo", 0666));
	SAY(mkfifo("fifo", 0666));
	SAY(mkfifo("absent/fifo", 0666));
	SAY(mkfifo("slash/", 0666));
	show("fifo");
	SAY(mknod("plain", S_IFREG | 0600, 0));
	SAY(mknod("nothing", 0640, 0));
	SAY(mknod("socket", S_IFSOCK | 0600, 0));
	SAY(mknod("dir", S_IFDIR | 0700, 0));
	SAY(mknod("link", S_IFLNK | 0700, 0));
	show("plain");
	show("nothing");
	show("socket");
	SAY(open("socket", O_RDONLY));
	SAY_OK(close(open("socket", O_PATH)));
	SAY(unlink("plain"));
	SAY(unlink("nothing"));
	SAY(unlink("socket"));
}

static void opening(void)
{
	char text[10];
	SAY(open("fifo", O_WRONLY | O_NONBLOCK));
	SAY(open("fifo", O_RDONLY | O_DIRECTORY | O_NONBLOCK));
	int in = (int)SAY(open("fifo", O_RDONLY | O_NONBLOCK));
	show_poll(in);
	SAY(read(in, text, 10));
	int out = (int)SAY(open("fifo", O_WRONLY));
	SAY(read(in, text, 10));
	show_poll(in);
	show_poll(out);
	SAY(write(out, "hello", 5));
	SAY(read(in, text, 2));
	SAY(close(out));
	show_poll(in);
	SAY(read(in, text, 10));
	SAY(read(in, text, 10));
	SAY(lseek(in, 0, SEEK_SET));
	SAY(ftruncate(in, 0));
	SAY(truncate("fifo", 0));
	int again = (int)SAY(open("fifo", O_RDONLY | O_NONBLOCK));
	show_poll(again);
	SAY(close(again));
	SAY(close(in));
	int both = (int)SAY(open("fifo", O_RDWR));
	SAY(write(both, "kept", 4));
	out = (int)SAY(open("fifo", O_WRONLY | O_TRUNC));
	SAY(write(out, "?", 1));
	SAY(close(both));
	SAY(write(out, "x", 1));
	SAY(close(out));
	in = open("fifo", O_RDONLY | O_NONBLOCK);
	SAY(read(in, text, 10)); /* it went with the last end */
	SAY(rename("fifo", "moved"));
	out = (int)SAY(open("moved", O_WRONLY));
	SAY(unlink("moved"));
	SAY(write(out, "still", 5));
	SAY(read(in, text, 10));
	show("moved");
}

int main(void)
{
	umask(022);
	signal(SIGPIPE, SIG_IGN);
	making();
	opening();
	return 0;
}
