/* SPDX-License-Identifier: MIT */
/* F_SEAL_WRITE is refused as long as some process has a shared mapping that may be written to, and not later. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096UL

static int fd;

static char *map(int prot, int flags)
{
	return mmap(NULL, 2 * PAGE, prot, flags, fd, 0);
}

static void fresh(const char *name)
{
	puts(name);
	fd = memfd_create("sealed", MFD_ALLOW_SEALING);
	ftruncate(fd, 2 * PAGE);
}

static void seal(void)
{
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
}

int main(void)
{
	int go[2];
	char byte, *first, *second;
	setvbuf(stdout, NULL, _IONBF, 0);

	fresh("one mapping");
	first = map(PROT_READ | PROT_WRITE, MAP_SHARED);
	*first = 1;
	seal();
	munmap(first, PAGE);
	seal();
	munmap(first + PAGE, PAGE);
	seal();
	SAY(map(PROT_READ | PROT_WRITE, MAP_SHARED) == MAP_FAILED);
	SAY(map(PROT_READ | PROT_WRITE, MAP_PRIVATE) == MAP_FAILED);

	fresh("a private one stays");
	first = map(PROT_READ | PROT_WRITE, MAP_SHARED);
	second = map(PROT_READ | PROT_WRITE, MAP_PRIVATE);
	*first = *second = 1;
	seal();
	munmap(first, 2 * PAGE);
	seal();

	fresh("one without rights stays");
	first = map(PROT_READ | PROT_WRITE, MAP_SHARED);
	*first = 1;
	mprotect(first, 2 * PAGE, PROT_NONE);
	seal();
	munmap(first, 2 * PAGE);
	seal();

	fresh("by a descriptor that cannot write");
	char path[32];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	first = map(PROT_READ | PROT_WRITE, MAP_SHARED);
	*first = 1;
	int reading = open(path, O_RDONLY);
	second = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, reading, 0);
	munmap(first, 2 * PAGE);
	seal();
	SAY(*second);

	fresh("a child's");
	first = map(PROT_READ | PROT_WRITE, MAP_SHARED);
	*first = 1;
	pipe(go);
	if (!fork()) {
		read(go[0], &byte, 1);
		_exit(0);
	}
	munmap(first, 2 * PAGE);
	seal();
	write(go[1], "x", 1);
	wait(NULL);
	seal();
	SAY(pwrite(fd, "x", 1, 0));
	return 0;
}
