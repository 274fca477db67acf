/* SPDX-License-Identifier: MIT */
/* Random mmap, munmap, mprotect, mremap and madvise calls over 16 MiB, checked against a simple model:
 * a byte and the rights for each page. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "say.h"

#define PAGE 4096UL
#define PAGES 4096U
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)
#define STEPS 1500

static char *space;
static uint8_t model_byte[PAGES];
static int8_t model_prot[PAGES]; /* -1: not mapped */
static sigjmp_buf back;
static uint64_t seed = 12345;

static uint32_t any(uint32_t below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (uint32_t)(seed >> 33) % below;
}

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void fail(unsigned step, const char *what, unsigned page)
{
	printf("step %u: %s at page %u\n", step, what, page);
	exit(1);
}

static void check(unsigned step, unsigned page)
{
	volatile char *at = space + page * PAGE + any(PAGE);
	int readable = 1;
	if (sigsetjmp(back, 0))
		readable = 0;
	else if ((uint8_t)*at != model_byte[page] && model_prot[page] > 0)
		fail(step, "wrong contents", page);
	if (readable != (model_prot[page] > 0))
		fail(step, readable ? "readable" : "not readable", page);
	if (!readable)
		return;
	int writable = 1;
	if (sigsetjmp(back, 0))
		writable = 0;
	else
		*at = (char)model_byte[page];
	if (writable != !!(model_prot[page] & PROT_WRITE))
		fail(step, writable ? "writable" : "not writable", page);
}

static int mapped(unsigned page, unsigned count)
{
	for (unsigned i = page; i < page + count; i++)
		if (model_prot[i] < 0)
			return 0;
	return 1;
}

static void fill(unsigned page, unsigned count)
{
	for (unsigned i = page; i < page + count; i++) {
		if (model_prot[i] != (PROT_READ | PROT_WRITE))
			continue;
		model_byte[i] = (uint8_t)any(256);
		memset(space + i * PAGE, model_byte[i], PAGE);
	}
}

static void random_call(unsigned step, unsigned page, unsigned count)
{
	static const int prots[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE};
	int prot = prots[any(4)];
	char *at = space + page * PAGE;
	switch (any(5)) {
	case 0:
		if (mmap(at, count * PAGE, prot, ANON | MAP_FIXED, -1, 0) != at)
			fail(step, "mmap", page);
		memset(model_prot + page, prot, count);
		memset(model_byte + page, 0, count);
		break;
	case 1:
		if (any(2))
			return;
		if (munmap(at, count * PAGE))
			fail(step, "munmap", page);
		memset(model_prot + page, -1, count);
		break;
	case 2:
		if (!mapped(page, count))
			return;
		if (mprotect(at, count * PAGE, prot))
			fail(step, "mprotect", page);
		memset(model_prot + page, prot, count);
		break;
	case 3:
		if (!mapped(page, count))
			return;
		if (madvise(at, count * PAGE, MADV_DONTNEED))
			fail(step, "madvise", page);
		memset(model_byte + page, 0, count);
		break;
	case 4: {
		unsigned to = any(PAGES - count);
		for (unsigned i = page; i < page + count; i++)
			if (model_prot[i] != model_prot[page] || model_prot[i] < 0)
				return;
		if (to + count > page && to < page + count)
			return;
		/* Linux moves only within one mapping: make it one. */
		memset(model_prot + page, PROT_READ | PROT_WRITE, count);
		if (mmap(at, count * PAGE, PROT_READ | PROT_WRITE, ANON | MAP_FIXED, -1, 0) != at)
			fail(step, "mmap", page);
		fill(page, count);
		if (mremap(at, count * PAGE, count * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, space + to * PAGE) !=
		    space + to * PAGE)
			fail(step, "mremap", page);
		memmove(model_prot + to, model_prot + page, count);
		memmove(model_byte + to, model_byte + page, count);
		memset(model_prot + page, -1, count);
		break;
	}
	}
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
	sigaction(SIGSEGV, &action, NULL);
	char *raw = mmap(NULL, (PAGES + 512) * PAGE, PROT_NONE, ANON | MAP_NORESERVE, -1, 0);
	space = (char *)(((uintptr_t)raw + (2 << 20) - 1) & ~((2UL << 20) - 1));
	memset(model_prot, 0, sizeof(model_prot));
	for (unsigned step = 0; step < STEPS; step++) {
		unsigned count = any(8) ? 1 + any(16) : 1 + any(1200);
		unsigned page = any(PAGES - count);
		random_call(step, page, count);
		if (any(2))
			fill(page, count);
		for (int i = 0; i < 4; i++)
			check(step, any(2) ? any(PAGES) : page + any(count));
	}
	for (unsigned page = 0; page < PAGES; page++)
		check(STEPS, page);
	puts("the model agrees");
	return 0;
}
