/* SPDX-License-Identifier: MIT */
/* fallocate(2) of more than there is takes nothing: neither the file nor anybody else lacks memory then. In /dev/shm,
 * which has a limit on Linux; a file of memfd_create(2) would take all memory of the machine. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void tell(int fd)
{
	struct stat st;
	fstat(fd, &st);
	printf("size %ld, blocks %ld\n", (long)st.st_size, (long)st.st_blocks);
	SAY(lseek(fd, 0, SEEK_DATA));
	SAY(lseek(fd, 0, SEEK_HOLE));
}

int main(void)
{
	int fd = open("/dev/shm/reserve-test", O_RDWR | O_CREAT | O_TRUNC, 0600), fds[2], status;
	char text[8] = "";
	unlink("/dev/shm/reserve-test");
	SAY(pwrite(fd, "before", 6, 0));
	SAY(pwrite(fd, "behind", 6, 40960));
	tell(fd);
	SAY(fallocate(fd, 0, 0, 1L << 44));
	SAY(fallocate(fd, FALLOC_FL_KEEP_SIZE, 4096, 1L << 46));
	SAY(fallocate(fd, 0, 1L << 40, 1L << 44));
	SAY(fallocate(fd, 0, 0, LONG_MAX - 4096));
	SAY(fallocate(fd, 0, 1, LONG_MAX));
	tell(fd);
	SAY(pread(fd, text, 6, 40960));
	printf("%s\n", text);
	SAY(pipe(fds));
	void *memory = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(memory, 1, 1 << 24);
	if (!fork())
		_exit(0);
	SAY(wait(&status) > 0);
	SAY(fallocate(fd, 0, 0, 8192));
	return 0;
}
