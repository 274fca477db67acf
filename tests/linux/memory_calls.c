/* SPDX-License-Identifier: MIT */
/* Random memory calls in pages around the break: what each says, and what can be read and written afterwards. Between
 * calls the pages behind the break are asked for, so that what is mapped ahead for the heap is not there. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define PAGES 160U
#define FILE_PAGES 64U
#define SEEDS 10
#define CALLS 100

static uint64_t state;
static volatile unsigned char *window;
static char *heap;
static int file;
static sigjmp_buf back;

static unsigned any(unsigned below)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(state >> 33) % below;
}

static void caught(int number)
{
	siglongjmp(back, number);
}

/* A page's first byte, or which signal reading it is; above that whether it can be written to. */
static unsigned look(unsigned page)
{
	volatile unsigned char *at = window + page * PAGE;
	int number = sigsetjmp(back, 1);
	if (number)
		return 0x1000 + (unsigned)number;
	volatile unsigned value = *at;
	if (sigsetjmp(back, 1))
		return value;
	*at = (unsigned char)value;
	return value | 0x100;
}

static uint64_t look_at_all(void)
{
	uint64_t sum = 0;
	madvise((void *)window, PAGES * PAGE, MADV_NORMAL); /* of pages that are not the heap's */
	for (unsigned i = 0; i < PAGES; i++)
		sum = (sum ^ look(i)) * 1099511628211UL;
	return sum;
}

static long map(void *at, unsigned pages, int prot)
{
	static const int hows[] = {MAP_FIXED, MAP_FIXED, MAP_FIXED_NOREPLACE};
	int how = hows[any(3)];
	if (any(2))
		return (long)mmap(at, pages * PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);
	return (long)mmap(at, pages * PAGE, prot, (any(2) ? MAP_SHARED : MAP_PRIVATE) | how, file,
	                  (off_t)(any(FILE_PAGES) * PAGE));
}

static long set_break(void)
{
	char *to = heap + any(PAGES) * PAGE + (any(2) ? any(PAGE) : 0);
	if (!any(8))
		to = heap + any(2000) * PAGE;
	return syscall(SYS_brk, to) - (long)heap;
}

static long write_to(unsigned first, unsigned pages)
{
	long count = 0;
	for (unsigned i = first; i < first + pages; i++) {
		if ((look(i) & 0x1100) != 0x100)
			continue;
		window[i * PAGE] = (unsigned char)any(256);
		count++;
	}
	return count;
}

/* What a child finds, and what it changes is its own unless the file is. */
static long child(void)
{
	int status;
	fflush(stdout);
	pid_t pid = fork();
	if (!pid) {
		uint64_t sum = look_at_all();
		write_to(0, PAGES);
		_exit((int)(sum % 251));
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static long call(void)
{
	static const int prots[] = {PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
	unsigned first = any(PAGES), pages = 1 + any(any(4) ? 12 : 80), kind = any(10);
	void *at = (void *)(window + first * PAGE);
	int prot = prots[any(4)];
	pages = first + pages > PAGES ? PAGES - first : pages;
	switch (kind) {
	case 0:
	case 1:
	case 2: {
		long result = map(at, pages, prot);
		return result == -1 ? -1 : result - (long)at;
	}
	case 3:
	case 4:
		return munmap(at, pages * PAGE);
	case 5:
		return mprotect(at, pages * PAGE, prot);
	case 6:
		return madvise(at, pages * PAGE, MADV_DONTNEED);
	case 7:
		return set_break();
	case 8:
		return any(4) ? write_to(first, pages) : child();
	default: {
		unsigned char resident[PAGES];
		return mincore(at, pages * PAGE, resident);
	}
	}
}

int main(void)
{
	struct sigaction action = {.sa_handler = caught, .sa_flags = SA_NODEFER};
	static char output[1 << 16];
	setvbuf(stdout, output, _IOLBF, sizeof(output)); /* the heap is the test's alone */
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	heap = (char *)(((uintptr_t)sbrk(0) + PAGE - 1) & ~(PAGE - 1));
	file = memfd_create("pages", 0);
	for (unsigned i = 0; i < FILE_PAGES; i++)
		if (pwrite(file, &(char){(char)(i + 1)}, 1, (off_t)(i * PAGE)) != 1)
			return 1;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		/* The last place is behind the gigabyte in which Linux draws the heap's place: a heap before it could
		 * not grow over it. */
		void *places[] = {heap, (void *)0x13f0000000UL, (void *)0x60000000UL};
		state = seed;
		window = places[any(3)];
		munmap(heap, PAGES * PAGE);
		if (brk(heap) && sbrk(0) != heap)
			printf("%u: the break does not go back\n", seed);
		munmap((void *)window, PAGES * PAGE);
		for (unsigned i = 0; i < CALLS; i++) {
			errno = 0;
			long result = call();
			int error = result == -1 ? errno : 0;
			printf("%u %u: %ld %d %016lx\n", seed, i, result, error, (unsigned long)look_at_all());
		}
	}
	return 0;
}
