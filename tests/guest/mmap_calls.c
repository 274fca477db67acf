/* SPDX-License-Identifier: MIT */
/* What Linux allows and refuses: addresses, flags, advice, locking, mincore, mremap's flags, limits. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

static void at_address(uintptr_t address)
{
	char *wanted = (char *)address;
	char *at = mmap(wanted, 3 * PAGE, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0);
	printf("fixed at %lx: %s\n", address, at == wanted ? "there" : errno_name(errno));
	if (at == MAP_FAILED)
		return;
	memset(at, 1, 3 * PAGE);
	SAY(munmap(at, 3 * PAGE));
	at = mmap(wanted + 100, 3 * PAGE, RW, ANON, -1, 0);
	SAY_TRUE(at == wanted);
	SAY(munmap(at, 3 * PAGE));
}

static void addresses(void)
{
	at_address(0x20000);
	at_address(0x7fff8000);
	at_address(0x100000000);
	at_address(0x3000000000);
	at_address(0x0fff00000000);
	at_address(0x200000000000);
	at_address(0x61a000000000);
	at_address(0x7a0000000000);
	char *low = mmap(NULL, 5 * PAGE, RW, ANON | MAP_32BIT, -1, 0);
	SAY_TRUE((uintptr_t)low < 1UL << 31);
	memset(low, 1, 5 * PAGE);
	SAY(munmap(low, 5 * PAGE));
	SAY_OK(mmap((void *)0x7ffffffff000, PAGE, RW, ANON | MAP_FIXED, -1, 0));
	SAY_OK(mmap((void *)-4096L, PAGE, RW, ANON | MAP_FIXED, -1, 0));
	SAY(munmap(NULL, PAGE));
	SAY(munmap((void *)0x5000, PAGE));
	SAY_OK(munmap((void *)0x7ffffffff000, PAGE));
	SAY_OK(munmap((void *)0x300000000000, 1UL << 40));
}

static void flags(void)
{
	static const struct {
		const char *name;
		int flags;
	} list[] = {
		{"GROWSDOWN", MAP_GROWSDOWN}, {"NORESERVE", MAP_NORESERVE}, {"POPULATE", MAP_POPULATE},
		{"LOCKED", MAP_LOCKED},       {"STACK", MAP_STACK},         {"HUGETLB", MAP_HUGETLB},
		{"NONBLOCK", MAP_NONBLOCK},   {"DENYWRITE", MAP_DENYWRITE},
	};
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		char *at = mmap(NULL, 3 * PAGE, RW, ANON | list[i].flags, -1, 0);
		printf("%s: %s\n", list[i].name, at == MAP_FAILED ? errno_name(errno) : "mapped");
		if (at != MAP_FAILED) {
			at[2 * PAGE] = 1;
			SAY(munmap(at, 3 * PAGE));
		}
	}
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_TYPE | MAP_ANONYMOUS, -1, 0));
	SAY_OK(mmap(NULL, PAGE, PROT_READ | 0x100, ANON, -1, 0));
	int fd = open("file", O_RDWR | O_CREAT, 0644);
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED_VALIDATE, fd, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED_VALIDATE | 0x200000, fd, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED | MAP_HUGETLB, fd, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED, fd, INT64_MAX & ~(off_t)(PAGE - 1)));
	char *kept = mmap(NULL, PAGE, RW, ANON, -1, 0);
	*kept = 5;
	SAY_OK(mmap(kept, PAGE, RW, MAP_SHARED | MAP_FIXED, 99, 0));
	printf("still there: %d\n", *kept);
	SAY(close(fd));
	SAY(unlink("file"));
}

static void advice(void)
{
	static const int list[] = {-1, 0, 1, 2, 3, 4, 5, 7, 8, 10, 11, 14, 15, 16, 17, 20, 22, 23, 24, 99};
	char *at = mmap(NULL, 8 * PAGE, RW, ANON, -1, 0);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		memset(at, 7, 8 * PAGE);
		printf("%d: ", list[i]);
		SAY(madvise(at + PAGE, 3 * PAGE, list[i]));
	}
	memset(at, 7, 8 * PAGE);
	SAY(madvise(at + 2 * PAGE, 2 * PAGE, MADV_DONTNEED));
	printf("%d %d %d %d\n", at[PAGE], at[2 * PAGE], at[3 * PAGE], at[4 * PAGE]);
	SAY(munmap(at + 3 * PAGE, PAGE));
	memset(at + 4 * PAGE, 8, PAGE);
	SAY(madvise(at, 8 * PAGE, MADV_DONTNEED)); /* behind the hole too */
	printf("%d %d\n", at[0], at[4 * PAGE]);
	SAY(madvise(at, 8 * PAGE, 99));
	SAY(madvise(at + 1, PAGE, MADV_NORMAL));
	SAY(madvise(at, 0, MADV_NORMAL));
	SAY(mprotect(at, PAGE, PROT_READ));
	SAY(madvise(at, PAGE, MADV_POPULATE_WRITE));
	SAY(madvise(at, PAGE, MADV_POPULATE_READ));
	SAY(posix_madvise(at, PAGE, POSIX_MADV_WILLNEED));
	SAY(munmap(at, 8 * PAGE));
}

static void locking(void)
{
	unsigned char vector[8] = {9, 9, 9, 9, 9, 9, 9, 9};
	char *at = mmap(NULL, 8 * PAGE, RW, ANON, -1, 0);
	memset(at, 1, 8 * PAGE);
	SAY(mincore(at, 6 * PAGE - 10, vector));
	for (int i = 0; i < 8; i++)
		printf("%d ", vector[i] & 1);
	putchar('\n');
	SAY(mincore(at + 1, PAGE, vector));
	SAY(mincore(at, 0, vector));
	SAY(mincore(at, PAGE, (unsigned char *)8));
	SAY(mlock(at + 10, 2 * PAGE));
	SAY(munlock(at + 10, 2 * PAGE));
	SAY(munmap(at + 4 * PAGE, PAGE));
	SAY(mincore(at, 8 * PAGE, vector));
	SAY(mlock(at, 8 * PAGE));
	SAY(munlock(at, 8 * PAGE));
	SAY(mlock2(at, PAGE, MLOCK_ONFAULT));
	SAY(mlock2(at, PAGE, 8));
	SAY(munlock(at, 4 * PAGE));
	SAY(mlockall(0));
	SAY(mlockall(64));
	SAY(munlockall());
	SAY(mprotect(at, PAGE, PROT_NONE));
	SAY(mlock(at, PAGE));
	SAY(msync(at, PAGE, MS_SYNC | MS_ASYNC));
	SAY(msync(at, PAGE, 64));
	SAY(msync(at, 8 * PAGE, MS_SYNC));
	SAY(munmap(at, 8 * PAGE));
}

static void protect_holes(void)
{
	char *at = mmap(NULL, 6 * PAGE, PROT_READ, ANON, -1, 0);
	SAY(munmap(at + 3 * PAGE, PAGE));
	SAY(mprotect(at + 3 * PAGE, 2 * PAGE, RW));
	SAY(mprotect(at, 6 * PAGE, RW));
	at[2 * PAGE] = 1; /* what lies before the hole was changed */
	SAY(mprotect(at, SIZE_MAX, RW));
	SAY(mprotect(at, PAGE, 0x40));
	SAY(munmap(at, 6 * PAGE));
}

static void moving(void)
{
	char *space = mmap(NULL, 64 * PAGE, PROT_NONE, ANON, -1, 0);
	char *at = mmap(space, 4 * PAGE, RW, ANON | MAP_FIXED, -1, 0);
	memset(at, 3, 4 * PAGE);
	char *to = mremap(at, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	SAY_TRUE(to != MAP_FAILED && to != at);
	printf("%d %d, left %d %d\n", to[0], to[4 * PAGE - 1], at[0], at[4 * PAGE - 1]);
	at[0] = 9;
	SAY(munmap(to, 4 * PAGE));
	to = space + 20 * PAGE;
	SAY_TRUE(mremap(at, 4 * PAGE, 4 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == to);
	printf("%d, left %d\n", to[0], at[0]);
	SAY_OK(mremap(at, 4 * PAGE, 5 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL));
	SAY_OK(mremap(at, 4 * PAGE, 4 * PAGE, MREMAP_DONTUNMAP, NULL));
	SAY_OK(mremap(at, 0, 4 * PAGE, MREMAP_MAYMOVE));
	SAY_OK(mremap(at, 8 * PAGE, 9 * PAGE, MREMAP_MAYMOVE));
	SAY_OK(mremap((void *)0x300000000000, PAGE, PAGE, MREMAP_MAYMOVE));
	SAY_OK(mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)-4096L));
	SAY_OK(mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at + 100));
	SAY(munmap(space, 64 * PAGE));
}

/* The heap meets a mapping, and a hole that was made in it. */
static void heap(void)
{
	char *start = sbrk(3 * PAGE);
	memset(start, 1, 3 * PAGE);
	char *page = (char *)(((uintptr_t)start + PAGE - 1) & ~(PAGE - 1));
	char *wall = page + (8UL << 20);
	SAY_TRUE(mmap(wall, PAGE, RW, ANON | MAP_FIXED_NOREPLACE, -1, 0) == wall);
	SAY_OK(sbrk(16L << 20));
	SAY_OK(sbrk(4L << 20));
	SAY(munmap(wall, PAGE));
	SAY_OK(sbrk(16L << 20));
	SAY(munmap(page + PAGE, PAGE));
	SAY(brk(start));
	SAY_TRUE(sbrk(0) == start);
}

static void limits(void)
{
	struct rlimit limit = {64UL << 20, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
	SAY(setrlimit(RLIMIT_AS, &limit));
	SAY_OK(mmap(NULL, 100UL << 20, PROT_NONE, ANON | MAP_NORESERVE, -1, 0));
	SAY_OK(mmap(NULL, 100UL << 20, RW, ANON, -1, 0));
	SAY_TRUE(malloc(100UL << 20) == NULL);
	SAY_OK(sbrk(100L << 20));
	char *at = mmap(NULL, 16UL << 20, RW, ANON, -1, 0);
	SAY_TRUE(at != MAP_FAILED);
	SAY_OK(mremap(at, 16UL << 20, 100UL << 20, MREMAP_MAYMOVE));
	SAY_TRUE(mmap(at, 16UL << 20, RW, ANON | MAP_FIXED, -1, 0) == at);
	SAY(munmap(at, 16UL << 20));
	SAY(setrlimit(RLIMIT_AS, &none));
	SAY(setrlimit(RLIMIT_DATA, &limit));
	SAY_OK(mmap(NULL, 100UL << 20, RW, ANON, -1, 0));
	SAY_OK(sbrk(100L << 20));
	at = mmap(NULL, 100UL << 20, PROT_READ, ANON | MAP_NORESERVE, -1, 0);
	SAY_TRUE(at != MAP_FAILED);
	SAY(munmap(at, 100UL << 20));
	SAY(setrlimit(RLIMIT_DATA, &none));
}

int main(void)
{
	static char buffer[4096]; /* stdout's, so that the heap is this program's own */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	addresses();
	flags();
	advice();
	locking();
	protect_holes();
	moving();
	heap();
	limits();
	return 0;
}
