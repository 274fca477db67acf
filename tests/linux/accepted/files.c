/* SPDX-License-Identifier: MIT */
/* fcntl(2), ioctl(2), open(2) and epoll_ctl(2): commands by number, flags one by one, on each kind of file. */
#include "tests/linux/accepted/accepted.h"

#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static void show_after(int fd)
{
	printf(" flags 0x%x %d", fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
}

static void try_fcntl(unsigned which, int command, long argument)
{
	const char *name;
	int other, fd = file_open(which, &name, &other);
	uint64_t *zeros = memory_fixed();
	bool is_pointer = argument == 99;
	printf("%s fcntl %d,%s%ld\t", name, command, is_pointer ? "memory" : "", is_pointer ? 0 : argument);
	long result = syscall(SYS_fcntl, fd, command, is_pointer ? (long)zeros : argument);
	printf("%s", result_of(result));
	show_after(fd);
	printf(" "), show_bytes(zeros, 24, 24);
	printf("\n");
	for (int i = 3; i < 40; i++)
		close(i);
}

static void try_fcntls(unsigned which)
{
	static const long arguments[] = {0, 1, 2, 3, -1, 4096, 99};
	for (int command = 0; command < 1050; command = command == 40 ? 1024 : command + 1)
		for (unsigned i = 0; i < COUNT(arguments); i++)
			try_fcntl(which, command, arguments[i]);
}

static void try_ioctl(unsigned which, unsigned long request)
{
	const char *name;
	int other, fd = file_open(which, &name, &other);
	uint64_t zeros[128] = {0};
	printf("%s ioctl 0x%lx\t", name, request);
	printf("%s ", result_of(ioctl(fd, request, zeros)));
	show_bytes(zeros, 24, 24);
	show_after(fd);
	printf("\n");
	for (int i = 3; i < 40; i++)
		close(i);
}

static void try_ioctls(unsigned which)
{
	/* file systems, block devices, random numbers, name spaces, files' ranges, timers, epoll */
	static const unsigned long requests[] = {1,          2,          0x80086601, 0x40086602, 0x80087601, 0x40049409,
	                                         0x4020940d, 0xc0189436, 0x801c581f, 0x401c5820, 0x80045200, 0x40045201,
	                                         0x5204,     0xb701,     0xb702,     0xb703,     0x40085400, 0x40085480,
	                                         0x80088a02, 0x40088a01, 0xc020660b, 0x801f6613, 0xc0406619, 0x401870cc,
	                                         0x1260,     0x80081272, 0x1268,     0x80041285, 0x4008ff00};
	for (unsigned i = 0; i < COUNT(requests); i++)
		try_ioctl(which, requests[i]);
	for (unsigned long request = 0x5401; request < 0x5480; request++)
		try_ioctl(which, request);
	for (unsigned long request = 0x8901; request < 0x8a00; request++)
		try_ioctl(which, request);
}

static void try_open(const char *path, const char *access, int flags, int bit)
{
	unlink("new");
	unlink("existing");
	close(open("existing", O_CREAT | O_WRONLY, 0600));
	int fd = open(path, flags | 1U << bit | O_NONBLOCK, 0600);
	printf("open %s %s 0x%x\t%s", path, access, 1U << bit, fd < 0 ? result_of(fd) : "opened");
	if (fd >= 0) {
		show_after(fd);
		printf(" %s", result_of(read(fd, &(char){0}, 1)));
		printf(" %s", result_of(write(fd, "x", 1)));
		printf(" %ld", (long)lseek(fd, 0, SEEK_CUR));
		close(fd);
	}
	printf("\n");
}

static void try_opens(void)
{
	static const char *const paths[] = {"existing", "new", ".", "link", "fifo", "/dev/null", "existing/below"};
	symlink("existing", "link");
	mkfifo("fifo", 0600);
	for (unsigned i = 0; i < COUNT(paths); i++)
		for (int bit = 0; bit < 32; bit++) {
			try_open(paths[i], "read", O_RDONLY, bit);
			try_open(paths[i], "write", O_WRONLY, bit);
			try_open(paths[i], "both", O_RDWR, bit);
			try_open(paths[i], "create", O_RDWR | O_CREAT, bit);
			try_open(paths[i], "directory", O_RDWR | O_DIRECTORY, bit);
		}
}

static void try_epoll(unsigned which, int bit)
{
	const char *name;
	int other, fd = file_open(which, &name, &other), epoll = epoll_create1(0);
	struct epoll_event event = {.events = 1U << bit | EPOLLIN, .data.u32 = 7}, got = {0};
	printf("%s epoll_ctl 0x%x\t", name, 1U << bit);
	printf("%s", result_of(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)));
	for (int i = 0; i < 2; i++) {
		int count = epoll_wait(epoll, &got, 1, 0);
		printf(" %s", result_of(count));
		if (count > 0)
			printf(":0x%x", got.events);
	}
	printf(" %s", result_of(epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event)));
	int count = epoll_wait(epoll, &got, 1, 0);
	printf(" %s", result_of(count));
	if (count > 0)
		printf(":0x%x", got.events);
	printf(" %s\n", result_of(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL)));
	for (int i = 3; i < 40; i++)
		close(i);
}

void part_files(void)
{
	const char *name;
	int other;
	signal(SIGIO, SIG_IGN);
	for (unsigned which = 0;; which++) {
		int fd = file_open(which, &name, &other);
		if (fd < 0)
			break;
		close(fd);
		close(other);
		try_fcntls(which);
		try_ioctls(which);
		for (int bit = 0; bit < 32; bit++)
			try_epoll(which, bit);
	}
	try_opens();
}
