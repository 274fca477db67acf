/* SPDX-License-Identifier: MIT */
/* A guest of the process engine that maps its RAM again and again by the stub's own system call, for which the host
 * would make page tables without end. For tests/security/stop.test. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "hypervisor/monitor/engine/process/channel.h"

#define PLACE 0x600000000000UL
#define BYTES 0x4000000UL
#define TIMES 16384 /* 1 TiB */

int main(void)
{
	static const uint8_t wanted[] = {0x0f, 0x05, 0xc3}; /* syscall; ret */
	const uint8_t *at = (const uint8_t *)STUB_TEXT;
	const long file = ((const struct plan *)STUB_PLAN)->ram_file;
	long result = 0;
	while (memcmp(at, wanted, sizeof(wanted)))
		at++;
	for (uint64_t place = PLACE; result >= 0 && place < PLACE + TIMES * BYTES; place += BYTES) {
		register long r10 __asm__("r10") = MAP_SHARED | MAP_FIXED, r8 __asm__("r8") = file,
				  r9 __asm__("r9") = 0;
		__asm__ volatile("call *%1"
		                 : "=a"(result)
		                 : "r"(at), "a"(SYS_mmap), "D"(place), "S"(BYTES), "d"((long)PROT_READ), "r"(r10),
		                   "r"(r8), "r"(r9)
		                 : "rcx", "r11", "memory");
	}
	puts(result == -ENOMEM ? "refused" : result < 0 ? "failed" : "mapped");
	return 0;
}
