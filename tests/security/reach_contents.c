/* SPDX-License-Identifier: MIT */
/* A guest of the process engine that takes over the stub in its process: it opens one host file, and then maps every
 * descriptor that the process may have, by the stub's own system call. Prints the beginnings of those that begin with
 * MARKER. For tests/security/contents.test: reach_contents FILE PAGES [write],
 * where every file that the process may have has so many pages: beyond its end the host gives SIGBUS. With `write` it
 * maps them to write to them, too. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hypervisor/monitor/engine/process/channel.h"

#define PLACE 0x600000000000UL
#define DESCRIPTORS 200

static const uint8_t *stub_syscall(void)
{
	static const uint8_t wanted[] = {0x0f, 0x05, 0xc3}; /* syscall; ret */
	const uint8_t *at = (const uint8_t *)STUB_TEXT;
	while (memcmp(at, wanted, sizeof(wanted)))
		at++;
	return at;
}

static long map(const uint8_t *stub, long fd, long offset, long protection)
{
	register long r10 __asm__("r10") = MAP_SHARED | MAP_FIXED, r8 __asm__("r8") = fd, r9 __asm__("r9") = offset;
	long result;
	__asm__ volatile("call *%1"
	                 : "=a"(result)
	                 : "r"(stub), "a"(SYS_mmap), "D"(PLACE), "S"(4096L), "d"(protection), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

int main(int count, char **arguments)
{
	const uint8_t *stub = stub_syscall();
	char byte, text[32] = {0};
	int file = count > 1 ? open(arguments[1], O_RDONLY) : -1;
	const long pages = count > 2 ? atol(arguments[2]) : 0;
	const long protection = count > 3 ? PROT_READ | PROT_WRITE : PROT_READ;
	if (!pages || file < 0 || read(file, &byte, 1) != 1)
		return 2;
	for (long fd = 0; fd < DESCRIPTORS; fd++)
		for (long i = 0; i < pages; i++) {
			if (map(stub, fd, i << 12, protection) != (long)PLACE)
				break;
			if (memcmp((const void *)PLACE, "MARKER", 6))
				continue;
			memcpy(text, (const void *)PLACE, 8);
			if (protection & PROT_WRITE)
				memcpy((void *)PLACE, "ALTERED", 7);
			printf("found %s\n", text);
		}
	puts("done");
	return 0;
}
