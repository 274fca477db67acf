/* SPDX-License-Identifier: MIT */
/* The devices of /dev that every program expects. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static int all_zero(const char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (at[i])
			return 0;
	return 1;
}

int main(void)
{
	static char block[5000], other[5000];
	struct stat st;
	int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR), full = open("/dev/full", O_RDWR);
	memset(block, 1, sizeof(block));
	SAY(write(null, block, 5000));
	SAY(read(null, block, 5000));
	SAY(read(zero, block, 5000));
	SAY_TRUE(all_zero(block, 5000));
	SAY(write(zero, block, 5000));
	SAY(write(full, block, 5000));
	memset(block, 1, sizeof(block));
	SAY(read(full, block, 5000));
	SAY_TRUE(all_zero(block, 5000));
	SAY(lseek(null, 100, SEEK_SET));
	static const char *const names[] = {"null", "zero", "full", "random", "urandom", "tty"};
	for (int i = 0; i < 6; i++) {
		char path[40];
		snprintf(path, sizeof(path), "/dev/%s", names[i]);
		if (stat(path, &st))
			printf("%s: %s\n", path, errno_name(errno));
		else
			printf("%s: %s, number %lx\n", path, S_ISCHR(st.st_mode) ? "character device" : "OTHER",
			       (unsigned long)st.st_rdev);
	}
	static const char *const random[] = {"/dev/random", "/dev/urandom"};
	for (int i = 0; i < 2; i++) {
		int fd = open(random[i], O_RDONLY);
		SAY(read(fd, block, 256));
		SAY(read(fd, other, 256));
		SAY_TRUE(memcmp(block, other, 256) != 0);
		SAY_TRUE(!all_zero(block, 64));
	}
	SAY(getrandom(block, 5000, GRND_NONBLOCK));
	SAY(getrandom(block, 1, 0x100));
	SAY(getentropy(block, 256));
	SAY(getentropy(block, 257));
	SAY_OK(open("/dev/stdout", O_WRONLY | O_APPEND));
	SAY_OK(open("/dev/stderr", O_WRONLY));
	SAY_OK(open("/dev/stdin", O_RDONLY));
	char *map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
	SAY_TRUE(map != MAP_FAILED && all_zero(map, 8192));
	SAY_OK(open("/dev/absent", O_RDONLY));
	SAY(open("/dev/null/x", O_RDONLY));
	return 0;
}
