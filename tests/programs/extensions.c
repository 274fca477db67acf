/* SPDX-License-Identifier: MIT */
/* Executes AES instructions, which no processor model has, for a second or so: in its own code ("own") or in code made
 * at run time ("made"). With "plain" it only computes, for as long. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define ROUNDS 500000000L

__attribute__((noinline)) static uint64_t encrypt(long rounds)
{
	uint64_t low = 1;
	__asm__ volatile("movq %1, %%xmm0\n"
	                 "movq %1, %%xmm1\n"
	                 "1: aesenc %%xmm1, %%xmm0\n"
	                 "dec %0\n"
	                 "jnz 1b\n"
	                 "movq %%xmm0, %1\n"
	                 : "+r"(rounds), "+r"(low)
	                 :
	                 : "xmm0", "xmm1", "cc");
	return low;
}

__attribute__((noinline)) static uint64_t compute(long rounds)
{
	uint64_t value = 1;
	while (rounds--) {
		value = value * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("" : "+r"(value));
	}
	return value;
}

/* The loop of encrypt: aesenc %xmm1, %xmm0; dec %rdi; jnz; ret */
static uint64_t encrypt_in_made_code(long rounds)
{
	static const uint8_t code[] = {0x66, 0x0f, 0x38, 0xdc, 0xc1, 0x48, 0xff, 0xcf, 0x75, 0xf6, 0xc3};
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(at, code, sizeof(code));
	((void (*)(long))at)(rounds);
	return 0;
}

int main(int count, char **words)
{
	const char *what = count > 1 ? words[1] : "";
	uint64_t result = !strcmp(what, "own")    ? encrypt(ROUNDS)
	                  : !strcmp(what, "made") ? encrypt_in_made_code(ROUNDS)
	                                          : compute(ROUNDS);
	printf("%lx\n", result);
	return 0;
}
