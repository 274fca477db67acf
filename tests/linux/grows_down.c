/* SPDX-License-Identifier: MIT */
/* MAP_GROWSDOWN: what it goes with, how far a mapping grows, its guard, and what is placed below it. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096UL
#define MIB 0x100000UL
#define ROOM (64 * MIB)
#define GUARD MIB

static char *room; /* an unmapped range */

/* Maps some pages that grow down, at an offset in the room. */
static char *grower(unsigned long offset, unsigned long bytes)
{
	char *at = mmap(room + offset, bytes, PROT_READ | PROT_WRITE,
	                MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
	assert(at == room + offset);
	return at;
}

/* The signal that ends a child which stores at an address. */
static int store(volatile char *at)
{
	int status;
	if (!fork()) {
		*at = 1;
		_exit(*at - 1);
	}
	wait(&status);
	return WTERMSIG(status);
}

static void growth(void)
{
	char *at = grower(32 * MIB, PAGE);
	SAY(store(at - 1));
	SAY(store(at - 2 * MIB));
	SAY(store(at - 7 * MIB));
	SAY(store(at - 9 * MIB)); /* beyond RLIMIT_STACK */
	SAY(store(at + PAGE));
	at[-5 * (long)MIB] = 1;
	SAY_TRUE(!at[-3 * (long)MIB]);
	SAY(munmap(at - 4 * MIB, MIB)); /* a hole, which the lower part does not fill, but the upper does */
	SAY(store(at - 3 * MIB - 1));
	SAY(mprotect(at - 4 * MIB - PAGE, PAGE, PROT_READ | PROT_GROWSDOWN));
	SAY(store(at - 5 * MIB));
	SAY(munmap(room, ROOM));
}

static void guard(void)
{
	char *at = grower(32 * MIB, PAGE);
	SAY(mmap(room + 30 * MIB, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == room + 30 * MIB);
	SAY(store(room + 30 * MIB + PAGE + GUARD));
	SAY(store(room + 30 * MIB + PAGE + GUARD - 1));
	SAY(store(room + 30 * MIB + PAGE));
	SAY(mprotect(room + 30 * MIB, PAGE, PROT_NONE)); /* without rights it needs no guard */
	SAY(store(room + 30 * MIB + PAGE));
	SAY(store(at - 1));
	SAY_TRUE(mmap(room + 31 * MIB + PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	         room + 31 * MIB + PAGE); /* in the guard */
	SAY_TRUE(mmap(room + 31 * MIB - PAGE, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
	         room + 31 * MIB - PAGE);
	SAY(munmap(room, ROOM));
}

static void flags(void)
{
	static const int shared = MAP_SHARED | MAP_ANONYMOUS | MAP_GROWSDOWN;
	SAY(mmap(NULL, PAGE, PROT_READ, shared, -1, 0) == MAP_FAILED && errno == EINVAL);
	SAY(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_GROWSDOWN, 0, 0) == MAP_FAILED);
	char *at = grower(32 * MIB, 2 * PAGE);
	SAY(munmap(at, PAGE));
	SAY(store(at));
	SAY(madvise(at + PAGE, PAGE, MADV_DONTFORK));
	SAY(munmap(room, ROOM));
}

/* The kernel's stores extend it, too. */
static void by_kernel(void)
{
	int ends[2];
	char *at = grower(32 * MIB, PAGE);
	assert(!pipe(ends) && write(ends[1], "0123456789a", 11) == 11);
	SAY(read(ends[0], at - 5, 3));
	SAY(at[-5] == '0' && at[-3] == '2');
	SAY(read(ends[0], at - 3 * MIB - 1, 7));
	SAY(at[-3 * (long)MIB] == '4');
	SAY(read(ends[0], at - 20 * MIB, 1));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	assert(!setrlimit(RLIMIT_STACK, &(struct rlimit){8 * MIB, RLIM_INFINITY}) ||
	       !setrlimit(RLIMIT_STACK, &(struct rlimit){8 * MIB, 8 * MIB}));
	room = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert(room != MAP_FAILED && !munmap(room, ROOM));
	growth();
	guard();
	flags();
	by_kernel();
	return 0;
}
