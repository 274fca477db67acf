/* SPDX-License-Identifier: MIT */
/* Where a mapped file ends: SIGBUS behind its last page, also after it was cut, and no more once it has grown; what
 * private copies and the last page's tail hold then. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)

static sigjmp_buf back;
static volatile int sig, code;
static void *volatile where;

static void on_fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	sig = number;
	code = info->si_code;
	where = info->si_addr;
	siglongjmp(back, 1);
}

static void touch(const char *what, volatile char *at, int write)
{
	if (sigsetjmp(back, 1)) {
		printf("%s: %s %s\n", what, sig == SIGBUS && code == BUS_ADRERR ? "SIGBUS" : "another fault",
		       where == at ? "there" : "elsewhere");
		return;
	}
	if (write)
		*at = 'w';
	printf("%s: %d\n", what, *at);
}

/* All pages of a mapping. */
static void show(const char *what, volatile char *at, unsigned pages)
{
	printf("%-28s", what);
	for (volatile unsigned i = 0; i < pages; i++) {
		if (sigsetjmp(back, 1))
			printf(" %s", sig == SIGBUS ? "bus" : "segv");
		else
			printf(" %d", at[i * PAGE]);
	}
	putchar('\n');
}

static void fill(int fd, unsigned pages)
{
	char page[PAGE];
	for (unsigned i = 0; i < pages; i++) {
		memset(page, (int)i + 1, PAGE);
		if (pwrite(fd, page, PAGE, (off_t)(i * PAGE)) != (ssize_t)PAGE)
			perror("pwrite");
	}
}

static void cut_and_grow(int flags)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644);
	fill(fd, 6);
	char *at = mmap(NULL, 8 * PAGE, RW, flags, fd, 0);
	show("six pages", at, 8);
	at[PAGE] = 77;
	at[4 * PAGE] = 78;
	SAY(ftruncate(fd, 3 * PAGE + 100));
	show("cut", at, 8);
	SAY_TRUE(at[3 * PAGE + 99] == 4 && at[3 * PAGE + 100] == 0 && at[4 * PAGE - 1] == 0);
	touch("write behind", at + 5 * PAGE, 1);
	SAY(ftruncate(fd, 7 * PAGE));
	show("grown", at, 8);
	SAY(pwrite(fd, "\x55", 1, 7 * PAGE));
	show("written", at, 8);
	SAY(ftruncate(fd, 0));
	show("empty", at, 8);
	fill(fd, 2);
	show("filled again", at, 8);
	SAY(close(fd));
	SAY(unlink("file"));
	show("gone", at, 8);
	SAY(munmap(at, 8 * PAGE));
}

/* What is written behind the end, in the last page, is not the file's. */
static void tail(void)
{
	char got[8] = "";
	int fd = open("tail", O_RDWR | O_CREAT | O_TRUNC, 0644);
	SAY(pwrite(fd, "abc", 3, 0));
	char *at = mmap(NULL, PAGE, RW, MAP_SHARED, fd, 0);
	at[2] = 'C';
	at[5] = 'x';
	SAY(pread(fd, got, 8, 0));
	printf("%s\n", got);
	SAY(munmap(at, PAGE));
	SAY(close(fd));
	SAY(unlink("tail"));
}

/* Kernel calls see the end as EFAULT, and what lies before it. */
static void calls(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644), other = open("other", O_RDWR | O_CREAT, 0644);
	fill(fd, 1);
	char *at = mmap(NULL, 3 * PAGE, RW, MAP_SHARED, fd, 0);
	SAY(write(other, at + PAGE, 10));
	SAY(write(other, at, 10));
	SAY(lseek(other, 0, SEEK_SET));
	SAY(read(other, at + PAGE, 10));
	SAY(read(other, at + 100, 10));
	SAY(pread(fd, at + 1000, 1000, 0)); /* a file into its own mapping */
	SAY(pwrite(fd, at, PAGE, PAGE));
	SAY_TRUE(!memcmp(at, at + PAGE, PAGE));
	SAY(munmap(at, 3 * PAGE));
	at = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	SAY(read(other, at, 10));
	SAY(munmap(at, PAGE));
	SAY(close(other));
	SAY(close(fd));
	SAY(unlink("other"));
	SAY(unlink("file"));
}

/* A private mapping shows the file until a page is written to. */
static void private(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644);
	fill(fd, 4);
	char *at = mmap(NULL, 4 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	char *shared = mmap(NULL, 4 * PAGE, RW, MAP_SHARED, fd, 0);
	show("private", at, 4);
	SAY(mprotect(at, 4 * PAGE, RW));
	at[PAGE] = 50;
	SAY(pwrite(fd, "\x46\x46", 2, PAGE));
	SAY(pwrite(fd, "\x47\x47", 2, 2 * PAGE));
	shared[3 * PAGE] = 72;
	show("private", at, 4);
	show("shared", shared, 4);
	SAY(mprotect(at, 2 * PAGE, PROT_NONE));
	SAY(mprotect(at, 4 * PAGE, PROT_READ));
	show("private", at, 4);
	SAY(madvise(at, 4 * PAGE, MADV_DONTNEED));
	show("private, dropped", at, 4);
	SAY(madvise(shared, 4 * PAGE, MADV_DONTNEED));
	show("shared, dropped", shared, 4);
	SAY(munmap(at + PAGE, PAGE));
	SAY(munmap(shared, 4 * PAGE));
	SAY_TRUE(mremap(at + 2 * PAGE, 2 * PAGE, PAGE, 0) == at + 2 * PAGE);
	SAY_TRUE(mremap(at + 2 * PAGE, PAGE, 2 * PAGE, MREMAP_MAYMOVE) == at + 2 * PAGE);
	show("grown", at + 2 * PAGE, 2);
	SAY(munmap(at, 4 * PAGE));
	SAY(close(fd));
	fd = open("file", O_RDONLY);
	shared = mmap(NULL, 4 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	SAY(mprotect(shared, PAGE, RW));
	char *twice = mremap(shared + PAGE, 0, 2 * PAGE, MREMAP_MAYMOVE);
	SAY_TRUE(twice != MAP_FAILED);
	show("twice", twice, 2);
	SAY(munmap(twice, 2 * PAGE));
	SAY(munmap(shared, 4 * PAGE));
	SAY(close(fd));
	SAY(unlink("file"));
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	cut_and_grow(MAP_SHARED);
	cut_and_grow(MAP_PRIVATE);
	tail();
	calls();
	private();
	return 0;
}
