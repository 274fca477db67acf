/* SPDX-License-Identifier: MIT */
/* Operands that the processor refuses: at addresses that are not canonical, are not aligned, or are the kernel's. The
 * same signals as on Linux, whatever the virtual machine says of them; on kvm-pvm that is another exception, or another
 * error code in each run. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static sigjmp_buf back;

static void handle(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	void *address = sig == SIGSEGV || sig == SIGBUS ? info->si_addr : NULL;
	printf("signal %d, code %d, address %p, trap %d, error %llx\n", sig, info->si_code, address,
	       (int)at->uc_mcontext.gregs[REG_TRAPNO], (unsigned long long)at->uc_mcontext.gregs[REG_ERR]);
	siglongjmp(back, 1);
}

#define TRY(what) \
	do { \
		printf("%s: ", #what); \
		fflush(stdout); \
		if (!sigsetjmp(back, 1)) { \
			what; \
			puts("nothing"); \
		} \
	} while (0)
#define AT(code) \
	TRY(__asm__ volatile(code \
	                     : \
	                     : "r"(p), "D"(p) \
	                     : "xmm0", "xmm1", "st", "rax", "rbx", "rcx", "rdx", "r8", "memory"))

static void at(const char *p)
{
	AT("movaps (%0), %%xmm0");
	AT("movdqa %%xmm0, (%0)");
	AT("addps (%0), %%xmm0");
	AT("paddd (%0), %%xmm0");
	AT("pcmpeqb (%0), %%xmm0");
	AT("pxor (%0), %%xmm0");
	AT("shufps $0, (%0), %%xmm0");
	AT("pshufb (%0), %%xmm0");
	AT("palignr $3, (%0), %%xmm0");
	AT("sqrtps (%0), %%xmm8");
	AT("cmpxchg16b (%0)");
	AT("lock cmpxchg16b (%0)");
	AT("movdqu (%0), %%xmm0");
	AT("movups %%xmm0, (%0)");
	AT("movsd (%0), %%xmm0");
	AT("mulsd (%0), %%xmm0");
	AT("cvtsi2sdl (%0), %%xmm0");
	AT("pmovsxbw (%0), %%xmm0");
	AT("pcmpistri $0, (%0), %%xmm0");
	AT("popcnt (%0), %%eax");
	AT("crc32b (%0), %%eax");
	AT("bsf (%0), %%eax");
	AT("mov (%0), %%eax");
	AT("lock incl (%0)");
	AT("stmxcsr (%0)");
	AT("fldl (%0); fstp %%st");
	AT("maskmovdqu %%xmm1, %%xmm1");
}

/* At addresses relative to the next instruction, of instructions with and without an immediate. */
static void relative(void)
{
	TRY(__asm__ volatile("addps bytes_here+4(%%rip), %%xmm0" : : : "xmm0"));
	TRY(__asm__ volatile("addps bytes_here(%%rip), %%xmm0" : : : "xmm0"));
	TRY(__asm__ volatile("pshufb bytes_here+9(%%rip), %%xmm9" : : : "xmm9"));
	TRY(__asm__ volatile("shufps $1, bytes_here+8(%%rip), %%xmm0" : : : "xmm0"));
	TRY(__asm__ volatile("palignr $1, bytes_here+12(%%rip), %%xmm0" : : : "xmm0"));
	TRY(__asm__ volatile("palignr $1, bytes_here(%%rip), %%xmm0" : : : "xmm0"));
}

__asm__(".pushsection .data\n\t.balign 16\nbytes_here:\n\t.fill 64, 1, 0\n\t.popsection");

static void by_stack_registers(uint64_t bad)
{
	TRY(__asm__ volatile("mov %%rbp, %%r8; mov %0, %%rbp; mov (%%rbp), %%rax; mov %%r8, %%rbp"
	                     :
	                     : "r"(bad)
	                     : "r8", "rax"));
	TRY(__asm__ volatile("mov %%rbp, %%r8; mov %0, %%rbp; movsd 8(%%rbp), %%xmm0; mov %%r8, %%rbp"
	                     :
	                     : "r"(bad)
	                     : "r8", "xmm0"));
	TRY(__asm__ volatile("mov %%rsp, %%r8; mov %0, %%rsp; push %%rax; mov %%r8, %%rsp" : : "r"(bad) : "r8"));
	TRY(__asm__ volatile("mov %%rsp, %%r8; mov %0, %%rsp; addpd (%%rsp), %%xmm0; mov %%r8, %%rsp"
	                     :
	                     : "r"(bad)
	                     : "r8", "xmm0"));
	TRY(__asm__ volatile("mov %0, %%r13; addpd (%%r13), %%xmm0" : : "r"(bad) : "r13", "xmm0"));
}

static void of_the_kernel(uint64_t address)
{
	printf("%llx\n", (unsigned long long)address);
	TRY((void)*(volatile char *)address);
	TRY(*(volatile char *)address = 1);
	TRY(((void (*)(void))address)());
	TRY(__asm__ volatile("movups (%0), %%xmm0" : : "r"(address) : "xmm0"));
}

int main(void)
{
	static char bytes[64] __attribute__((aligned(64)));
	static char stack[65536];
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	uint32_t bad_control = UINT32_MAX;
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	at(bytes + 1);
	at((char *)0x4141414141414141);
	relative();
	by_stack_registers(0x4141414141414140);
	TRY(((void (*)(void))0x4141414141414141)());
	TRY(__asm__ volatile("ldmxcsr %0" : : "m"(bad_control)));
	for (int i = 0; i < 5; i++) {
		of_the_kernel(0xffff800000000000);
		of_the_kernel(0xffff800000001000);
	}
	of_the_kernel(0xffff888000000000);
	of_the_kernel(0xffffffff81000000);
	of_the_kernel(0xfffffffffffff000);
	TRY(__asm__ volatile("ud2"));
	TRY(__asm__ volatile(".byte 0x0f, 0xb9, 0x40, 0x01")); /* UD1 */
	TRY(__asm__ volatile(".byte 0x06"));
	return 0;
}
