/* SPDX-License-Identifier: MIT */
/* eremite_marker() changes nothing that a program has, natively and in the guest: neither errno nor vector registers,
 * which tests/search/inside.test lets a guest restore there. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "libc-port/include/eremite.h"

static uint8_t in[64], out[64];

/* Loads vector registers, makes the marker's system call, and stores them. */
static void pass_marker(void)
{
	long number = 400;
	if (!__builtin_cpu_supports("avx2")) {
		eremite_marker("registers");
		memcpy(out, in, sizeof(out));
		return;
	}
	__asm__ volatile("vmovdqu (%[in]), %%ymm5\n\t"
	                 "vmovdqu 32(%[in]), %%ymm15\n\t"
	                 "syscall\n\t"
	                 "vmovdqu %%ymm5, (%[out])\n\t"
	                 "vmovdqu %%ymm15, 32(%[out])\n\t"
	                 "vxorps %%ymm5, %%ymm5, %%ymm5\n\t"
	                 "vxorps %%ymm15, %%ymm15, %%ymm15"
	                 : "+a"(number)
	                 : "D"("registers"), [in] "r"(in), [out] "r"(out)
	                 : "rcx", "r11", "memory", "xmm5", "xmm15");
}

static void *nothing(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	for (unsigned i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(i * 7 + 1);
	errno = EDOM;
	eremite_marker("first");
	printf("errno %d\n", errno == EDOM);
	pass_marker();
	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	printf("registers %d\n", !memcmp(in, out, sizeof(in)));
	return memcmp(in, out, sizeof(in)) != 0;
}
