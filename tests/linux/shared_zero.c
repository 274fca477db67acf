/* SPDX-License-Identifier: MIT */
/* /dev/zero mapped: shared with children when it is mapped shared, each mapping by itself, and of its own otherwise. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096
#define BYTES (2 * PAGE)

static int *map(int fd, int flags, long offset)
{
	int *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, flags, fd, offset);
	assert(at != MAP_FAILED);
	return at;
}

static void end(void)
{
	int status;
	assert(wait(&status) > 0);
	printf("status 0x%x\n", status);
}

static void shared(int fd)
{
	int *one = map(fd, MAP_SHARED, 0), *other = map(fd, MAP_SHARED, 0), *own = map(fd, MAP_PRIVATE, 0);
	int *checked = map(fd, MAP_SHARED_VALIDATE, 0), *anonymous = map(-1, MAP_SHARED | MAP_ANONYMOUS, PAGE);
	if (!fork()) {
		one[0] = 1, one[PAGE / 4] = 2, own[0] = 3, checked[0] = 4, anonymous[PAGE / 4] = 5;
		_exit(0);
	}
	end();
	printf("%d %d, %d, %d, %d, %d\n", one[0], one[PAGE / 4], other[0], own[0], checked[0], anonymous[PAGE / 4]);
	SAY(msync(one, BYTES, MS_SYNC));
	SAY(madvise(one, BYTES, MADV_DONTNEED));
	printf("%d\n", one[0]);
	one = mremap(one, BYTES, 2 * BYTES, MREMAP_MAYMOVE);
	assert(one != MAP_FAILED);
	printf("%d\n", one[PAGE / 4]);
	close(fd);
	if (!fork()) {
		one[1] = 6;
		_exit(munmap(one, BYTES));
	}
	end();
	printf("%d\n", one[1]);
}

/* Linux has as many bytes as are mapped, and what lies behind the offset is shown of them. */
static void beyond(int fd)
{
	if (!fork()) {
		int *at = map(fd, MAP_SHARED, PAGE);
		at[0] = 1;
		printf("the first page is there\n");
		fflush(stdout);
		at[PAGE / 4] = 1;
		_exit(0);
	}
	end();
}

static void only_readable(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	assert(fd >= 0);
	SAY(mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
	printf("%s\n", errno_name(errno));
	int *at = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
	assert(at != MAP_FAILED);
	printf("%d\n", at[0]);
	SAY(mprotect(at, BYTES, PROT_READ | PROT_WRITE));
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	int fd = open("/dev/zero", O_RDWR);
	assert(fd >= 0);
	beyond(fd);
	only_readable();
	shared(fd);
	return 0;
}
