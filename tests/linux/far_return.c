/* SPDX-License-Identifier: MIT */
/* A far return to another code segment: handlers of signals that come there, and of the fault that it is where there is
 * no such segment, are code of 64 bits; a handler that returns goes back to where it came from. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define CODE ((unsigned char *)0x10000000UL)
#define STACK 0x20000000UL /* code of 32 bits has half of a stack pointer */
#define STACK_BYTES 0x10000UL
#define CODE32 0x23

static sigjmp_buf back;
static int skips;

static void on_signal(int sig, siginfo_t *info, void *where)
{
	greg_t *registers = ((ucontext_t *)where)->uc_mcontext.gregs;
	printf(" signal %d, code %d, trap %lld, error %llx, cs %llx\n", sig, info->si_code, registers[REG_TRAPNO],
	       registers[REG_ERR], registers[REG_CSGSFS] & 0xffff);
	if (skips-- <= 0)
		siglongjmp(back, 1);
	registers[REG_RIP] += 2;
}

static void far_return(unsigned long selector)
{
	__asm__ volatile("mov %1, %%rsp\n\tpush %0\n\tpush %2\n\tlretq"
	                 :
	                 : "r"(selector), "r"(STACK + STACK_BYTES - 1024), "r"(CODE)
	                 : "memory");
	__builtin_unreachable();
}

int main(void)
{
	/* ud2; ud2: the second one comes when the handler has passed over the first. */
	static const unsigned char code[] = {0x0f, 0x0b, 0x0f, 0x0b};
	static const unsigned long selectors[] = {0, 0x10, 0x1b, CODE32, 0x2b, 0x33, 0x3b};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	assert(mmap(CODE, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == CODE);
	assert(mmap((void *)STACK, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
	            0) == (void *)STACK);
	memcpy(CODE, code, sizeof(code));
	assert(!mprotect(CODE, 4096, PROT_READ | PROT_EXEC));
	for (volatile unsigned i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
		printf("%lx:\n", selectors[i]);
		skips = selectors[i] == CODE32;
		if (!sigsetjmp(back, 1))
			far_return(selectors[i]);
	}
	return 0;
}
