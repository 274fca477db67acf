/* SPDX-License-Identifier: MIT */
/* Signals for threads that wait for them: each gets its own, also one that is ignored when nobody waits, and what a
 * thread did not take is left to the next. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "say.h"
#include "waiter.h"

struct wait {
	int first, second; /* signals; 0: none */
	int timeout_ms;    /* -1: none */
	int result, error;
	int code, value;
};

static volatile sig_atomic_t handled;
static int sleep_error;

static void on_signal(int sig)
{
	handled = sig;
}

static sigset_t set_of(int first, int second)
{
	sigset_t set;
	sigemptyset(&set);
	if (first)
		sigaddset(&set, first);
	if (second)
		sigaddset(&set, second);
	return set;
}

static void wait_for(void *argument)
{
	struct wait *wait = argument;
	sigset_t set = set_of(wait->first, wait->second);
	struct timespec timeout = {wait->timeout_ms / 1000, wait->timeout_ms % 1000 * 1000000L};
	siginfo_t info = {0};
	wait->result = sigtimedwait(&set, &info, wait->timeout_ms < 0 ? NULL : &timeout);
	wait->error = errno;
	wait->code = info.si_code;
	wait->value = info.si_value.sival_int;
}

static void tell(const char *what, const struct wait *wait)
{
	printf("%s: %d %s, code %d, value %d\n", what, wait->result, wait->result < 0 ? errno_name(wait->error) : "",
	       wait->code, wait->value);
}

static void one_each(void)
{
	struct wait usr = {.first = SIGUSR1, .timeout_ms = -1}, urgent = {.first = SIGURG, .timeout_ms = -1},
		    queued = {.first = SIGRTMIN, .timeout_ms = -1};
	struct waiter threads[3];
	waiter_start(&threads[0], wait_for, &usr);
	waiter_start(&threads[1], wait_for, &urgent);
	waiter_start(&threads[2], wait_for, &queued);
	SAY(kill(getpid(), SIGURG)); /* ignored by default, but blocked and waited for */
	waiter_join(&threads[1]);
	tell("SIGURG", &urgent);
	union sigval value = {.sival_int = 42};
	SAY(sigqueue(getpid(), SIGRTMIN, value));
	waiter_join(&threads[2]);
	tell("SIGRTMIN", &queued);
	SAY(pthread_kill(threads[0].thread, SIGUSR1));
	waiter_join(&threads[0]);
	tell("SIGUSR1", &usr);
}

/* Two that come while a thread waits for either: it takes one, and the other is for the next that asks. */
static void both_at_once(void)
{
	struct wait either = {.first = SIGUSR1, .second = SIGUSR2, .timeout_ms = -1};
	struct wait rest = {.first = SIGUSR1, .second = SIGUSR2, .timeout_ms = 0};
	struct waiter thread;
	waiter_start(&thread, wait_for, &either);
	kill(getpid(), SIGUSR2);
	kill(getpid(), SIGUSR1);
	waiter_join(&thread);
	wait_for(&rest);
	SAY_TRUE(either.result + rest.result == SIGUSR1 + SIGUSR2);
	SAY_TRUE(either.result != rest.result);
	wait_for(&rest);
	tell("nothing left", &rest);
}

/* A handler of another signal ends the wait. */
static void interrupted(void)
{
	struct wait usr = {.first = SIGUSR1, .timeout_ms = -1};
	struct sigaction action = {.sa_handler = on_signal};
	struct waiter thread;
	sigaction(SIGHUP, &action, NULL);
	waiter_start(&thread, wait_for, &usr);
	SAY(pthread_kill(thread.thread, SIGHUP));
	waiter_join(&thread);
	tell("interrupted", &usr);
	printf("handled %d\n", (int)handled);
}

static void sleep_a_day(void *left)
{
	struct timespec day = {86400, 0};
	sleep_error = nanosleep(&day, left) ? errno : 0;
}

static void sleeper(void)
{
	struct timespec left = {0, 0};
	struct waiter thread;
	waiter_start(&thread, sleep_a_day, &left);
	SAY(pthread_kill(thread.thread, SIGHUP));
	waiter_join(&thread);
	printf("nanosleep %s\n", errno_name(sleep_error));
	SAY_TRUE(left.tv_sec > 86000 && left.tv_sec <= 86400);
}

int main(void)
{
	sigset_t blocked = set_of(SIGUSR1, SIGUSR2);
	sigaddset(&blocked, SIGURG);
	sigaddset(&blocked, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	one_each();
	both_at_once();
	interrupted();
	sleeper();
	return 0;
}
