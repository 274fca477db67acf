/* SPDX-License-Identifier: MIT */
/* Calls that transfer in pieces, with buffers that run into an unmapped page. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096

static char *memory; /* two pages; a third is unmapped */
static char *end;    /* of the two */

static void random_bytes(void)
{
	int fd = open("/dev/urandom", O_RDONLY);
	memset(memory, 0, 2 * PAGE);
	SAY(getrandom(end - 300, 400, 0));
	int zeros = 0;
	for (char *at = end - 300; at < end; at++)
		zeros += *at == 0;
	SAY_TRUE(zeros < 30 && end[-301] == 0);
	SAY(getrandom(end - 10, 4000, 0));
	SAY(getrandom(end - 10, 20, 0));
	SAY(getrandom(end, 1, 0));
	SAY(getrandom(end, 0, 0));
	SAY(getrandom((void *)-4096L, 100, 0));
	SAY(syscall(SYS_getrandom, end - 10, -1UL, 0));
	SAY(read(fd, end - 300, 400));
	SAY(read(fd, end - 10, 4000));
	SAY(read(fd, end, 10));
	close(fd);
}

static void directory(void)
{
	char name[] = "partial.d/aaaaaaaaaaaaaaaaaaaa";
	long first, all = 0, got;
	SAY(mkdir("partial.d", 0700));
	for (int i = 0; i < 20; i++) {
		name[12] = (char)('a' + i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
	}
	int fd = open("partial.d", O_RDONLY | O_DIRECTORY);
	first = syscall(SYS_getdents64, fd, end - 200, 1000);
	SAY_TRUE(first > 100 && first <= 200);
	for (got = first; got > 0; got = syscall(SYS_getdents64, fd, end - 200, 200))
		for (long at = 0; at < got; at += ((struct dirent64 *)(end - 200 + at))->d_reclen)
			all++;
	SAY(got);
	SAY(all);
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(syscall(SYS_getdents64, fd, end - 8, 1000));
	SAY_TRUE(syscall(SYS_getdents64, fd, end - 200, 200) > 100);
	close(fd);
	for (int i = 0; i < 20; i++) {
		name[12] = (char)('a' + i);
		unlink(name);
	}
	rmdir("partial.d");
}

static void sockets(int type)
{
	struct iovec good = {memory, 20}, cut = {end - 10, 20}, both[2] = {good, cut};
	struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &good, .msg_iovlen = 1}},
	                              {.msg_hdr = {.msg_iov = &cut, .msg_iovlen = 1}}};
	int ends[2];
	printf("type %d\n", type);
	SAY(socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends));
	SAY(send(ends[0], end - 100, 200, 0));
	SAY(writev(ends[0], both, 2));
	SAY(sendmmsg(ends[0], messages, 2, 0));
	SAY(recv(ends[1], memory, 2 * PAGE, 0));
	SAY(send(ends[0], memory, 200, 0));
	SAY(recv(ends[1], end - 100, 200, 0));
	SAY(recv(ends[1], memory, 2 * PAGE, 0));
	for (int i = 0; i < 3; i++)
		SAY(send(ends[0], memory, 20, 0));
	SAY(recvmmsg(ends[1], messages, 2, 0, NULL));
	SAY(recv(ends[1], memory, 2 * PAGE, 0));
	SAY(recv(ends[1], memory, 2 * PAGE, 0));
	close(ends[0]);
	close(ends[1]);
}

static void events(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	int epoll = epoll_create1(0), fds[3];
	for (int i = 0; i < 3; i++) {
		fds[i] = eventfd(1, 0);
		epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event);
	}
	SAY(epoll_wait(epoll, (void *)(end - 30), 3, 0));
	SAY(epoll_wait(epoll, (void *)(end - 8), 3, 0));
	SAY(epoll_wait(epoll, (void *)memory, 3, 0));
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	close(epoll);
}

static void signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_NONBLOCK);
	raise(SIGUSR1);
	raise(SIGUSR2);
	SAY(read(fd, end - 200, 256));
	SAY(read(fd, memory, 256));
	raise(SIGUSR1);
	SAY(read(fd, end - 100, 128));
	SAY(read(fd, memory, 256));
	close(fd);
}

static void pipes(void)
{
	struct iovec pieces[2] = {{memory, 20}, {end, 10}}, cut = {end - 100, 200};
	int ends[2];
	SAY(pipe2(ends, O_NONBLOCK));
	SAY(vmsplice(ends[1], pieces, 2, 0));
	SAY(vmsplice(ends[1], &cut, 1, 0));
	SAY(read(ends[0], memory, PAGE));
	SAY(write(ends[1], memory, 20));
	SAY(write(ends[1], end - 20, 40));
	SAY(readv(ends[0], pieces, 2));
	SAY(read(ends[0], memory, PAGE));
	close(ends[0]);
	close(ends[1]);
}

static void text(void)
{
	int fd = open("/proc/self/status", O_RDONLY);
	SAY(read(fd, end - 100, 200));
	SAY(read(fd, end, 200));
	SAY(read(fd, memory, 10));
	close(fd);
}

int main(void)
{
	memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	end = memory + 2 * PAGE;
	munmap(end, PAGE);
	random_bytes();
	directory();
	sockets(SOCK_STREAM);
	sockets(SOCK_DGRAM);
	sockets(SOCK_SEQPACKET);
	events();
	signals();
	pipes();
	text();
	return 0;
}
