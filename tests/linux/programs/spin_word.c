/* SPDX-License-Identifier: MIT */
/* Programs that compute without end in a loop that is no known wait, while others can run, sleep, or wait for them;
 * that wait without end in a known loop; and that do nothing but handle signals. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A generator of full period: registers never return to an earlier state, and no condition reads memory. */
__attribute__((noinline)) static void compute(void)
{
	uint64_t value = 1;
	do {
		value = value * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("" : "+r"(value));
	} while (value != 1);
}

static volatile int stop;
static volatile long counted;

/* Found before it runs: one of its instructions is a decision point. */
__attribute__((noinline)) static void wait_counting(void)
{
	while (!stop)
		counted++;
}

static void handle(int signal)
{
	(void)signal;
}

/* A timer that expires again before its handler has returned. */
static void handle_timer(void)
{
	const struct itimerval often = {{0, 1}, {0, 1}};
	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	wait_counting();
}

/* The same generator with a store. */
static uint64_t stored;
__attribute__((noinline)) static void compute_and_store(void)
{
	uint64_t value = 1;
	do {
		value = value * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("mov %0, %1" : "+r"(value), "=m"(stored));
	} while (value != 1);
}

/* inc %rax; jmp -5 */
static void compute_in_made_code(void)
{
	static const uint8_t code[] = {0x48, 0xff, 0xc0, 0xeb, 0xfb};
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(at, code, sizeof(code));
	((void (*)(void))at)();
}

static void *nothing(void *argument)
{
	return argument;
}

static void *sleep_long(void *argument)
{
	sleep(100000000);
	return argument;
}

static void *wait_thread(void *argument)
{
	wait_counting();
	return argument;
}

static void *compute_thread(void *argument)
{
	compute();
	return argument;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;
	if (!strcmp(what, "thread") || !strcmp(what, "made") || !strcmp(what, "store"))
		pthread_create(&thread, NULL, nothing, NULL);
	if (!strcmp(what, "process") && !fork())
		return 0;
	if (!strcmp(what, "child") && fork()) {
		wait(NULL);
		return 0;
	}
	if (!strcmp(what, "sleeper") || !strcmp(what, "waits") || !strcmp(what, "pauses")) {
		pthread_create(&thread, NULL, sleep_long, NULL);
		usleep(1000);
	}
	if (!strcmp(what, "several"))
		pthread_create(&thread, NULL, wait_thread, NULL);
	if (!strcmp(what, "joined") || !strcmp(what, "waited")) {
		pthread_create(&thread, NULL, *what == 'j' ? compute_thread : wait_thread, NULL);
		pthread_join(thread, NULL);
	}
	if (!strcmp(what, "made"))
		compute_in_made_code();
	if (!strcmp(what, "store"))
		compute_and_store();
	if (!strcmp(what, "waits") || !strcmp(what, "several") || !strcmp(what, "waited"))
		wait_counting();
	if (!strcmp(what, "pauses"))
		while (!stop)
			__builtin_ia32_pause();
	if (!strcmp(what, "handler"))
		handle_timer();
	compute();
	return 0;
}
