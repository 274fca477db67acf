/* SPDX-License-Identifier: MIT */
/* One operation, repeated. The same source is an image and a native program; time inside a guest is virtual, so the
 * cost of one operation is the difference between runs of two counts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LINE_BYTES 80

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void getpid_loop(unsigned long count, const char *argument)
{
	(void)argument;
	for (unsigned long i = 0; i < count; i++)
		if (getpid() <= 0)
			fail("getpid");
}

/* The file is made when it is not there. */
static void file_loop(unsigned long count, const char *path)
{
	static char page[4096];
	if (access(path, R_OK)) {
		int fd = open(path, O_CREAT | O_WRONLY, 0644);
		if (fd < 0 || write(fd, page, sizeof(page)) != sizeof(page) || close(fd))
			fail(path);
	}
	for (unsigned long i = 0; i < count; i++) {
		int fd = open(path, O_RDONLY);
		if (fd < 0 || read(fd, page, sizeof(page)) != sizeof(page) || close(fd))
			fail(path);
	}
}

static void map_loop(unsigned long count, const char *bytes_text)
{
	size_t bytes = strtoul(bytes_text, NULL, 0);
	for (unsigned long i = 0; i < count; i++) {
		char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			fail("mmap");
#ifdef __linux__
		madvise(at, bytes, MADV_NOHUGEPAGE);
#endif
		for (size_t j = 0; j < bytes; j += 4096)
			at[j] = 1;
		if (munmap(at, bytes))
			fail("munmap");
	}
}

static void puts_loop(unsigned long count, const char *argument)
{
	char line[LINE_BYTES];
	(void)argument;
	memset(line, 'x', LINE_BYTES - 1);
	line[LINE_BYTES - 1] = 0;
	for (unsigned long i = 0; i < count; i++)
		if (puts(line) < 0)
			fail("puts");
}

static void printf_loop(unsigned long count, const char *argument)
{
	char line[LINE_BYTES];
	(void)argument;
	memset(line, 'x', LINE_BYTES - 1);
	line[LINE_BYTES - 1] = 0;
	for (unsigned long i = 0; i < count; i++)
		if (printf("%s\n", line) < 0)
			fail("printf");
}

static void fwrite_loop(unsigned long count, const char *argument)
{
	char line[LINE_BYTES];
	(void)argument;
	memset(line, 'x', LINE_BYTES - 1);
	line[LINE_BYTES - 1] = '\n';
	for (unsigned long i = 0; i < count; i++)
		if (fwrite(line, sizeof(line), 1, stdout) != 1)
			fail("fwrite");
}

static const struct {
	const char *name;
	void (*loop)(unsigned long count, const char *argument);
} loops[] = {
	{"getpid", getpid_loop}, {"file", file_loop},     {"map", map_loop},
	{"puts", puts_loop},     {"printf", printf_loop}, {"fwrite", fwrite_loop},
};

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (unsigned i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (strcmp(argv[1], loops[i].name))
			continue;
		loops[i].loop(strtoul(argv[2], NULL, 0), argc > 3 ? argv[3] : "");
		return 0;
	}
	return 2;
}
