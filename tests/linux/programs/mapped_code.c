/* SPDX-License-Identifier: MIT */
/* Functions in a file that is no ELF file, mapped as Lisp systems map their cores: privately, to be written to and
 * executed. At the start of each of its first 256 pages that is a multiple of 8 there is a function which returns
 * CPUID's leaf 1 (ECX), and one over the end of each page before such a page. The arguments are the file, and how to
 * map it: `rwx`, `rx`, or `rw`, which mprotect makes `rwx`. */
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define PAGES 256UL /* with functions */
#define MAPPED (16UL << 20)

static uint32_t call(const uint8_t *code)
{
	return ((uint32_t(*)(void))(uintptr_t)code)();
}

static uint32_t expected(void)
{
	uint32_t a = 1, b, c = 0, d;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return c;
}

static uint64_t sum_of(const uint8_t *at, size_t bytes)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < bytes; i++)
		sum = sum * 31 + at[i];
	return sum;
}

static unsigned call_all(const uint8_t *at)
{
	unsigned same = 0;
	for (uint64_t page = 8; page < PAGES; page += 8) {
		same += call(at + page * PAGE) == expected();
		same += call(at + page * PAGE - 8) == expected();
	}
	return same;
}

int main(int argc, char **argv)
{
	assert(argc == 3);
	const int file = open(argv[1], O_RDONLY);
	const int is_written = strchr(argv[2], 'w') != NULL;
	const int all = PROT_READ | PROT_EXEC | (is_written ? PROT_WRITE : 0);
	const int first = strcmp(argv[2], "rw") ? all : PROT_READ | PROT_WRITE;
	uint8_t *at = mmap(NULL, MAPPED, first, MAP_PRIVATE, file, 0);
	assert(at != MAP_FAILED);
	assert(!mprotect(at, MAPPED, all));
	uint8_t code[16];
	assert(pread(file, code, sizeof(code), 8 * PAGE) == sizeof(code));
	/* What is read before and after it was executed, and not executed, is the file's. */
	printf("sum %lx, ", sum_of(at, 4 * PAGE));
	printf("calls %u, ", call_all(at));
	printf("data %lx\n", sum_of(at + PAGE, 6 * PAGE));
	if (is_written) {
		at[9 * PAGE] = 1; /* beside code that was executed */
		memcpy(at + 8 * PAGE + 256, code, sizeof(code));
		memcpy(at + 11 * PAGE, code, sizeof(code)); /* in a page that was never touched */
		printf("copied %d %d, ", call(at + 8 * PAGE + 256) == expected(), call(at + 11 * PAGE) == expected());
		printf("written %d\n", at[9 * PAGE]);
	}
	fflush(stdout);
	const pid_t child = fork();
	if (!child) {
		if (is_written)
			memcpy(at + 13 * PAGE, code, sizeof(code));
		printf("child: calls %u, %d\n", call_all(at), is_written && call(at + 13 * PAGE) == expected());
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("parent: calls %u, 13: %d\n", call_all(at), at[13 * PAGE]);
	return 0;
}
