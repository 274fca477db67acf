/* SPDX-License-Identifier: MIT */
/* mmap(2), madvise(2), msync(2), mremap(2), memfd_create(2): flags one by one. */
#include "tests/linux/accepted/accepted.h"

#include <setjmp.h>
#include <sys/syscall.h>

#define BYTES 16384

static const struct {
	const char *name;
	int flags;
	bool has_file;
} bases[] = {{"private", MAP_PRIVATE | MAP_ANONYMOUS, false},
             {"shared", MAP_SHARED | MAP_ANONYMOUS, false},
             {"private-file", MAP_PRIVATE, true},
             {"shared-file", MAP_SHARED, true},
             {"validate-file", MAP_SHARED_VALIDATE, true},
             {"neither", MAP_ANONYMOUS, false}};

static void *map(unsigned base, int flags)
{
	static int fd = -1;
	if (fd < 0) {
		fd = open("mapped", O_RDWR | O_CREAT, 0600);
		for (int i = 0; i < BYTES / 8; i++)
			write(fd, "contents", 8);
	}
	return mmap((void *)0x200000000, BYTES, PROT_READ | PROT_WRITE, bases[base].flags | flags,
	            bases[base].has_file ? fd : -1, 0);
}

static sigjmp_buf back;

static void jump_back(int signal)
{
	siglongjmp(back, signal);
}

/* Writes to an area and reads its second page; prints what it reads or the signal. */
static void touch(int *at)
{
	int number = sigsetjmp(back, 1);
	if (number) {
		printf(" signal %d", number);
		return;
	}
	*(volatile int *)at = 1;
	printf(" %d", *(volatile int *)(at + BYTES / 8));
}

/* Reads the first word of an area. */
static void look(const int *at)
{
	int number = sigsetjmp(back, 1);
	if (number)
		printf(" signal %d", number);
	else
		printf(" %d", *(const volatile int *)at);
}

/* The kind of place in which an area is. */
static const char *place_of(const void *at)
{
	return at == (void *)0x200000000 ? "wanted" : (uintptr_t)at < 1UL << 32 ? "low" : "high";
}

static void try_map(unsigned base, int bit)
{
	int *at = map(base, 1U << bit);
	printf("mmap %s 0x%x\t%s", bases[base].name, 1U << bit, at == MAP_FAILED ? result_of(-1) : place_of(at));
	if (at != MAP_FAILED) {
		touch(at);
		munmap(at, BYTES);
	}
	printf("\n");
}

static void try_advice(unsigned base, int advice)
{
	int *at = map(base, 0);
	if (at == MAP_FAILED)
		return;
	at[0] = 77;
	printf("madvise %s %d\t%s", bases[base].name, advice, result_of(madvise(at, BYTES, advice)));
	look(at);
	printf("\n");
	munmap(at, BYTES);
}

static void try_protection(unsigned base, int bit)
{
	int *at = map(base, 0);
	if (at == MAP_FAILED)
		return;
	printf("mprotect %s 0x%x\t%s", bases[base].name, 1U << bit,
	       result_of(mprotect(at, BYTES, PROT_READ | 1U << bit)));
	printf("\n");
	munmap(at, BYTES);
}

static void try_move(unsigned base, int bit)
{
	char *at = map(base, 0);
	if (at == MAP_FAILED)
		return;
	void *moved = mremap(at, BYTES, BYTES / 2, 1U << bit, (void *)0x300000000);
	printf("mremap %s 0x%x\t%s", bases[base].name, 1U << bit,
	       moved == MAP_FAILED ? result_of(-1)
	       : moved == at       ? "stays"
	                           : "moved");
	printf(" msync %s", result_of(msync(at, BYTES / 2, 1U << bit)));
	printf(" mlock2 %s", result_of(mlock2(at, 4096, 1U << bit)));
	printf("\n");
	munmap(at, BYTES);
	munmap((void *)0x300000000, BYTES);
}

/* An area that grows down does so where the page below it is touched. */
static void try_growing(void)
{
	char *at = mmap((void *)0x400000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN,
	                -1, 0);
	printf("mmap growing down\t");
	int number = sigsetjmp(back, 1);
	if (number)
		printf("signal %d\n", number);
	else
		printf("%d\n", *(volatile char *)(at - 4096));
	munmap(at - 4096, 8192);
}

void part_memory(void)
{
	signal(SIGSEGV, jump_back);
	signal(SIGBUS, jump_back);
	for (unsigned base = 0; base < COUNT(bases); base++) {
		for (int bit = 0; bit < 32; bit++) {
			try_map(base, bit);
			try_protection(base, bit);
			try_move(base, bit);
		}
		for (int advice = -1; advice < 104; advice = advice == 26 ? 99 : advice + 1)
			try_advice(base, advice);
	}
	try_growing();
	for (int bit = 0; bit < 32; bit++) {
		int fd = memfd_create("name", 1U << bit);
		printf("memfd_create 0x%x\t%s", 1U << bit, fd < 0 ? result_of(fd) : "made");
		if (fd >= 0)
			printf(" %d %d", fcntl(fd, F_GET_SEALS), fcntl(fd, F_GETFD));
		printf("\n");
		close(fd);
	}
}
