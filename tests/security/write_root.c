/* SPDX-License-Identifier: MIT */
/* A guest of the process engine that maps a descriptor of its process by the stub's own system call, and writes to it:
 * write_root FD PROT [later]. With `later` it maps it for reading, and changes the rights then. For
 * tests/security/stop.test: the root image is such a file, and no guest's to change. `write_root plan` makes the page
 * of the plan writable, which the monitor reads, and `write_root many` two pages of its own memory at once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "hypervisor/monitor/engine/process/channel.h"

#define PLACE 0x600000000000UL

static long call_at(uint64_t address, size_t bytes, long number, long prot, long fd)
{
	static const uint8_t wanted[] = {0x0f, 0x05, 0xc3}; /* syscall; ret */
	const uint8_t *at = (const uint8_t *)STUB_TEXT;
	long result;
	while (memcmp(at, wanted, sizeof(wanted)))
		at++;
	register long r10 __asm__("r10") = MAP_SHARED | MAP_FIXED, r8 __asm__("r8") = fd, r9 __asm__("r9") = 0;
	__asm__ volatile("call *%1"
	                 : "=a"(result)
	                 : "r"(at), "a"(number), "D"(address), "S"(bytes), "d"(prot), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return result;
}

static long call(long number, long prot, long fd)
{
	return call_at(PLACE, 4096, number, prot, fd);
}

/* Gives the right to write where the filter allows it to no process. */
static int give_right(const char *what)
{
	static char own[3 * 4096];
	const uint64_t page = ((uint64_t)own + 4095) & ~4095UL;
	if (!strcmp(what, "plan"))
		printf("changed %d\n", !call_at(STUB_PLAN, 4096, SYS_mprotect, PROT_READ | PROT_WRITE, 0));
	else
		printf("changed %d\n", !call_at(page, 8192, SYS_mprotect, PROT_READ | PROT_WRITE, 0));
	return 0;
}

int main(int count, char **arguments)
{
	if (count == 2)
		return give_right(arguments[1]);
	if (count < 3)
		return 2;
	const long fd = atol(arguments[1]), prot = atol(arguments[2]);
	const long result = call(SYS_mmap, count > 3 ? PROT_READ : prot, fd);
	printf("mapped %d\n", result == PLACE);
	fflush(stdout);
	if (count > 3)
		printf("changed %d\n", !call(SYS_mprotect, prot, fd));
	fflush(stdout);
	if (prot & PROT_WRITE)
		memset((void *)PLACE, 'x', 16);
	puts("done");
	return 0;
}
