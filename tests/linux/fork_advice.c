/* SPDX-License-Identifier: MIT */
/* Memory that a child shall have empty, or not at all (madvise(2), MADV_WIPEONFORK and MADV_DONTFORK): single pages of
 * large ones, what is cut from them and joined again, in children of children, and taken back. */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define PAGES 1024UL /* two large ones, and more */

static char *memory;

static int is_mapped(char *page)
{
	unsigned char there;
	return !mincore(page, PAGE, &there);
}

/* What is in every 16th page: its number, 0, or nothing at all. */
static void show(const char *who)
{
	printf("%s:", who);
	for (unsigned long i = 0; i < PAGES; i += 16) {
		char *page = memory + i * PAGE;
		if (!is_mapped(page))
			printf(" -");
		else
			printf(" %d", *(unsigned char *)page);
	}
	printf("\n");
	fflush(stdout);
}

static void in_child(const char *who, int generations)
{
	int status;
	fflush(stdout);
	if (!fork()) {
		show(who);
		if (generations > 1) {
			for (unsigned long i = 0; i < PAGES; i += 16)
				if (is_mapped(memory + i * PAGE))
					memory[i * PAGE] = (char)(i / 16 + 100);
			in_child("its child", generations - 1);
		}
		_exit(0);
	}
	assert(wait(&status) > 0 && !status);
}

static void advise(unsigned long from, unsigned long to, int advice)
{
	assert(!madvise(memory + from * PAGE, (to - from) * PAGE, advice));
}

/* What is said of a mapping holds for what it grows by, and for where it goes. */
static void moved(void)
{
	const unsigned long half = 256;
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *other = mmap(NULL, PAGES * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at = memory;
	assert(memory != MAP_FAILED && other != MAP_FAILED);
	assert(!munmap(memory + half * PAGE, (PAGES - half) * PAGE));
	advise(0, half, MADV_DONTFORK);
	assert(mremap(memory, half * PAGE, PAGES / 2 * PAGE, 0) == memory);
	in_child("grown where it was", 1);
	memory = mremap(at, PAGES / 2 * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, other);
	assert(memory == other);
	in_child("moved and grown", 1);
	advise(0, PAGES, MADV_DOFORK);
	advise(0, PAGES, MADV_WIPEONFORK);
	assert(!munmap(memory + half * PAGE, (PAGES - half) * PAGE));
	memory = mremap(memory, half * PAGE, PAGES * PAGE, MREMAP_MAYMOVE);
	assert(memory != MAP_FAILED);
	for (unsigned long i = 0; i < PAGES; i += 16)
		memory[i * PAGE] = 1;
	in_child("empty, moved and grown", 1);
	other = mremap(memory, PAGES * PAGE, PAGES * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	assert(other != MAP_FAILED);
	for (unsigned long i = 0; i < PAGES; i += 16)
		memory[i * PAGE] = 1;
	in_child("left where it was", 1);
	memory = other;
	in_child("and moved", 1);
}

int main(void)
{
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	for (unsigned long i = 0; i < PAGES; i += 16)
		memory[i * PAGE] = (char)(i / 16 + 1);
	in_child("nothing said", 1);
	advise(16, 17, MADV_WIPEONFORK);
	advise(160, 400, MADV_WIPEONFORK);
	advise(480, 481, MADV_DONTFORK);
	advise(700, 900, MADV_DONTFORK);
	in_child("some", 2);
	show("itself");
	assert(!mprotect(memory + 300 * PAGE, PAGE, PROT_READ));
	advise(160, 200, MADV_KEEPONFORK);
	advise(700, 800, MADV_DOFORK);
	advise(380, 500, MADV_WIPEONFORK);
	in_child("some of them", 1);
	advise(0, PAGES, MADV_KEEPONFORK);
	advise(0, PAGES, MADV_DOFORK);
	in_child("none", 1);
	moved();
	/* Of files there is no wiping. */
	char *shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	errno = 0;
	printf("%d", madvise(shared, PAGE, MADV_WIPEONFORK));
	printf(" %s\n", strerrorname_np(errno));
	assert(!madvise(shared, PAGE, MADV_DONTFORK));
	memory = shared;
	fflush(stdout);
	if (!fork())
		_exit(is_mapped(shared));
	int status;
	assert(wait(&status) > 0);
	printf("%x\n", status);
	return 0;
}
