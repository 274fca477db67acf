/* SPDX-License-Identifier: MIT */
#include "search/search_stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

#define REAP_MS 10000 /* a monitor that was told to end needs a second at most, with a guest of many GiB */
#define WAIT_MS 1000
#define PREPARE_S 60 /* for what a monitor does before a try and after it, such as reading a large program */

static struct {
	int signals; /* signalfd(2) */
	int signal;  /* that has arrived; 0: none */
	double time_s;
	struct timespec began;
	const char *file; /* of --stop-file, or NULL */
	bool by_file;     /* it was there */
} stop;

void search_stop_begin(double time_s, const char *file, bool takes_usr1, sigset_t *mask)
{
	sigset_t signals;
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	if (takes_usr1) {
		signal(SIGUSR1, SIG_DFL); /* one that is ignored does not arrive */
		sigaddset(&signals, SIGUSR1);
	}
	sigprocmask(SIG_BLOCK, &signals, mask);
	stop.signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	if (stop.signals < 0)
		die("search: cannot wait for signals: %s", strerror(errno));
	stop.time_s = time_s;
	stop.file = file;
	clock_gettime(CLOCK_MONOTONIC, &stop.began);
}

void search_stop_forget_time(void)
{
	stop.time_s = 0;
	stop.file = NULL;
}

bool search_stop_by_file(void)
{
	return stop.by_file;
}

void search_stop_make_file(void)
{
	if (!stop.file || stop.by_file)
		return;
	const int fd = open(stop.file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
	if (fd < 0)
		say("search: cannot make the file of --stop-file, %s: %s; other shards go on", stop.file,
		    strerror(errno));
	else
		close(fd);
	stop.by_file = true;
}

/* Whether the file is there, or was. */
static bool is_file_there(void)
{
	if (stop.file && !stop.by_file)
		stop.by_file = !access(stop.file, F_OK);
	return stop.file && stop.by_file;
}

int search_stop_signal(void)
{
	struct signalfd_siginfo info;
	while (!stop.signal && read(stop.signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			stop.signal = (int)info.ssi_signo;
	return stop.signal;
}

static double seconds_since(const struct timespec *from)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - from->tv_sec) + (double)(now.tv_nsec - from->tv_nsec) / 1e9;
}

/* Seconds that are left of the time. */
static double left(void)
{
	return stop.time_s - seconds_since(&stop.began);
}

bool search_stop_is_due(void)
{
	return search_stop_signal() || (stop.time_s > 0 && left() <= 0) || is_file_there();
}

int search_stop_fd(void)
{
	return stop.signals;
}

int search_stop_wait_ms(void)
{
	const double ms = stop.time_s > 0 ? left() * 1000 + 1 : WAIT_MS;
	return ms < 0 ? 0 : ms < WAIT_MS ? (int)ms : WAIT_MS;
}

void search_stop_wait(void)
{
	struct pollfd polled = {.fd = stop.signals, .events = POLLIN};
	if (poll(&polled, 1, search_stop_wait_ms()) < 0 && errno != EINTR)
		die("search: cannot wait for signals: %s", strerror(errno));
}

void search_stop_limit(const struct search_slot *slot, const struct search_option *option)
{
	if (seconds_since(&slot->began) > 2 * option->timeout_s + PREPARE_S)
		kill(slot->child, SIGKILL);
}

bool search_stop_wait_slot(struct search_slot *slot, const struct search_option *option)
{
	while (!search_stop_is_due()) {
		if (waitpid(slot->child, &slot->status, WNOHANG) == slot->child)
			return true;
		search_stop_wait();
		search_stop_limit(slot, option);
	}
	kill(slot->child, SIGTERM);
	search_stop_reap(slot->child, &slot->status);
	return false;
}

void search_stop_reap(pid_t child, int *status)
{
	struct pollfd polled = {.fd = pidfd_open(child, 0), .events = POLLIN};
	if (polled.fd >= 0 && !poll(&polled, 1, REAP_MS))
		kill(child, SIGKILL);
	if (polled.fd >= 0)
		close(polled.fd);
	while (waitpid(child, status, 0) < 0 && errno == EINTR)
		;
}
