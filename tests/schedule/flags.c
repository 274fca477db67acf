/* SPDX-License-Identifier: MIT */
/* A program that keeps the flags it finds, where they could tell what is left of the countdown of ticks: in the frames
 * of faults directly behind a check, of signals that come at a check, and by pushf. `end`: it ends by such a fault. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#define THREADS 4
#define ROUNDS 300
#define STORE_BYTES 3

static char *closed; /* a page that nobody may write to */
static uint64_t at_faults[THREADS][ROUNDS], at_checks[THREADS][ROUNDS], at_signals[ROUNDS];
static __thread uint64_t *kept;
static unsigned signals;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	(void)sig;
	(void)info;
	*kept = (uint64_t)registers[REG_EFL];
	registers[REG_RIP] += STORE_BYTES;
}

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	at_signals[signals++ % ROUNDS] = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL];
}

/* The first instruction of a round, behind the check. */
static inline __attribute__((always_inline)) void store(void)
{
	__asm__ volatile("movb $0, (%%rax)" : : "a"(closed) : "memory");
}

static void *run(void *number)
{
	uint64_t *faults = at_faults[(intptr_t)number], *checks = at_checks[(intptr_t)number];
	for (kept = faults; kept < faults + ROUNDS; kept++)
		store();
	for (uint64_t *to = checks; to < checks + ROUNDS; to++)
		__asm__ volatile("pushf; pop %0" : "=m"(*to));
	return NULL;
}

int main(int argc, char **argv)
{
	const struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	const struct sigaction alarm = {.sa_sigaction = on_alarm, .sa_flags = SA_SIGINFO | SA_RESTART};
	const struct itimerval often = {{0, 1}, {0, 1}}, never = {{0, 0}, {0, 0}};
	pthread_t threads[THREADS];
	closed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGALRM, &alarm, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (intptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("signals: %s\n", signals > 0 ? "some" : "none");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "end")) {
		signal(SIGSEGV, SIG_DFL);
		for (int i = 0; i < 1000; i++)
			if (i == 999)
				store();
	}
	return 0;
}
