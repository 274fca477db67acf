/* SPDX-License-Identifier: MIT */
/* A signal handler begins with floating point as a program does, and what it changes there ends with it: when a call
 * delivers the signal, when a timer does between two rounds of a loop, and at a fault. */
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

static volatile int handled;
static int inside_rounding, inside_raised, inside_x87;

static const char *rounding(int mode)
{
	return mode == FE_TONEAREST  ? "to nearest"
	       : mode == FE_DOWNWARD ? "down"
	       : mode == FE_UPWARD   ? "up"
	                             : "to zero";
}

/* Eight values fit on the x87 stack when it is empty. */
static int fill_x87(void)
{
	unsigned short status;
	__asm__ volatile("fld1; fld1; fld1; fld1; fld1; fld1; fld1; fld1\n\t"
	                 "fnstsw %0\n\t"
	                 "fninit"
	                 : "=a"(status));
	return status & 0x41; /* invalid operation, stack fault */
}

static void handler(int sig, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	(void)info;
	inside_rounding = fegetround();
	inside_raised = fetestexcept(FE_ALL_EXCEPT);
	inside_x87 = fill_x87();
	fesetround(FE_TOWARDZERO);
	feraiseexcept(FE_OVERFLOW);
	if (sig == SIGILL)
		user->uc_mcontext.gregs[REG_RIP] += 2; /* behind ud2 */
	handled++;
}

static void show(const char *how)
{
	int after = fegetround();
	printf("%s: inside %s, %s, x87 %s; after %s, %s, %s\n", how, rounding(inside_rounding),
	       inside_raised ? "exceptions" : "none", inside_x87 ? "in use" : "empty", rounding(after),
	       fetestexcept(FE_DIVBYZERO) ? "division" : "no division",
	       fetestexcept(FE_OVERFLOW) ? "overflow" : "no overflow");
}

static void check(int mode)
{
	const struct itimerval soon = {.it_value = {0, 2000}};
	volatile long double sum = 0;
	double kept = 0;
	fesetround(mode);
	feraiseexcept(FE_DIVBYZERO);
	raise(SIGUSR1);
	show("call");
	pthread_kill(pthread_self(), SIGUSR1);
	show("pthread_kill");
	handled = 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	for (long i = 1; !handled; i++)
		sum += 1.0L / (long double)i;
	show("loop");
	__asm__ volatile("fld1; ud2; fstpl %0" : "=m"(kept));
	show("fault");
	printf("%g %d\n", kept, sum >= 1);
}

static void *check_in_thread(void *alarm)
{
	pthread_sigmask(SIG_UNBLOCK, alarm, NULL);
	check(FE_UPWARD);
	return NULL;
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	pthread_t thread;
	sigset_t alarm;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	check(FE_TONEAREST);
	check(FE_DOWNWARD);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL); /* the thread is to take it */
	pthread_create(&thread, NULL, check_in_thread, &alarm);
	pthread_join(thread, NULL);
	return 0;
}
