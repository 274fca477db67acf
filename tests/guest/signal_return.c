/* SPDX-License-Identifier: MIT */
/* A handler that repairs the cause of a fault and returns: the instruction is done again, and every register, the
 * flags, x87 and SSE state are as they were. */
#include <fenv.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "say.h"

#define PAGE 4096UL

static char *page;
static volatile int faults;

/* Does what would spoil registers that are not saved. */
static void repair(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;
	(void)sig;
	faults++;
	if (info->si_addr < (void *)page || info->si_addr >= (void *)(page + 4 * PAGE))
		abort();
	if (u->uc_mcontext.gregs[REG_RIP] == 0)
		abort();
	volatile double x = 1.0;
	for (int i = 0; i < 50; i++)
		x = x * 1.5 + (double)i;
	volatile long double y = (long double)x;
	y = y * y;
	char text[64];
	snprintf(text, sizeof(text), "%.10f %Lg", x, y);
	feraiseexcept(FE_INEXACT | FE_OVERFLOW);
	mprotect((void *)((uintptr_t)info->si_addr & ~(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
}

struct state {
	uint64_t general[13];
	uint64_t flags;
	uint8_t sse[16][16];
	uint32_t mxcsr;
	uint16_t x87_control;
};

/* Loads every register, touches a byte at rdi, stores them all. */
static void touch(char *at, const struct state *in, struct state *out)
{
	__asm__ volatile(
		"push %%rbp\n\t"
		"push %[out]\n\t"
		"mov %[at], %%rdi\n\t"
		"mov %[in], %%rsi\n\t"
		"movdqu 112(%%rsi), %%xmm0\n\tmovdqu 128(%%rsi), %%xmm1\n\tmovdqu 144(%%rsi), %%xmm2\n\t"
		"movdqu 160(%%rsi), %%xmm3\n\tmovdqu 176(%%rsi), %%xmm4\n\tmovdqu 192(%%rsi), %%xmm5\n\t"
		"movdqu 208(%%rsi), %%xmm6\n\tmovdqu 224(%%rsi), %%xmm7\n\tmovdqu 240(%%rsi), %%xmm8\n\t"
		"movdqu 256(%%rsi), %%xmm9\n\tmovdqu 272(%%rsi), %%xmm10\n\tmovdqu 288(%%rsi), %%xmm11\n\t"
		"movdqu 304(%%rsi), %%xmm12\n\tmovdqu 320(%%rsi), %%xmm13\n\tmovdqu 336(%%rsi), %%xmm14\n\t"
		"movdqu 352(%%rsi), %%xmm15\n\t"
		"ldmxcsr 368(%%rsi)\n\tfldcw 372(%%rsi)\n\t"
		"mov 0(%%rsi), %%rax\n\tmov 8(%%rsi), %%rbx\n\tmov 16(%%rsi), %%rcx\n\tmov 24(%%rsi), %%rdx\n\t"
		"mov 32(%%rsi), %%r8\n\tmov 40(%%rsi), %%r9\n\tmov 48(%%rsi), %%r10\n\tmov 56(%%rsi), %%r11\n\t"
		"mov 64(%%rsi), %%r12\n\tmov 72(%%rsi), %%r13\n\tmov 80(%%rsi), %%r14\n\tmov 88(%%rsi), %%r15\n\t"
		"mov 96(%%rsi), %%rbp\n\t"
		"movq $0x1122334455667788, %%rsi\n\t"
		"cmp %%rsi, %%rsi\n\t stc\n\t" /* zero, parity and carry flags */
		"movb $77, (%%rdi)\n\t"        /* the fault */
		"mov (%%rsp), %%rsi\n\t"
		"mov %%rax, 0(%%rsi)\n\tmov %%rbx, 8(%%rsi)\n\tmov %%rcx, 16(%%rsi)\n\tmov %%rdx, 24(%%rsi)\n\t"
		"mov %%r8, 32(%%rsi)\n\tmov %%r9, 40(%%rsi)\n\tmov %%r10, 48(%%rsi)\n\tmov %%r11, 56(%%rsi)\n\t"
		"mov %%r12, 64(%%rsi)\n\tmov %%r13, 72(%%rsi)\n\tmov %%r14, 80(%%rsi)\n\tmov %%r15, 88(%%rsi)\n\t"
		"mov %%rbp, 96(%%rsi)\n\t"
		"pushfq\n\tpopq 104(%%rsi)\n\t"
		"movdqu %%xmm0, 112(%%rsi)\n\tmovdqu %%xmm1, 128(%%rsi)\n\tmovdqu %%xmm2, 144(%%rsi)\n\t"
		"movdqu %%xmm3, 160(%%rsi)\n\tmovdqu %%xmm4, 176(%%rsi)\n\tmovdqu %%xmm5, 192(%%rsi)\n\t"
		"movdqu %%xmm6, 208(%%rsi)\n\tmovdqu %%xmm7, 224(%%rsi)\n\tmovdqu %%xmm8, 240(%%rsi)\n\t"
		"movdqu %%xmm9, 256(%%rsi)\n\tmovdqu %%xmm10, 272(%%rsi)\n\tmovdqu %%xmm11, 288(%%rsi)\n\t"
		"movdqu %%xmm12, 304(%%rsi)\n\tmovdqu %%xmm13, 320(%%rsi)\n\tmovdqu %%xmm14, 336(%%rsi)\n\t"
		"movdqu %%xmm15, 352(%%rsi)\n\t"
		"stmxcsr 368(%%rsi)\n\tfnstcw 372(%%rsi)\n\t"
		"pop %[out]\n\t"
		"pop %%rbp\n\t"
		: [at] "+D"(at), [in] "+S"(in), [out] "+d"(out)
		:
		: "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0",
		  "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
		  "xmm13", "xmm14", "xmm15");
}

static void once(int round)
{
	struct state in, out;
	memset(&in, 0, sizeof(in));
	memset(&out, 0xee, sizeof(out));
	for (int i = 0; i < 13; i++)
		in.general[i] = 0x0123456789abcdefUL * (unsigned)(i + 1 + round);
	for (int i = 0; i < 256; i++)
		in.sse[i / 16][i % 16] = (uint8_t)(i * 7 + round);
	in.mxcsr = round % 2 ? 0x7f80 : 0x1f80;
	in.x87_control = round % 2 ? 0x0f7f : 0x037f;
	int before = faults;
	touch(page + (round % 4) * (int)PAGE + 5, &in, &out);
	printf("round %d: %d fault, general %s, SSE %s, MXCSR %s, x87 %s, flags %03x, byte %d\n", round,
	       faults - before, memcmp(in.general, out.general, sizeof(in.general)) ? "CHANGED" : "kept",
	       memcmp(in.sse, out.sse, sizeof(in.sse)) ? "CHANGED" : "kept", in.mxcsr == out.mxcsr ? "kept" : "CHANGED",
	       in.x87_control == out.x87_control ? "kept" : "CHANGED", (unsigned)out.flags & 0xcd5,
	       page[(round % 4) * (int)PAGE + 5]);
	uint32_t normal = 0x1f80;
	uint16_t control = 0x037f;
	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(normal), "m"(control));
	if (round % 4 == 3)
		mprotect(page, 4 * PAGE, round % 8 == 3 ? PROT_READ : PROT_NONE);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	page = mmap(NULL, 4 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int round = 0; round < 16; round++)
		once(round);
	/* Floating-point work in progress goes on as if nothing had been. */
	mprotect(page, PAGE, PROT_NONE);
	double a = 1.0 / 3.0, b = 2.0 / 7.0;
	long double c = 1.0L / 3.0L;
	page[0] = 1;
	printf("%a %a %a\n", a * b, a + b, (double)(c * 3.0L));
	printf("%d faults\n", faults);
	return 0;
}
