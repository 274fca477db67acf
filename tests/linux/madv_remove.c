/* SPDX-License-Identifier: MIT */
/* MADV_REMOVE: what is removed is zeros to everybody, in the file too; and which mappings it refuses. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PAGE 4096

static void in_file(void)
{
	char byte = 1;
	int fd = memfd_create("removed", MFD_ALLOW_SEALING), reading;
	char path[40];
	SAY(ftruncate(fd, 8 * PAGE));
	char *all = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *part = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4 * PAGE);
	char *own = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	memset(all, 'a', 8 * PAGE);
	own[5 * PAGE] = 'o';
	SAY(madvise(part + PAGE, PAGE, MADV_REMOVE));
	printf("%d %d %d %d\n", all[5 * PAGE - 1], all[5 * PAGE], all[6 * PAGE - 1], all[6 * PAGE]);
	printf("%d %d\n", own[5 * PAGE], own[5 * PAGE + 1]);
	SAY(pread(fd, &byte, 1, 5 * PAGE + 7));
	printf("%d\n", byte);
	SAY(lseek(fd, 0, SEEK_END));
	SAY(madvise(own, PAGE, MADV_REMOVE));
	SAY(mprotect(all, PAGE, PROT_READ));
	SAY(madvise(all, 2 * PAGE, MADV_REMOVE));
	printf("%d %d\n", all[0], all[2 * PAGE]);
	SAY(madvise(all + 1, PAGE, MADV_REMOVE));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reading = open(path, O_RDONLY);
	char *looking = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, reading, 0);
	SAY(madvise(looking, PAGE, MADV_REMOVE));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
	SAY(madvise(all, PAGE, MADV_REMOVE));
}

static void in_memory(void)
{
	char *shared = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *own = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(shared, 's', 3 * PAGE);
	SAY(madvise(own, PAGE, MADV_REMOVE));
	fflush(stdout);
	if (!fork()) {
		SAY(madvise(shared + PAGE, PAGE, MADV_REMOVE));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	printf("%d %d %d\n", shared[PAGE - 1], shared[PAGE], shared[2 * PAGE]);
	munmap(shared + PAGE, PAGE);
	SAY(madvise(shared, 3 * PAGE, MADV_REMOVE));
	printf("%d %d\n", shared[0], shared[2 * PAGE]);
}

int main(void)
{
	in_file();
	in_memory();
	return 0;
}
