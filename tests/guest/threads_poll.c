/* SPDX-License-Identifier: MIT */
/* poll and select in one thread while another makes descriptors ready, closes them, or sends a signal. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>

#include "say.h"
#include "waiter.h"

/* One call, and what it found. */
struct call {
	int fds[2];
	short events;
	int timeout;
	int result;
	int error;
	short found[2];
};

static volatile sig_atomic_t signals;
static char block[65536];

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void poll_both(void *argument)
{
	struct call *call = argument;
	struct pollfd fds[2] = {{call->fds[0], call->events, 0}, {call->fds[1], call->events, 0}};
	call->result = poll(fds, 2, call->timeout);
	call->error = errno;
	call->found[0] = fds[0].revents;
	call->found[1] = fds[1].revents;
}

static void tell(const char *what, const struct call *call)
{
	printf("%s: %d %s, %x %x\n", what, call->result, call->result < 0 ? errno_name(call->error) : "",
	       (unsigned)call->found[0], (unsigned)call->found[1]);
}

static void open_pipes(int pipes[2][2])
{
	if (pipe(pipes[0]) || pipe(pipes[1]))
		abort();
}

static void close_pipes(int pipes[2][2])
{
	for (int i = 0; i < 4; i++)
		close(pipes[i / 2][i % 2]);
}

static void data_comes(void)
{
	int pipes[2][2];
	struct waiter poller, other;
	open_pipes(pipes);
	struct call first = {.fds = {pipes[0][0], pipes[1][0]}, .events = POLLIN, .timeout = -1}, second = first;
	waiter_start(&poller, poll_both, &first);
	SAY(write(pipes[1][1], "x", 1));
	waiter_join(&poller);
	tell("data in the second", &first);
	read(pipes[1][0], block, 1);
	/* Whoever waits for it is told, and one that asks for something else is not. */
	struct call third = {.fds = {pipes[1][0], -1}, .events = POLLIN, .timeout = -1};
	struct waiter last;
	waiter_start(&poller, poll_both, &first);
	waiter_start(&other, poll_both, &second);
	waiter_start(&last, poll_both, &third);
	SAY(write(pipes[0][1], "x", 1));
	waiter_join(&poller);
	waiter_join(&other);
	tell("data in the first", &first);
	tell("data in the first", &second);
	SAY_TRUE(waiter_waits(&last));
	close(pipes[1][1]);
	waiter_join(&last);
	tell("no writer any more", &third);
	close_pipes(pipes);
}

static void room_comes(void)
{
	int pipes[2][2];
	struct waiter poller;
	open_pipes(pipes);
	struct call call = {.fds = {pipes[0][1], -1}, .events = POLLOUT, .timeout = -1};
	SAY(write(pipes[0][1], block, sizeof(block)));
	waiter_start(&poller, poll_both, &call);
	SAY(read(pipes[0][0], block, 4096));
	waiter_join(&poller);
	tell("room", &call);
	SAY(write(pipes[0][1], block, 4096));
	waiter_start(&poller, poll_both, &call);
	close(pipes[0][0]);
	waiter_join(&poller);
	tell("no reader any more", &call);
	close_pipes(pipes);
}

/* poll has the files open that it waits for; when it looks again, the numbers count. */
static void closed_meanwhile(void)
{
	int pipes[2][2];
	struct waiter poller;
	open_pipes(pipes);
	struct call call = {.fds = {pipes[0][0], pipes[1][0]}, .events = POLLIN, .timeout = -1};
	waiter_start(&poller, poll_both, &call);
	SAY(close(pipes[0][0]));
	SAY(write(pipes[0][1], "x", 1));
	waiter_join(&poller);
	tell("closed, then written to", &call);
	close_pipes(pipes);
}

static void select_one(void *argument)
{
	struct call *call = argument;
	fd_set set;
	FD_ZERO(&set);
	FD_SET(call->fds[0], &set);
	call->result = select(call->fds[0] + 1, &set, NULL, NULL, NULL);
	call->error = errno;
	call->found[0] = call->result > 0 && FD_ISSET(call->fds[0], &set);
}

static void selects(void)
{
	int pipes[2][2];
	struct waiter selecter;
	open_pipes(pipes);
	struct call call = {.fds = {pipes[0][0], -1}};
	waiter_start(&selecter, select_one, &call);
	SAY(write(pipes[0][1], "x", 1));
	waiter_join(&selecter);
	tell("select", &call);
	read(pipes[0][0], block, 1);
	waiter_start(&selecter, select_one, &call);
	pthread_kill(selecter.thread, SIGUSR1);
	waiter_join(&selecter);
	tell("select, interrupted", &call);
	close_pipes(pipes);
}

static void ppoll_unblocked(void *argument)
{
	struct call *call = argument;
	sigset_t none;
	struct pollfd fd = {call->fds[0], POLLIN, 0};
	sigemptyset(&none);
	call->result = ppoll(&fd, 1, NULL, &none);
	call->error = errno;
	pthread_sigmask(SIG_SETMASK, NULL, &none);
	call->found[0] = (short)sigismember(&none, SIGUSR1);
}

static void interrupted(void)
{
	int pipes[2][2];
	struct waiter poller;
	sigset_t set, old;
	open_pipes(pipes);
	struct call call = {.fds = {pipes[0][0], -1}};
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	signals = 0;
	waiter_start(&poller, ppoll_unblocked, &call);
	kill(getpid(), SIGUSR1); /* for whoever has it unblocked */
	waiter_join(&poller);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	tell("ppoll", &call);
	printf("%d signals\n", (int)signals);
	close_pipes(pipes);
}

static void timeouts(void)
{
	int pipes[2][2];
	struct waiter poller;
	open_pipes(pipes);
	struct call call = {.fds = {pipes[0][0], -1}, .events = POLLIN, .timeout = 20};
	waiter_start(&poller, poll_both, &call);
	waiter_join(&poller);
	tell("20 ms", &call);
	call.timeout = 100000;
	waiter_start(&poller, poll_both, &call);
	SAY(write(pipes[0][1], "x", 1));
	waiter_join(&poller);
	tell("100 s, but woken", &call);
	close_pipes(pipes);
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigaction(SIGUSR1, &action, NULL);
	data_comes();
	room_comes();
	closed_meanwhile();
	selects();
	interrupted();
	timeouts();
	return 0;
}
