/* SPDX-License-Identifier: MIT */
/* Programs that compute without end in a loop that is no known wait, while others can run, sleep, or wait for them. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
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
	sleep(1000);
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
	if (!strcmp(what, "thread") || !strcmp(what, "made"))
		pthread_create(&thread, NULL, nothing, NULL);
	if (!strcmp(what, "process") && !fork())
		return 0;
	if (!strcmp(what, "child") && fork()) {
		wait(NULL);
		return 0;
	}
	if (!strcmp(what, "sleeper")) {
		pthread_create(&thread, NULL, sleep_long, NULL);
		usleep(1000);
	}
	if (!strcmp(what, "joined")) {
		pthread_create(&thread, NULL, compute_thread, NULL);
		pthread_join(thread, NULL);
	}
	if (!strcmp(what, "made"))
		compute_in_made_code();
	compute();
	return 0;
}
