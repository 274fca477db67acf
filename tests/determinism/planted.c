/* SPDX-License-Identifier: MIT */
/* A leak on purpose: RDTSC in code that is made at run time, which no scan of the image sees: planted WAY. It is found
 * when it becomes executable, also when its two bytes come together from two places. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)
#define CODE (PROT_READ | PROT_EXEC)

static const unsigned char code[] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3};

static unsigned char *pages(unsigned count)
{
	unsigned char *at = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE, ANON, -1, 0);
	memset(at, 0x90, count * PAGE);
	return at;
}

/* A page that ends with the first byte of RDTSC, room for another, and a page that begins with its second. */
static unsigned char *halves(unsigned char **second)
{
	unsigned char *at = pages(4);
	at[PAGE - 1] = code[0];
	memcpy(at + 3 * PAGE, code + 1, sizeof(code) - 1);
	munmap(at + PAGE, PAGE);
	*second = at + 3 * PAGE;
	return at;
}

static int file(unsigned count)
{
	static unsigned char page[PAGE];
	int fd = open("/tmp/code", O_RDWR | O_CREAT | O_TRUNC, 0600);
	memset(page, 0xc3, sizeof(page));
	for (unsigned i = 0; i < count; i++)
		write(fd, page, sizeof(page));
	return fd;
}

/* Other instructions that tell of the host. */
static const struct {
	const char *name;
	unsigned char code[4];
} others[] = {
	{"lsl", {0x0f, 0x03, 0xc7, 0xc3}},      /* lsl %edi, %eax */
	{"sgdt", {0x0f, 0x01, 0x07, 0xc3}},     /* sgdt (%rdi) */
	{"str", {0x0f, 0x00, 0xc8, 0xc3}},      /* str %eax */
	{"verw", {0x0f, 0x00, 0xef, 0xc3}},     /* verw %di */
	{"sysenter", {0x0f, 0x34, 0xc3, 0x90}}, /* and ret */
};

static void *plant(const char *way)
{
	unsigned char *at, *second;
	int fd;
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(way, others[i].name)) {
			at = pages(1);
			memcpy(at, others[i].code, sizeof(others[i].code));
			mprotect(at, PAGE, CODE);
			return at;
		}
	if (!strcmp(way, "whole")) {
		at = pages(1);
		memcpy(at, code, sizeof(code));
		return mprotect(at, PAGE, CODE) ? NULL : at;
	}
	if (!strcmp(way, "hole")) { /* up to the hole, the protection is changed */
		at = pages(2);
		memcpy(at, code, sizeof(code));
		munmap(at + PAGE, PAGE);
		mprotect(at, 2 * PAGE, CODE);
		return at;
	}
	at = halves(&second);
	if (!strcmp(way, "halves")) {
		mprotect(at, PAGE, CODE);
		mprotect(second, PAGE, CODE);
		second[-1] = code[0];
		mprotect(second - PAGE, PAGE, CODE);
		return second - 1;
	}
	mprotect(at, PAGE, CODE);
	mprotect(second, PAGE, CODE);
	if (!strcmp(way, "move")) {
		mremap(second, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at + PAGE);
		return at + PAGE - 1;
	}
	if (!strcmp(way, "move-and-keep")) {
		mremap(second, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, at + PAGE);
		return at + PAGE - 1;
	}
	if (!strcmp(way, "move-before")) {
		munmap(second - PAGE, PAGE);
		mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, second - PAGE);
		return second - 1;
	}
	fd = file(2);
	if (!strcmp(way, "file-beside")) {
		pwrite(fd, code + 1, sizeof(code) - 1, 0);
		mmap(at + PAGE, PAGE, CODE, MAP_PRIVATE | MAP_FIXED, fd, 0);
		return at + PAGE - 1;
	}
	if (!strcmp(way, "file-grows")) {
		pwrite(fd, code, sizeof(code), PAGE);
		at = mmap(NULL, PAGE, CODE, MAP_PRIVATE, fd, 0);
		at = mremap(at, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
		return at + PAGE;
	}
	if (!strcmp(way, "file-again")) { /* the place that is left shows what the file has now */
		at = mmap(NULL, PAGE, CODE, MAP_PRIVATE, fd, 0);
		pwrite(fd, code, sizeof(code), 0);
		mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
		return at;
	}
	return NULL;
}

/* Code in files is executed wherever it is mapped, grown and moved to, also with nothing behind it. */
static int harmless(void)
{
	int fd = file(2);
	unsigned char *at = mmap(NULL, 4 * PAGE, CODE, MAP_PRIVATE, fd, 0), *kept, *grown;
	((void (*)(void))(at + PAGE))();
	kept = mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL);
	((void (*)(void))at)();
	((void (*)(void))kept)();
	grown = mmap(NULL, PAGE, CODE, MAP_PRIVATE, fd, 0);
	grown = mremap(grown, PAGE, 2 * PAGE, MREMAP_MAYMOVE);
	((void (*)(void))(grown + PAGE))();
	puts("harmless");
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "whole";
	if (!strcmp(way, "harmless"))
		return harmless();
	void *at = plant(way);
	if (!at) {
		perror("executable memory");
		return 3;
	}
	printf("%lu\n", ((unsigned long (*)(void))at)());
	return 0;
}
