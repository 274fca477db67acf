/* SPDX-License-Identifier: MIT */
/* What was done before a signal was sent comes before its handler. A handler of ours calls the program's. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "next.h"

NEXT(sigaction, NULL)
NEXT(kill, NULL)
NEXT(raise, NULL)
NEXT(pthread_kill, "GLIBC_2.34")
NEXT(sigqueue, NULL)
NEXT(alarm, NULL)
NEXT(setitimer, NULL)
NEXT(timer_settime, NULL)
NEXT(sigwait, NULL)

static struct sigaction handlers[NSIG];

static void handle(int number, siginfo_t *info, void *context)
{
	const struct sigaction *program = &handlers[number];
	acquire_at(SYNC_SIGNALS);
	if (program->sa_flags & SA_SIGINFO)
		program->sa_sigaction(number, info, context);
	else
		program->sa_handler(number);
}

static bool is_handler(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

EXPORT int sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old)
{
	struct sigaction ours, before = {0};
	if (number <= 0 || number >= NSIG)
		return next_sigaction()(number, action, old);
	const struct sigaction program = handlers[number];
	if (action)
		ours = *action;
	if (action && is_handler(action)) {
		handlers[number] = *action;
		ours.sa_sigaction = handle;
		ours.sa_flags |= SA_SIGINFO;
		release_at(SYNC_SIGNALS);
	}
	const int error = next_sigaction()(number, action ? &ours : NULL, &before);
	if (error)
		handlers[number] = program;
	if (!error && old) {
		*old = before;
		if (before.sa_sigaction == handle) {
			old->sa_sigaction = program.sa_sigaction;
			old->sa_flags = before.sa_flags & ~(program.sa_flags & SA_SIGINFO ? 0 : SA_SIGINFO);
		}
	}
	return error;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
	sigemptyset(&action.sa_mask);
	return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

EXPORT int kill(pid_t process, int number)
{
	release_at(SYNC_SIGNALS);
	return next_kill()(process, number);
}

EXPORT int raise(int number)
{
	release_at(SYNC_SIGNALS);
	return next_raise()(number);
}

EXPORT int pthread_kill(pthread_t thread, int number)
{
	release_at(SYNC_SIGNALS);
	return next_pthread_kill()(thread, number);
}

EXPORT int sigqueue(pid_t process, int number, const union sigval value)
{
	release_at(SYNC_SIGNALS);
	return next_sigqueue()(process, number, value);
}

EXPORT unsigned int alarm(unsigned int seconds)
{
	release_at(SYNC_SIGNALS);
	return next_alarm()(seconds);
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict old)
{
	release_at(SYNC_SIGNALS);
	return next_setitimer()(which, value, old);
}

EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict value,
                         struct itimerspec *restrict old)
{
	release_at(SYNC_SIGNALS);
	return next_timer_settime()(timer, flags, value, old);
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
	const int error = next_sigwait()(set, number);
	acquire_at(SYNC_SIGNALS);
	return error;
}

/* --- the end of the program --- */

struct at_exit {
	void (*run)(void *);
	void (*run_plain)(void);
	void *argument;
};

/* What was done before a function was named comes before it runs. */
static void run_at_exit(void *context)
{
	const struct at_exit *at_exit = context;
	acquire_at(SYNC_EXIT);
	if (at_exit->run)
		at_exit->run(at_exit->argument);
	else
		at_exit->run_plain();
}

extern void *__libc_malloc(size_t bytes);

static int add_at_exit(struct at_exit at_exit, void *library)
{
	static int (*next)(void (*run)(void *), void *argument, void *library);
	next = next ? next : (int (*)(void (*)(void *), void *, void *))tsan_next("__cxa_atexit", NULL);
	struct at_exit *kept = __libc_malloc(sizeof(*kept));
	if (!kept)
		return -1;
	*kept = at_exit;
	release_at(SYNC_EXIT);
	return next(run_at_exit, kept, library);
}

EXPORT int __cxa_atexit(void (*run)(void *), void *argument, void *library)
{
	return add_at_exit((struct at_exit){.run = run, .argument = argument}, library);
}

EXPORT int atexit(void (*run)(void))
{
	return add_at_exit((struct at_exit){.run_plain = run}, NULL);
}
