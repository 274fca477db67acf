/* SPDX-License-Identifier: MIT */
/* Arguments that nobody is likely to give, and what Linux makes of them: counts of 0, unknown flags, lengths without
 * end, names with characters that files of /proc escape, and threads without a stack. */
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define WAITERS 3

/* A timer that is not set keeps its interval, but the one of real time. */
static void timers(void)
{
	static const struct itimerval interval = {.it_interval = {5, 0}}, both = {{5, 0}, {100, 0}};
	for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
		struct itimerval now;
		assert(!setitimer(which, &both, NULL));
		assert(!setitimer(which, &interval, &now));
		printf("timer %d: %ld, ", which, (long)now.it_interval.tv_sec);
		assert(!getitimer(which, &now));
		printf("%ld %ld\n", (long)now.it_value.tv_sec, (long)now.it_interval.tv_sec);
	}
}

/* As the kernel has it. */
struct action {
	uint64_t handler, flags, restorer, mask;
};

static void actions(void)
{
	static const uint64_t flags[] = {0x7ffffffb, 0x7bfffffb, 0x400, 0x800, 0x04000000, UINT32_MAX, UINT64_MAX};
	for (unsigned i = 0; i < COUNT(flags); i++) {
		const struct action wanted = {(uint64_t)SIG_IGN, flags[i], 0x1234, UINT64_MAX};
		struct action now;
		assert(!syscall(SYS_rt_sigaction, SIGUSR1, &wanted, NULL, 8));
		assert(!syscall(SYS_rt_sigaction, SIGUSR1, NULL, &now, 8));
		printf("action %lx: %lx, %lx, %lx\n", flags[i], now.flags, now.restorer, now.mask);
	}
}

static uint32_t words[2];

static void *wait_for(void *word)
{
	while (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL))
		;
	return NULL;
}

/* How many wait: as many as would be moved to where they are. */
static long waiting(int i)
{
	return syscall(SYS_futex, &words[i], FUTEX_REQUEUE_PRIVATE, 0, 100L, &words[i]);
}

/* Has threads wait for both words, makes a call, and tells how many still do. */
static void wake(const char *name, int operation, int most, int most2, unsigned told)
{
	pthread_t threads[2 * WAITERS];
	for (int i = 0; i < 2 * WAITERS; i++)
		assert(!pthread_create(&threads[i], NULL, wait_for, &words[i & 1]));
	while (waiting(0) < WAITERS || waiting(1) < WAITERS)
		usleep(1000);
	long result = syscall(SYS_futex, &words[0], operation, most, (long)most2, &words[1], told);
	printf("%s %d %d: %ld, %ld and %ld wait\n", name, most, most2, result, waiting(0), waiting(1));
	for (int i = 0; i < 2; i++)
		assert(syscall(SYS_futex, &words[i], FUTEX_WAKE_PRIVATE, 100) >= 0);
	for (int i = 0; i < 2 * WAITERS; i++)
		assert(!pthread_join(threads[i], NULL));
}

static void wakes(void)
{
	static const int most[] = {0, -1, INT32_MIN, 2};
	const unsigned both = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 0);
	const unsigned one = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, 1);
	for (unsigned i = 0; i < COUNT(most); i++) {
		wake("wake", FUTEX_WAKE_PRIVATE, most[i], 0, 0);
		wake("wake by bits", FUTEX_WAKE_BITSET_PRIVATE, most[i], 0, 1);
		wake("wake of both", FUTEX_WAKE_OP_PRIVATE, most[i], most[i], both);
		wake("wake of one", FUTEX_WAKE_OP_PRIVATE, most[i], most[i], one);
	}
	wake("requeue", FUTEX_REQUEUE_PRIVATE, 0, 0, 0);
	wake("requeue", FUTEX_REQUEUE_PRIVATE, 0, 1, 0);
	wake("requeue", FUTEX_REQUEUE_PRIVATE, 1, 0, 0);
}

/* What a file says up to a text, or as much as there is. */
static void tell(const char *path, const char *end)
{
	char text[4096] = "";
	int fd = open(path, O_RDONLY);
	assert(fd >= 0 && read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	char *at = end ? strstr(text, end) : NULL;
	printf("%s: %s\n", path, at ? (*at = 0, text) : text);
}

static void names(void)
{
	static const char *const all[] = {"a\nb", "a\\b", "a\tb\r", "\\n\n", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"};
	for (unsigned i = 0; i < COUNT(all); i++) {
		assert(!prctl(PR_SET_NAME, all[i]));
		tell("/proc/self/status", "\nUmask");
		tell("/proc/thread-self/status", "\nUmask");
		tell("/proc/self/comm", NULL);
	}
}

/* A pipe may hold less than any length, a file not more than there are numbers for. */
static void splices(void)
{
	static const size_t lengths[] = {SIZE_MAX, INT64_MAX + 1UL, INT64_MAX, INT64_MAX - 2, INT64_MAX - 3, 1UL << 32};
	int in[2], out[2], file = memfd_create("file", 0);
	assert(!pipe2(in, O_NONBLOCK) && !pipe2(out, O_NONBLOCK) && file >= 0);
	for (unsigned i = 0; i < COUNT(lengths); i++) {
		const size_t length = lengths[i];
		off64_t at = 3;
		printf("length %zx\n", length);
		SAY(splice(in[0], NULL, out[1], NULL, length, 0));
		SAY(tee(in[0], out[1], length, 0));
		SAY(splice(in[0], NULL, file, NULL, length, 0));
		SAY(splice(in[0], NULL, file, &at, length, 0));
		SAY(splice(99, NULL, file, NULL, length, 0));
		SAY(splice(in[1], NULL, file, NULL, length, 0));
		SAY(splice(file, NULL, file, NULL, length, 0));
	}
	int event = eventfd(3, EFD_NONBLOCK);
	assert(event >= 0 && write(in[1], "12345678", 8) == 8);
	SAY(splice(event, NULL, out[1], NULL, 8, 0));
	SAY(splice(in[0], NULL, event, NULL, 8, 0));
}

/* A thread without a stack of its own runs on its creator's, and here it only ends. */
static void threads(void)
{
	static volatile int number;
	const uint64_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
	const uint64_t flags[] = {thread, thread & ~CLONE_SIGHAND, thread & ~CLONE_VM};
	for (unsigned i = 0; i < COUNT(flags); i++) {
		register volatile int *clear __asm__("r10") = &number;
		register uint64_t tls __asm__("r8") = 0;
		long result;
		number = 1;
		__asm__ volatile("syscall\n\t"
		                 "test %%eax, %%eax\n\t"
		                 "jnz 1f\n\t"
		                 "mov %[exit], %%eax\n\t"
		                 "xor %%edi, %%edi\n\t"
		                 "syscall\n"
		                 "1:"
		                 : "=a"(result)
		                 : "a"(SYS_clone), "D"(flags[i] | CLONE_CHILD_CLEARTID), "S"(0), "d"(0), "r"(clear),
		                   "r"(tls), [exit] "i"(SYS_exit)
		                 : "rcx", "r11", "memory");
		while (result > 0 && number)
			usleep(1000);
		printf("thread: %s\n", result > 0 ? "ended" : errno_name((int)-result));
	}
}

int main(void)
{
	for (unsigned flags = 0; flags <= 8; flags++) {
		char byte;
		printf("%u: ", flags);
		SAY(syscall(SYS_getrandom, &byte, 1, flags));
	}
	timers();
	actions();
	wakes();
	names();
	splices();
	threads();
	return 0;
}
