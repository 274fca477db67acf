/* SPDX-License-Identifier: MIT */
/* Signals with values: sigqueue, codes of each sender, the order of real-time signals, POSIX timers and overruns. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static volatile int handled;

static const char *code_name(int code)
{
	switch (code) {
	case SI_USER:
		return "SI_USER";
	case SI_QUEUE:
		return "SI_QUEUE";
	case SI_TIMER:
		return "SI_TIMER";
	case SI_TKILL:
		return "SI_TKILL";
	case SI_KERNEL:
		return "SI_KERNEL";
	default:
		return "other";
	}
}

static void tell(const char *how, const siginfo_t *info)
{
	printf("%s %s%d %s errno=%d", how, info->si_signo >= SIGRTMIN ? "RTMIN+" : "",
	       info->si_signo >= SIGRTMIN ? info->si_signo - SIGRTMIN : info->si_signo, code_name(info->si_code),
	       info->si_errno);
	if (info->si_code == SI_TIMER)
		printf(" overrun=%d value=%d", info->si_overrun, info->si_int);
	if (info->si_code == SI_QUEUE)
		printf(" value=%d", info->si_int);
	if (info->si_code == SI_QUEUE || info->si_code == SI_USER || info->si_code == SI_TKILL)
		printf(" self=%d uid=%d", info->si_pid == getpid(), info->si_uid == getuid());
	printf("\n");
}

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	handled++;
	tell("handler", info);
}

static union sigval value_of(int number)
{
	return (union sigval){.sival_int = number};
}

static void set_of(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGALRM);
	for (int i = 0; i < 4; i++)
		sigaddset(set, SIGRTMIN + i);
}

static void install(int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	for (int i = 0; i < 4; i++)
		sigaction(SIGRTMIN + i, &action, NULL);
}

static void senders(void)
{
	puts("senders");
	kill(getpid(), SIGUSR1);
	raise(SIGUSR1);
	SAY(sigqueue(getpid(), SIGUSR1, value_of(7)));
	SAY(sigqueue(getpid(), SIGRTMIN + 1, value_of(-8)));
	union sigval pointer = {.sival_ptr = (void *)0x123456789abcdefUL};
	sigset_t set, old;
	siginfo_t info;
	set_of(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	sigqueue(getpid(), SIGRTMIN, pointer);
	SAY_TRUE(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_ptr == pointer.sival_ptr);
	sigprocmask(SIG_SETMASK, &old, NULL);
	SAY(sigqueue(getpid(), 0, value_of(1)));
	SAY(sigqueue(getpid(), 65, value_of(1)));
	SAY(sigqueue(getpid(), -1, value_of(1)));
	SAY(sigqueue(99999999, SIGUSR1, value_of(1)));
	alarm(1);
	pause();
}

static void send_some(void)
{
	for (int i = 0; i < 3; i++) {
		sigqueue(getpid(), SIGRTMIN + 2, value_of(20 + i));
		sigqueue(getpid(), SIGUSR1, value_of(i));
		sigqueue(getpid(), SIGRTMIN, value_of(i));
	}
	kill(getpid(), SIGRTMIN);
	kill(getpid(), SIGUSR1);
	sigqueue(getpid(), SIGRTMIN, value_of(9));
}

static void order(void)
{
	sigset_t set, old, pending;
	siginfo_t info;
	struct timespec none = {0, 0};
	set_of(&set);
	puts("taken in order");
	sigprocmask(SIG_BLOCK, &set, &old);
	send_some();
	while (sigtimedwait(&set, &info, &none) > 0)
		tell("taken", &info);
	sigpending(&pending);
	SAY_TRUE(!sigismember(&pending, SIGRTMIN) && !sigismember(&pending, SIGUSR1));
	puts("handled in order");
	send_some();
	sigprocmask(SIG_SETMASK, &old, NULL);
	puts("ignoring forgets them");
	sigprocmask(SIG_BLOCK, &set, &old);
	send_some();
	signal(SIGRTMIN, SIG_IGN);
	install(0);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void arm(timer_t timer, long first_ns, long interval_ns)
{
	struct itimerspec value = {{interval_ns / 1000000000, interval_ns % 1000000000},
	                           {first_ns / 1000000000, first_ns % 1000000000}};
	if (timer_settime(timer, 0, &value, NULL))
		perror("timer_settime");
}

static void nap(long ns)
{
	struct timespec left = {ns / 1000000000, ns % 1000000000};
	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

#define MS 1000000L

static void timers(void)
{
	timer_t timer, other;
	struct itimerspec value;
	struct sigevent event = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1, .sigev_value = value_of(42)};
	puts("timers");
	SAY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	arm(timer, 10 * MS, 0);
	timer_gettime(timer, &value);
	SAY_TRUE(value.it_value.tv_sec == 0 && value.it_value.tv_nsec > 0 && value.it_value.tv_nsec <= 10 * MS);
	pause();
	timer_gettime(timer, &value);
	SAY_TRUE(value.it_value.tv_sec == 0 && value.it_value.tv_nsec == 0);
	SAY(timer_getoverrun(timer));

	puts("two at once, one for a standard signal");
	event.sigev_signo = SIGALRM;
	event.sigev_value.sival_int = 43;
	SAY(timer_create(CLOCK_REALTIME, &event, &other));
	arm(other, 60 * MS, 0);
	arm(timer, 30 * MS, 0);
	handled = 0;
	while (handled < 2)
		pause();

	puts("overruns");
	sigset_t set, old;
	siginfo_t info;
	set_of(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	arm(timer, 100 * MS, 100 * MS);
	nap(550 * MS);
	sigwaitinfo(&set, &info);
	tell("taken", &info);
	SAY(timer_getoverrun(timer));
	timer_gettime(timer, &value);
	SAY_TRUE(value.it_interval.tv_nsec == 100 * MS && value.it_value.tv_nsec <= 50 * MS);
	sigwaitinfo(&set, &info);
	tell("taken", &info);
	arm(timer, 0, 0);

	puts("a moment, also in the past");
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	value = (struct itimerspec){{0, 0}, {now.tv_sec - 5, now.tv_nsec}};
	SAY(timer_settime(other, TIMER_ABSTIME, &value, NULL));
	sigwaitinfo(&set, &info);
	tell("taken", &info);
	clock_gettime(CLOCK_REALTIME, &now);
	value = (struct itimerspec){{0, 0}, {now.tv_sec + 1, now.tv_nsec}};
	SAY(timer_settime(other, TIMER_ABSTIME, &value, NULL));
	sigwaitinfo(&set, &info);
	tell("taken", &info);
	sigprocmask(SIG_SETMASK, &old, NULL);
	SAY(timer_delete(other));
	SAY(timer_delete(timer));
}

static void without_event(void)
{
	timer_t timer;
	struct itimerspec value, old = {{0, 0}, {0, 0}};
	struct sigevent event = {.sigev_notify = SIGEV_NONE};
	puts("defaults, no signal, and errors");
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t set, mask;
	siginfo_t info;
	set_of(&set);
	sigprocmask(SIG_BLOCK, &set, &mask);
	sigaction(SIGALRM, &action, NULL);
	SAY(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	arm(timer, 2 * MS, 0);
	SAY(sigwaitinfo(&set, &info));
	SAY_TRUE(info.si_code == SI_TIMER);
	timer_delete(timer);
	sigprocmask(SIG_SETMASK, &mask, NULL);

	SAY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	arm(timer, 5 * MS, 200 * MS);
	nap(50 * MS);
	timer_gettime(timer, &value);
	SAY_TRUE(value.it_value.tv_nsec > 0 && value.it_value.tv_nsec < 160 * MS);
	value = (struct itimerspec){{0, 0}, {0, 1000000000}};
	SAY(timer_settime(timer, 0, &value, &old));
	value.it_value.tv_nsec = 1;
	SAY(timer_settime(timer, 0, &value, &old));
	SAY_TRUE(old.it_interval.tv_nsec == 200 * MS);
	timer_delete(timer);

	event = (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = 99};
	SAY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	event.sigev_signo = SIGUSR1;
	event.sigev_notify = 77;
	SAY(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SAY(timer_create((clockid_t)99, NULL, &timer));
	SAY(timer_create(CLOCK_MONOTONIC_RAW, NULL, &timer));
	SAY(timer_create(CLOCK_PROCESS_CPUTIME_ID, &(struct sigevent){.sigev_notify = SIGEV_NONE}, &timer));
	SAY(timer_delete(timer));
}

static void work_timer(void)
{
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3, .sigev_value = value_of(1)};
	puts("a timer of work done");
	handled = 0;
	timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
	arm(timer, 3 * MS, 0);
	while (!handled)
		getppid();
	timer_delete(timer);
}

int main(void)
{
	SAY_TRUE(sysconf(_SC_SIGQUEUE_MAX) >= _POSIX_SIGQUEUE_MAX);
	install(0);
	senders();
	order();
	timers();
	without_event();
	work_timer();
	return 0;
}
