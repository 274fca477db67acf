/* SPDX-License-Identifier: MIT */
/* Timers while nobody can run, and the end of the clock: clocks WHAT. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 1000
#define FAR_S 3000000000 /* 95 years: less than the clock runs, but not twice */

static sem_t nobody_posts;

static void block(int sig)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void start_interval_timer(void)
{
	const struct itimerval value = {{0, PERIOD_NS / 1000}, {0, PERIOD_NS / 1000}};
	setitimer(ITIMER_REAL, &value, NULL);
}

static timer_t start_timer(int sig)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = sig};
	const struct itimerspec value = {{0, PERIOD_NS}, {0, PERIOD_NS}};
	timer_t timer;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &value, NULL))
		exit(1);
	return timer;
}

static void sleep_far(void)
{
	const struct timespec far = {FAR_S, 0};
	struct timespec now;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &far, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%ld\n", (long)now.tv_sec);
	fflush(stdout);
}

/* Signals that are blocked, ignored, and for nobody, in great numbers. */
static void start_useless_timers(void)
{
	block(SIGALRM);
	start_interval_timer();
	signal(SIGUSR1, SIG_IGN);
	start_timer(SIGUSR1);
	start_timer(SIGCHLD);
	block(SIGRTMIN);
	start_timer(SIGRTMIN);
	block(SIGUSR2);
	signal(SIGUSR2, SIG_IGN);
	start_timer(SIGUSR2);
}

static void *wait_for_post(void *unused)
{
	while (sem_wait(&nobody_posts))
		;
	return unused;
}

static void useless(void)
{
	pthread_t thread;
	start_useless_timers();
	pthread_create(&thread, NULL, wait_for_post, NULL);
	sleep_far();
	wait_for_post(NULL);
}

static void ignored(void)
{
	signal(SIGALRM, SIG_IGN);
	start_interval_timer();
	wait_for_post(NULL);
}

/* What is left out of the jumps is counted all the same. */
static void overrun(void)
{
	sigset_t set;
	siginfo_t info;
	block(SIGRTMIN);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	timer_t timer = start_timer(SIGRTMIN);
	sleep(1);
	sigwaitinfo(&set, &info);
	printf("%d\n", (timer_getoverrun(timer) + 500) / 1000); /* it takes a while to start and to ask */
}

/* A thread that waits for what all block is woken. */
static void *wait_for_alarm(void *unused)
{
	sigset_t set;
	int sig;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	for (int i = 0; i < 3; i++)
		sigwait(&set, &sig);
	puts("three");
	exit(unused != NULL);
}

static void awaited(void)
{
	pthread_t thread;
	block(SIGALRM);
	start_interval_timer();
	pthread_create(&thread, NULL, wait_for_alarm, NULL);
	wait_for_post(NULL);
}

static void forever(void)
{
	for (;;)
		sleep_far();
}

/* What others wait for past the clock's end never comes, and they go on without it. */
static void *wait_too_long(void *unused)
{
	const struct timespec end = {2 * FAR_S, 0};
	struct itimerspec left = {{0, 0}, {0, 0}};
	const struct itimerspec value = {{__LONG_MAX__, 0}, end};
	timer_t timer;
	timer_create(CLOCK_MONOTONIC, NULL, &timer);
	timer_settime(timer, 0, &value, NULL);
	timer_gettime(timer, &left);
	printf("%ld left\n", (long)left.it_value.tv_sec);
	sem_clockwait(&nobody_posts, CLOCK_MONOTONIC, &end);
	puts("posted");
	return unused;
}

static void far(void)
{
	const struct timespec second = {1, 0};
	struct timespec now;
	pthread_t thread;
	pthread_create(&thread, NULL, wait_too_long, NULL);
	sleep_far();
	for (volatile int i = 0; i < 1000000; i++)
		;
	clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%ld\n", (long)now.tv_sec);
	sem_post(&nobody_posts);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} list[] = {
		{"useless", useless}, {"ignored", ignored}, {"overrun", overrun},
		{"awaited", awaited}, {"forever", forever}, {"far", far},
	};
	sem_init(&nobody_posts, 0, 0);
	for (unsigned i = 0; argc > 1 && i < sizeof(list) / sizeof(list[0]); i++) {
		if (strcmp(argv[1], list[i].name))
			continue;
		list[i].run();
		return 0;
	}
	return 2;
}
