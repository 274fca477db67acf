/* SPDX-License-Identifier: MIT */
/* Code out of files that are no programs, and out of files that are written to between one use and the next. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define GETPID 39
#define GETPPID 110
#define GETUID 102

static char path[] = "/tmp/code_files-XXXXXX";

/* mov $number, %eax; syscall; ret, at an offset of a file that has something else before it. */
static void write_call(int fd, size_t offset, unsigned char number)
{
	const unsigned char call[] = {0xb8, number, 0, 0, 0, 0x0f, 0x05, 0xc3};
	char page[2 * PAGE];
	memset(page, 0x0f, sizeof(page)); /* whatever it is, it is not executed */
	memcpy(page + offset, call, sizeof(call));
	assert(pwrite(fd, page, sizeof(page), 0) == sizeof(page));
}

static long run_call(int fd, size_t offset)
{
	char *code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert(code != MAP_FAILED);
	long result = ((long (*)(void))(code + offset))();
	assert(code[offset] == (char)0xb8 && code[offset + 5] == 0x0f && code[offset + 6] == 0x05);
	assert(munmap(code, 2 * PAGE) == 0);
	return result;
}

static void plain_file(int fd)
{
	write_call(fd, 100, GETPID);
	printf("getpid: %d\n", run_call(fd, 100) == getpid());
	write_call(fd, 100, GETPPID);
	printf("rewritten: %d\n", run_call(fd, 100) == getppid());
	write_call(fd, PAGE - 6, GETUID); /* the instruction lies in two pages */
	printf("moved: %d\n", run_call(fd, PAGE - 6) == getuid());
	assert(ftruncate(fd, 0) == 0);
	write_call(fd, 0, GETPID);
	printf("anew: %d\n", run_call(fd, 0) == getpid());
}

/* Files of the host that are no programs are mapped as well. */
static void other_files(void)
{
	static const char *const names[] = {"/etc/passwd", "/bin/sh", "/usr/lib/x86_64-linux-gnu/crt1.o"};
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int fd = open(names[i], O_RDONLY);
		assert(fd >= 0);
		void *at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		printf("%s: %s\n", names[i], at == MAP_FAILED ? "refused" : "mapped");
		close(fd);
	}
}

/* Writes a program over what the file was, and runs it. */
static void run_copy(const char *program, const char *name, const char *argument)
{
	static char buffer[1 << 16];
	ssize_t bytes;
	int from = open(program, O_RDONLY), to = open(path, O_RDWR | O_TRUNC), status;
	assert(from >= 0 && to >= 0);
	while ((bytes = read(from, buffer, sizeof(buffer))) > 0)
		assert(write(to, buffer, (size_t)bytes) == bytes);
	close(from);
	close(to); /* or it could not be executed (ETXTBSY) */
	fflush(stdout);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		char *const arguments[] = {(char *)name, (char *)argument, NULL};
		execv(path, arguments);
		_exit(99);
	}
	assert(waitpid(child, &status, 0) == child);
	printf("%s: %#x\n", name, (unsigned)status);
}

/* Programs without libraries, whose own code calls the system. */
static void programs(void)
{
	assert(chmod(path, 0700) == 0);
	for (int i = 0; i < 2; i++) {
		run_copy("/bin/busybox", "echo", "busybox");
		run_copy("/sbin/ldconfig", "ldconfig", "--version");
	}
}

int main(void)
{
	int fd = mkstemp(path);
	assert(fd >= 0);
	plain_file(fd);
	close(fd);
	other_files();
	programs();
	unlink(path);
	return 0;
}
