/* SPDX-License-Identifier: MIT */
/* A constant in the data of a program, and of a library, by which OpenJDK seeds its random numbers: as the program
 * finds it, in its file, and in mappings of that. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace os
{
volatile unsigned int _rand_seed = 1234567;
}

#ifdef LIBRARY
extern "C" unsigned library_seed()
{
	return os::_rand_seed;
}
#else
static const long page = 4096;
static long place; /* in the file */

static int find_place(struct dl_phdr_info *info, size_t, void *)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) &p = info->dlpi_phdr[i];
		unsigned long at = (unsigned long)&os::_rand_seed - info->dlpi_addr;
		if (p.p_type == PT_LOAD && at >= p.p_vaddr && at < p.p_vaddr + p.p_filesz)
			place = (long)(at - p.p_vaddr + p.p_offset);
	}
	return 1; /* the first one is the program */
}

static char *map(int fd, long from, long pages, int prot, int flags, void *at = nullptr)
{
	void *mapped = mmap(at, (size_t)(pages * page), prot, flags, fd, from);
	if (mapped == MAP_FAILED)
		exit(1);
	return (char *)mapped;
}

static volatile unsigned *in(char *mapped)
{
	return (volatile unsigned *)(mapped + place % page);
}

static void say(const char *what, unsigned value)
{
	printf("%s %u\n", what, value);
}

static void mappings(int fd)
{
	long from = place & -page;
	say("private, to read:", *in(map(fd, from, 1, PROT_READ, MAP_PRIVATE)));
	say("shared:", *in(map(fd, from, 1, PROT_READ, MAP_SHARED)));
	char *own = map(fd, from, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	say("private, to write:", *in(own));
	*in(own) = 5;
	mprotect(own, page, PROT_READ);
	mprotect(own, page, PROT_READ | PROT_WRITE);
	say("stored:", *in(own));
	madvise(own, page, MADV_DONTNEED);
	say("discarded:", *in(own));
	*in(own) = 6;
	map(fd, from, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, own);
	say("mapped again:", *in(own));
	char *later = map(fd, from, 1, PROT_READ, MAP_PRIVATE);
	mprotect(later, page, PROT_READ | PROT_WRITE);
	say("to write later:", *in(later));
	if (from) {
		char *two = map(fd, from - page, 2, PROT_READ | PROT_WRITE, MAP_PRIVATE);
		say("behind another page:", *in(two + page));
		map(fd, from - page, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, two + page);
		unsigned other;
		if (pread(fd, &other, sizeof(other), place - page) == sizeof(other))
			printf("another page: %d\n", *in(two + page) == other);
	}
}

static void processes()
{
	os::_rand_seed = os::_rand_seed + 1;
	fflush(stdout);
	if (!fork()) {
		say("child:", os::_rand_seed - 1);
		fflush(stdout);
		os::_rand_seed = 1;
		_exit(0);
	}
	wait(nullptr);
	say("parent:", os::_rand_seed - 1);
}

int main(int argc, char **argv)
{
	unsigned value = 0;
	say("program:", os::_rand_seed);
	dl_iterate_phdr(find_place, nullptr);
	int fd = open("/proc/self/exe", O_RDONLY);
	if (pread(fd, &value, sizeof(value), place) != sizeof(value))
		return 1;
	say("file:", value);
	mappings(fd);
	processes();
	if (argc > 1) {
		void *library = dlopen(argv[1], RTLD_NOW);
		if (!library)
			return 1;
		auto library_seed = (unsigned (*)())dlsym(library, "library_seed");
		say("library:", library_seed());
	}
	return 0;
}
#endif
