/* SPDX-License-Identifier: MIT */
/* Mapped files: shared mappings and the file are one, private ones keep their changes, and the tail of the last page
 * is zero. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)

int main(void)
{
	char bytes[3 * PAGE];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)('a' + i % 23);
	int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0644);
	SAY(write(fd, bytes, 2 * PAGE + 100));

	char *shared = mmap(NULL, 3 * PAGE, RW, MAP_SHARED, fd, 0);
	char *again = mmap(NULL, 3 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	char *private = mmap(NULL, 3 * PAGE, RW, MAP_PRIVATE, fd, 0);
	char *second = mmap(NULL, PAGE, RW, MAP_SHARED, fd, PAGE);
	SAY_TRUE(!memcmp(shared, bytes, 2 * PAGE + 100));
	SAY_TRUE(!memcmp(private, bytes, 2 * PAGE + 100));
	SAY_TRUE(!memcmp(second, bytes + PAGE, PAGE));
	SAY_TRUE(shared[2 * PAGE + 100] == 0 && private[3 * PAGE - 1] == 0);

	memcpy(shared + 10, "SHARED", 6);
	memcpy(private + 20, "PRIVATE", 7);
	memcpy(second, "SECOND", 6);
	char back[40];
	SAY(pread(fd, back, 30, 5));
	printf("file: %.30s\n", back);
	printf("again: %.30s\n", again + 5);
	printf("private: %.7s\n", private + 20);
	SAY(pread(fd, back, 6, PAGE));
	printf("file at the second page: %.6s\n", back);
	SAY_TRUE(!memcmp(shared + PAGE, "SECOND", 6));
	SAY(pwrite(fd, "WRITTEN", 7, 40));
	printf("shared sees: %.7s\n", shared + 40);
	SAY(msync(shared, 3 * PAGE, MS_SYNC));

	SAY(close(fd));
	SAY(unlink("mapped"));
	printf("still: %.6s\n", shared + 10);
	memcpy(shared + 50, "later", 5);
	printf("again: %.5s\n", again + 50);
	SAY(munmap(shared, 3 * PAGE));
	printf("again: %.5s\n", again + 50);
	SAY(munmap(again, 3 * PAGE));
	SAY(munmap(private, 3 * PAGE));
	SAY(munmap(second, PAGE));

	fd = open("readonly", O_RDONLY | O_CREAT, 0644);
	SAY_OK(mmap(NULL, PAGE, RW, MAP_SHARED, fd, 0));
	SAY_OK(mmap(NULL, PAGE, RW, MAP_PRIVATE, fd, 0));
	SAY_OK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 100));
	int writer = open("readonly", O_WRONLY);
	SAY_OK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, writer, 0));
	SAY(unlink("readonly"));
	SAY(mkdir("dir", 0755));
	int dir = open("dir", O_RDONLY);
	SAY_OK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, dir, 0));
	SAY(rmdir("dir"));
	return 0;
}
