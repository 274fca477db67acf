/* SPDX-License-Identifier: MIT */
/* CLONE_PIDFD and CLONE_CLEAR_SIGHAND of clone(2) and clone3(2): the descriptor, who has it, and what is refused. */
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define P_OF_PIDFD 3
#define CLEAR_SIGHAND 0x100000000UL

static void ignore(int sig)
{
	(void)sig;
}

/* What a descriptor tells of a child that ends with status 5. */
static void look(int fd)
{
	struct pollfd pollfd = {fd, POLLIN, 0};
	siginfo_t info;
	SAY(fcntl(fd, F_GETFD));
	SAY(fcntl(fd, F_GETFL) == O_RDWR);
	SAY(poll(&pollfd, 1, -1));
	SAY(waitid(P_OF_PIDFD, (id_t)fd, &info, WEXITED));
	printf("status %d\n", info.si_status);
	SAY(close(fd));
}

static long start3(uint64_t flags, int *fd)
{
	struct clone_args args = {.flags = flags, .pidfd = (uint64_t)fd, .exit_signal = SIGCHLD};
	fflush(stdout);
	return syscall(SYS_clone3, &args, sizeof(args));
}

static void by_clone3(void)
{
	int fd = -7;
	long child = start3(CLONE_PIDFD, &fd);
	if (!child)
		_exit(fcntl(3, F_GETFD) < 0 ? 5 : 6); /* it has no descriptor of itself */
	printf("descriptor %d\n", fd);
	look(fd);
	child = start3(CLONE_PIDFD | CLONE_FILES | CLONE_FS, &fd);
	if (!child)
		_exit(fcntl(3, F_GETFD) < 0 ? 6 : 5);
	look(fd);
}

static void by_clone(void)
{
	int fd = -7;
	fflush(stdout);
	long child = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, &fd, NULL, NULL);
	if (!child)
		_exit(5);
	look(fd);
	SAY(syscall(SYS_clone, CLONE_PIDFD | CLONE_PARENT_SETTID | SIGCHLD, NULL, &fd, NULL, NULL));
	SAY(syscall(SYS_clone, CLONE_PIDFD | CLONE_DETACHED | SIGCHLD, NULL, &fd, NULL, NULL));
	SAY(syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, (void *)8, NULL, NULL));
	SAY(wait(NULL));
	SAY(dup(0)); /* the number that it would have had */
	close(3);
}

static void refused(void)
{
	struct clone_args same = {.flags = CLONE_PIDFD | CLONE_PARENT_SETTID, .exit_signal = SIGCHLD};
	int fd;
	same.pidfd = same.parent_tid = (uint64_t)&fd;
	SAY(syscall(SYS_clone3, &same, sizeof(same)));
	SAY(start3(CLEAR_SIGHAND | CLONE_SIGHAND | CLONE_VM, NULL));
	SAY(start3(CLONE_PIDFD, (void *)8));
}

/* Handlers go, and what is ignored stays so. */
static void signals(void)
{
	struct sigaction action;
	int status;
	signal(SIGUSR1, ignore);
	signal(SIGUSR2, SIG_IGN);
	if (!start3(CLEAR_SIGHAND, NULL)) {
		sigaction(SIGUSR1, NULL, &action);
		SAY_TRUE(action.sa_handler == SIG_DFL);
		sigaction(SIGUSR2, NULL, &action);
		SAY_TRUE(action.sa_handler == SIG_IGN);
		fflush(stdout);
		_exit(0);
	}
	wait(&status);
	printf("status %d\n", WEXITSTATUS(status));
	sigaction(SIGUSR1, NULL, &action);
	SAY_TRUE(action.sa_handler == ignore);
	if (!start3(CLONE_IO, NULL))
		_exit(4);
	wait(&status);
	printf("status %d\n", WEXITSTATUS(status));
}

int main(void)
{
	by_clone3();
	by_clone();
	refused();
	signals();
	return 0;
}
