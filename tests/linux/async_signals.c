/* SPDX-License-Identifier: MIT */
/* Signals for the owner of a pipe or socket when data come: fcntl(2), F_SETOWN, F_SETSIG, O_ASYNC. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static volatile int signals;
static siginfo_t last;
static pid_t receiver;
static char block[1 << 17];

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	signals++;
	last = *info;
	receiver = (pid_t)syscall(SYS_gettid);
}

/* What has come since the last time. */
static void tell(const char *what)
{
	printf("%s: ", what);
	if (!signals)
		printf("nothing\n");
	else if (last.si_code == SI_KERNEL)
		printf("%d of signal %d\n", signals, last.si_signo);
	else
		printf("%d of signal %d, code %d, band %lx, fd %d\n", signals, last.si_signo, last.si_code,
		       last.si_band, last.si_fd);
	signals = 0;
}

static void listen_to(int sig)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigaction(sig, &action, NULL);
}

static void set_async(int fd)
{
	SAY(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC));
}

static void owners(int fd)
{
	struct f_owner_ex owner = {0};
	SAY(fcntl(fd, F_GETOWN));
	SAY(fcntl(fd, F_SETOWN, 999999));
	SAY(fcntl(fd, F_SETOWN, -999999));
	SAY_TRUE(fcntl(fd, F_SETOWN, getpid()) == 0 && fcntl(fd, F_GETOWN) == getpid());
	SAY_TRUE(fcntl(fd, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_PID && owner.pid == getpid());
	SAY_TRUE(fcntl(fd, F_SETOWN, -getpgid(0)) == 0 && fcntl(fd, F_GETOWN) == -getpgid(0));
	owner = (struct f_owner_ex){F_OWNER_TID, getpid()};
	SAY(fcntl(fd, F_SETOWN_EX, &owner));
	SAY_TRUE(fcntl(fd, F_GETOWN) == getpid());
	owner.type = 7;
	SAY(fcntl(fd, F_SETOWN_EX, &owner));
	SAY(fcntl(fd, F_SETOWN_EX, (void *)8));
	SAY(fcntl(fd, F_SETSIG, 65));
	SAY(fcntl(fd, F_SETSIG, -1));
	SAY(fcntl(fd, F_GETSIG));
	SAY(fcntl(fd, F_SETOWN, 0));
	SAY(fcntl(fd, F_GETOWN));
}

static void pipes(void)
{
	int ends[2], on = 1, off = 0;
	pipe2(ends, O_NONBLOCK);
	owners(ends[0]);
	write(ends[1], "x", 1);
	tell("no owner");
	set_async(ends[0]);
	write(ends[1], "x", 1);
	tell("O_ASYNC alone");
	fcntl(ends[0], F_SETOWN, getpid());
	write(ends[1], "x", 1);
	tell("written");
	int copy = dup(ends[0]);
	fcntl(ends[0], F_SETSIG, SIGRTMIN + 3);
	SAY(fcntl(copy, F_GETSIG) == SIGRTMIN + 3);
	write(ends[1], "x", 1);
	tell("with another signal");
	read(ends[0], block, 10);
	tell("read");
	fcntl(ends[0], F_SETSIG, SIGIO);
	write(ends[1], "x", 1);
	tell("SIGIO with reasons");
	fcntl(ends[0], F_SETSIG, SIGCHLD);
	write(ends[1], "x", 1);
	tell("with a signal that has codes of its own");
	fcntl(ends[0], F_SETSIG, 0);
	SAY(ioctl(ends[0], FIOASYNC, &off));
	write(ends[1], "x", 1);
	tell("without O_ASYNC");
	fcntl(ends[0], F_SETSIG, SIGRTMIN);
	SAY(ioctl(copy, FIOASYNC, &on));
	write(ends[1], "x", 1);
	last.si_fd -= copy - ends[0];
	tell("by the copy");
	close(copy);
	write(ends[1], "x", 1);
	last.si_fd -= copy - ends[0];
	tell("the copy is closed");
	close(ends[1]);
	tell("no writer");
	close(ends[0]);
	pipe2(ends, O_NONBLOCK);
	write(ends[1], block, sizeof(block));
	fcntl(ends[1], F_SETOWN, getpid());
	fcntl(ends[1], F_SETSIG, SIGRTMIN);
	set_async(ends[1]);
	read(ends[0], block, 8192);
	tell("room");
	close(ends[0]);
	tell("no reader");
	close(ends[1]);
}

static void sockets(int type)
{
	int ends[2];
	socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, ends);
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, SIGRTMIN);
	set_async(ends[0]);
	write(ends[1], "x", 1);
	tell("sent");
	read(ends[0], block, 1);
	tell("received");
	write(ends[0], "x", 1);
	read(ends[1], block, 1);
	tell("the other way");
	if (type == SOCK_STREAM) {
		SAY(send(ends[1], "u", 1, MSG_OOB) == 1);
		tell("urgent");
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
		SAY(send(ends[1], "u", 1, MSG_OOB) == 1);
		tell("urgent, without O_ASYNC");
		set_async(ends[0]);
	}
	shutdown(ends[1], SHUT_WR);
	tell("no more");
	shutdown(ends[1], SHUT_RD);
	tell("nor there");
	close(ends[1]);
	tell("closed");
	close(ends[0]);
}

static void *start(void *ends)
{
	write(((int *)ends)[1], "x", 1);
	return NULL;
}

static void threads_and_processes(void)
{
	int ends[2], status;
	pthread_t thread;
	struct f_owner_ex owner = {F_OWNER_TID, (int)syscall(SYS_gettid)};
	pipe(ends);
	fcntl(ends[0], F_SETOWN_EX, &owner);
	set_async(ends[0]);
	pthread_create(&thread, NULL, start, ends);
	pthread_join(thread, NULL);
	tell("from a thread");
	SAY(receiver == getpid());
	/* A child owns it, and its parent writes. */
	int ready[2];
	pipe(ready);
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		sigset_t set;
		siginfo_t info;
		sigemptyset(&set);
		sigaddset(&set, SIGIO);
		sigprocmask(SIG_BLOCK, &set, NULL);
		setpgid(0, 0);
		fcntl(ends[0], F_SETOWN, -getpid());
		write(ready[1], "x", 1);
		SAY(sigwaitinfo(&set, &info));
		printf("%d\n", info.si_code);
		fflush(stdout);
		_exit(0);
	}
	read(ready[0], block, 1);
	write(ends[1], "x", 1);
	SAY(waitpid(child, &status, 0) == child && status == 0);
	tell("here");
	SAY(fcntl(ends[0], F_GETOWN));
	write(ends[1], "x", 1);
	tell("nobody is left");
	/* Who waits in a call. */
	fcntl(ends[0], F_SETOWN, getpid());
	while (read(ends[0], block, 100) == 100)
		;
	pthread_create(&thread, NULL, start, ends);
	SAY(read(ends[0], block, 100));
	pthread_join(thread, NULL);
	tell("while reading");
}

int main(void)
{
	for (int fd = 3; fd < 20; fd++)
		close(fd);
	listen_to(SIGIO);
	listen_to(SIGURG);
	listen_to(SIGCHLD);
	for (int sig = SIGRTMIN; sig < SIGRTMIN + 5; sig++)
		listen_to(sig);
	pipes();
	sockets(SOCK_STREAM);
	sockets(SOCK_DGRAM);
	sockets(SOCK_SEQPACKET);
	signal(SIGCHLD, SIG_DFL);
	threads_and_processes();
	return 0;
}
