/* SPDX-License-Identifier: MIT */
/* natively: 16000 descriptors */
/* Large tables of descriptors: fork, execve, CLONE_FILES, close_range, epoll, SCM_RIGHTS, /proc/self/fd, limits of
 * another process. Where Linux denies this process so many descriptors, what is asked for is not looked at. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define HARD (1 << 20) /* of a Debian host */
#define HIGH 16000
#define MANY 5000

static int is_possible, is_guest;

#define HOLDS(what) printf("%s: %d\n", #what, !is_possible || (what))
#define FAILS(what, error) printf("%s fails: %d\n", #what, !is_possible || ((what) == -1 && errno == (error)))

static long number_in(const char *file, const char *name)
{
	char line[256];
	long value = -1;
	FILE *from = fopen(file, "r");
	while (from && value < 0 && fgets(line, sizeof(line), from))
		if (!strncmp(line, name, strlen(name)))
			value = atol(line + strlen(name));
	fclose(from);
	return value;
}

static long size(void)
{
	return number_in("/proc/self/status", "FDSize:");
}

static int listed(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;
	for (const struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count - 1;
}

static int ended(pid_t child)
{
	int status;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void sizes(void)
{
	HOLDS(dup2(0, 64) == 64 && size() == 128);
	HOLDS(dup2(0, HIGH - 1) == HIGH - 1 && size() == 16384);
	HOLDS(close(HIGH - 1) == 0 && close(64) == 0 && size() == 16384);
	if (!fork())
		_exit((int)size());
	HOLDS(ended(-1) == 64);
	HOLDS(dup2(0, 300) == 300);
	if (!fork())
		_exit((int)(size() / 4));
	HOLDS(ended(-1) == 512 / 4);
	close(300);
}

/* Stands in the place of this program. */
static int executed(void)
{
	return fcntl(HIGH - 1, F_GETFD) == 0 && fcntl(HIGH - 2, F_GETFD) == -1 && size() == 16384 ? 11 : 12;
}

static int share(void *number)
{
	close(*(int *)number);
	return dup2(0, HIGH - 5) == HIGH - 5 ? 0 : 1;
}

static void processes(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	int number = HIGH - 4;
	HOLDS(dup2(0, HIGH - 1) >= 0 && dup3(0, HIGH - 2, O_CLOEXEC) >= 0 && dup2(0, number) >= 0);
	if (!fork()) {
		execl("/proc/self/exe", "descriptors_shared", "executed", NULL);
		_exit(1);
	}
	HOLDS(ended(-1) == 11);
	if (is_possible)
		HOLDS(ended(clone(share, stack + sizeof(stack), CLONE_FILES | CLONE_FS | SIGCHLD, &number)) == 0);
	else
		puts("ended(clone(share, stack + sizeof(stack), CLONE_FILES | CLONE_FS | SIGCHLD, &number)) == 0: 1");
	HOLDS(fcntl(number, F_GETFD) == -1 && fcntl(HIGH - 5, F_GETFD) == 0);
	HOLDS(syscall(SYS_close_range, 10, HIGH - 3, 0) == 0 && fcntl(HIGH - 5, F_GETFD) == -1);
	HOLDS(syscall(SYS_close_range, 10, ~0U, 4 /* CLOEXEC */) == 0 && fcntl(HIGH - 1, F_GETFD) == FD_CLOEXEC);
	HOLDS(syscall(SYS_close_range, HIGH - 1, ~0U, 0) == 0 && fcntl(HIGH - 1, F_GETFD) == -1 &&
	      fcntl(HIGH - 2, F_GETFD) == FD_CLOEXEC);
}

/* 5,000 descriptors in one set, and passed through a socket where the numbers have an end. */
static void sets(void)
{
	int ends[2], pair[2], set = epoll_create1(0), added = 0, before = listed();
	struct epoll_event event = {EPOLLIN, {.fd = 0}};
	static struct epoll_event found[MANY];
	pipe(ends);
	for (int i = 0; i < MANY && is_possible; i++) {
		event.data.fd = dup(ends[0]);
		added += !epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event);
	}
	HOLDS(added == MANY && listed() == before + 2 + MANY);
	HOLDS(write(ends[1], "x", 1) == 1 && epoll_wait(set, found, MANY, -1) == MANY);
	HOLDS(found[MANY - 1].data.fd == event.data.fd && access("/proc/self/fd/5000", F_OK) == 0);
	HOLDS(number_in("/proc/self/fdinfo/5000", "pos:") == 0);

	char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 'b';
	struct iovec vector = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &vector, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room)};
	struct cmsghdr *control = CMSG_FIRSTHDR(&message);
	*control = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
	memcpy(CMSG_DATA(control), &event.data.fd, sizeof(int));
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	HOLDS(sendmsg(pair[0], &message, 0) == 1 && recvmsg(pair[1], &message, 0) == 1);
	int got;
	memcpy(&got, CMSG_DATA(control), sizeof(int));
	HOLDS(got == pair[1] + 1 && read(got, &byte, 1) == 1 && byte == 'x');
}

static void others(void)
{
	int go[2];
	char byte;
	pipe(go);
	pid_t child = fork();
	if (!child) {
		read(go[0], &byte, 1);
		_exit(dup2(0, 9000) == 9000 && dup2(0, 9001) == -1 && errno == EBADF ? 0 : 1);
	}
	struct rlimit wanted = {9001, 9002}, old;
	HOLDS(prlimit(child, RLIMIT_NOFILE, &wanted, &old) == 0 && old.rlim_cur == HIGH);
	write(go[1], "x", 1);
	HOLDS(ended(child) == 0);
}

int main(int count, char **arguments)
{
	struct rlimit limit;
	struct utsname name;
	uname(&name);
	is_guest = strstr(name.release, "eremite") != NULL;
	if (count > 1)
		return executed();
	getrlimit(RLIMIT_NOFILE, &limit);
	is_possible = limit.rlim_max >= HIGH;
	limit.rlim_cur = HIGH;
	setvbuf(stdout, NULL, _IONBF, 0);
	syscall(SYS_close_range, 3, ~0U, 0); /* what the shell has left, for the sizes below */
	if (fork())
		return ended(-1);
	printf("fs.nr_open: %d\n", !is_guest || number_in("/proc/sys/fs/nr_open", "") == HARD);
	HOLDS(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	sizes();
	processes();
	sets();
	others();
	(void)arguments;
	return 0;
}
