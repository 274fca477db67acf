/* SPDX-License-Identifier: MIT */
/* Alignment checks (the AC flag): SIGBUS for the program, and nothing for its kernel calls. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "say.h"

static sigjmp_buf back;
static void *volatile nowhere = (void *)17;
static char bytes[64] __attribute__((aligned(16)));

static void set_ac(void)
{
	__asm__ volatile("sub $128, %%rsp\n pushfq\n orq $0x40000, (%%rsp)\n popfq\n add $128, %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

/* Whether it was still set. */
static int clear_ac(void)
{
	uint64_t flags;
	__asm__ volatile(
		"sub $128, %%rsp\n pushfq\n mov (%%rsp), %0\n andq $~0x40000, (%%rsp)\n popfq\n add $128, %%rsp"
		: "=&r"(flags)
		:
		: "memory", "cc");
	return flags >> 18 & 1;
}

static void on_bus(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	clear_ac();
	printf("signal %d, code %d, address %p, trap %d, error %d, AC %d\n", sig, info->si_code, info->si_addr,
	       (int)registers[REG_TRAPNO], (int)registers[REG_ERR], (int)(registers[REG_EFL] >> 18 & 1));
	siglongjmp(back, 1);
}

#define TRY(what, ...) \
	do { \
		printf("%s: ", what); \
		if (!sigsetjmp(back, 1)) { \
			set_ac(); \
			__VA_ARGS__; \
			int was = clear_ac(); \
			printf("no signal, AC %d\n", was); \
		} \
		clear_ac(); \
	} while (0)

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO};
	volatile long result = 0;
	int ends[2];
	setbuf(stdout, NULL);
	sigaction(SIGBUS, &action, NULL);
	TRY("aligned", *(volatile long *)(bytes + 8) = 1);
	TRY("a store", *(volatile long *)(bytes + 1) = 1);
	TRY("a load", (void)*(volatile short *)(bytes + 3));
	TRY("bytes", bytes[3] = 1);
	pipe(ends);
	/* Each once before, for the dynamic linker's accesses are not aligned. */
	write(ends[1], bytes, 0);
	read(-1, bytes, 0);
	munmap(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
	TRY("write", result = write(ends[1], bytes + 1, 37));
	printf("= %ld\n", result);
	TRY("read", result = read(ends[0], bytes + 3, 30));
	printf("= %ld\n", result);
	TRY("write to a bad pointer", result = write(ends[1], nowhere, 3));
	printf("= %ld\n", result);
	char *memory[3] = {0};
	TRY("mmap",
	    for (int i = 0; i < 3; i++) memory[i] = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	TRY("munmap", result = munmap(memory[1], 4096));
	printf("= %ld\n", result);
	return 0;
}
