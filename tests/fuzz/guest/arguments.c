/* SPDX-License-Identifier: MIT */
/* Arguments that a seed chooses: numbers, descriptors and memory. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

#define TABLE_SIZE 48
#define ROOM_BYTES 65536

_Thread_local uint64_t calls_state;
static _Thread_local unsigned char room[ROOM_BYTES];
static volatile int table[TABLE_SIZE] = {[0 ... TABLE_SIZE - 1] = -1};

/* SplitMix64. */
uint64_t calls_random(void)
{
	uint64_t z = calls_state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned calls_below(unsigned limit)
{
	return (unsigned)(calls_random() >> 33) % limit;
}

long calls_number(void)
{
	switch (calls_below(8)) {
	case 0:
	case 1:
		return (long)calls_below(8);
	case 2:
		return (long)calls_below(300);
	case 3:
		return (long)calls_below(70000);
	case 4:
		return 1L << calls_below(64);
	case 5:
		return (1L << calls_below(63)) - 1;
	case 6:
		return -(long)calls_below(5);
	default:
		return CALLS_RARELY(2) ? (long)calls_random() : (int)calls_random();
	}
}

unsigned long calls_flags(unsigned long valid)
{
	switch (calls_below(6)) {
	case 0:
		return 0;
	case 1:
		return valid;
	case 2:
		return 1UL << calls_below(32);
	case 3:
		return CALLS_RARELY(4) ? calls_random() : valid & calls_random();
	default:
		return valid & calls_random() & calls_random();
	}
}

int calls_signal(void)
{
	return (int)CALLS_ONE_OF(SIGUSR1, SIGUSR2, SIGALRM, SIGIO, SIGWINCH, SIGHUP, SIGTTIN, SIGTTOU, SIGTSTP, SIGCONT,
	                         SIGURG, 34, 40, 64, 0);
}

int calls_fd(void)
{
	if (CALLS_RARELY(16))
		return (int)CALLS_ONE_OF(-1, AT_FDCWD, 0, 63, 1023, 1 << 20, 0x7fffffff, 1UL << 31);
	return CALLS_RARELY(10) ? (int)calls_below(TABLE_SIZE) : table[calls_below(TABLE_SIZE)];
}

int calls_keep(int fd)
{
	if (fd < 0)
		return fd;
	int old = __atomic_exchange_n(&table[calls_below(TABLE_SIZE)], fd, __ATOMIC_SEQ_CST);
	if (old >= 0 && !CALLS_RARELY(20)) // a descriptor that no table has is closed at the end of the process
		close(old);
	return fd;
}

unsigned char *calls_room(void)
{
	for (unsigned i = 0; i < 8; i++)
		((uint64_t *)room)[calls_below(ROOM_BYTES / 8)] = calls_random();
	return room;
}

/* Three pages: one to read and write, one only to read, and one that is not there. */
static unsigned char *odd_pages(void)
{
	static unsigned char *volatile pages;
	if (!pages) {
		unsigned char *at = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(at + 4096, 4096, PROT_READ);
		mprotect(at + 8192, 4096, PROT_NONE);
		pages = at;
	}
	return pages;
}

void *calls_memory(size_t size)
{
	if (!CALLS_RARELY(12)) {
		unsigned char *at = calls_room();
		for (size_t i = 0; i < size && i < 256; i++)
			at[i] = (unsigned char)(CALLS_RARELY(2) ? calls_random() : calls_below(3));
		return at;
	}
	switch (calls_below(6)) {
	case 0:
		return NULL;
	case 1:
		return (void *)calls_random(); // hardly ever canonical
	case 2:
		return (void *)(0xffff800000000000 + (calls_random() & 0xfffffff));
	case 3:
		return odd_pages() + 8192 - (size < 4096 ? size : 4096); // ends where nothing is
	case 4:
		return odd_pages() + 4096 - calls_below(64); // ends where nothing can be written
	default:
		return (void *)(0x7ffffffff000 - calls_below(64));
	}
}

const char *calls_path(char path[64])
{
	snprintf(path, 64, "%s%.*s%c", CALLS_RARELY(3) ? "d/" : "", CALLS_RARELY(8) ? 40 : 0,
	         "a-name-that-is-longer-than-thirty-two-bytes", "abcdef"[calls_below(6)]);
	return path;
}
