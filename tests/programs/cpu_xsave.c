/* SPDX-License-Identifier: MIT */
/* Operands of XSAVE and XRSTOR: segments, 32-bit addresses, areas that end before their page, headers, and the signals
 * of areas that may not be accessed. What is printed is the same on each processor that has AVX. With an argument: the
 * instructions that the processor models do not have. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096L
#define ARCH_SET_GS 0x1001
#define ANY (MAP_PRIVATE | MAP_ANONYMOUS)
#define FILLED 0x1122334455667788UL

static sigjmp_buf back;
static uint8_t *mapped_on_fault;

static void handle(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint8_t *code = (const uint8_t *)registers[REG_RIP];
	long page = ((long)info->si_addr & -PAGE) - (registers[REG_RDI] & -PAGE);
	if (sig == SIGILL)
		printf("signal %d, code %d: at the instruction %d\n", sig, info->si_code, info->si_addr == code);
	else if (info->si_code == SI_KERNEL)
		printf("signal %d, not for an address: %p\n", sig, info->si_addr);
	else
		printf("signal %d, code %d, page %ld\n", sig, info->si_code, page / PAGE);
	if (!mapped_on_fault)
		siglongjmp(back, 1);
	mprotect(mapped_on_fault, PAGE, PROT_READ | PROT_WRITE);
	mapped_on_fault = NULL;
}

/* Executes an instruction with EDX:EAX and RDI. xmm5 and the upper half of ymm5 hold a value before. Prints its fault,
 * or xmm5 and that half afterwards. */
#define RUN(instruction, states, di) \
	do { \
		uint64_t low_ = FILLED, high_; \
		printf("%s, %d: ", instruction, states); \
		fflush(stdout); \
		if (!sigsetjmp(back, 1)) { \
			__asm__ volatile( \
				"vmovq %0, %%xmm5\n\tvinsertf128 $1, %%xmm5, %%ymm5, %%ymm5\n\t" instruction \
				"\n\tvmovq %%xmm5, %0\n\tvextractf128 $1, %%ymm5, %%xmm5\n\tvmovq %%xmm5, %1\n\t" \
				"vzeroupper" \
				: "+r"(low_), "=&r"(high_) \
				: "a"(states), "d"(0), "D"(di) \
				: "xmm5", "memory"); \
			printf("%lx %lx\n", low_, high_); \
		} \
	} while (0)

static uint8_t *pages(long count, int prot)
{
	return mmap(NULL, (size_t)(count * PAGE), prot, ANY | MAP_32BIT, -1, 0);
}

static void header(uint8_t *area, uint64_t states)
{
	memset(area, 0, 576);
	area[0] = 0x7f;
	area[1] = 3;
	area[24] = 0x80;
	area[25] = 0x1f;
	memset(area + 160, 0x33, 256);
	memcpy(area + 512, &states, sizeof(states));
}

static _Thread_local uint8_t own[4096] __attribute__((aligned(64)));

static void prefixes(void)
{
	uint8_t *area = pages(2, PROT_READ | PROT_WRITE);
	uint64_t value;
	memset(own, 0, sizeof(own));
	RUN("xsave64 %%fs:own@tpoff", 7, 0);
	memcpy(&value, own + 160 + 80, sizeof(value));
	printf("its place: %lx, in use %d\n", value, (own[512] & 6) == 6);
	memset(own + 160 + 80, 0x44, 8);
	RUN("xrstor %%fs:own@tpoff", 2, 0);
	syscall(SYS_arch_prctl, ARCH_SET_GS, area);
	RUN("xsave %%gs:64(%%rdi)", 7, PAGE - 64);
	memcpy(&value, area + PAGE + 160 + 80, sizeof(value));
	printf("its place: %lx\n", value);
	RUN(".byte 0x65, 0x67; xsave (%%rdi)", 7, PAGE | 0x7700000000);
	syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
	header(area, 7);
	RUN("addr32 xrstor (%%edi)", 7, (uintptr_t)area | 0x7700000000);
	RUN(".byte 0x3e; xrstor (%%rdi)", 7, area);
	RUN(".byte 0x2e, 0x26, 0x36; xrstor64 -64(%%rdi)", 7, area + 64);
}

static void ends(void)
{
	uint8_t *area = pages(2, PROT_READ | PROT_WRITE) + PAGE - 576;
	mprotect(area + 576, PAGE, PROT_NONE);
	header(area, 3);
	RUN("xrstor (%%rdi)", 3, area);
	RUN("xsave (%%rdi)", 3, area);
	header(area, 7);
	RUN("xrstor (%%rdi)", 3, area);
	RUN("xrstor (%%rdi)", 7, area);
	RUN("xsave (%%rdi)", 7, area);
	munmap(area + 576, PAGE);
	RUN("xrstor 0(%%rdi)", 7, area);
	RUN("xsave 1024(%%rdi)", 7, area - 1024);
}

static void headers(void)
{
	uint8_t *area = pages(1, PROT_READ | PROT_WRITE);
	for (int at = 8; at < 64; at += 8) {
		header(area, 3);
		area[512 + at] = 1;
		printf("header %d: ", at);
		RUN("xrstor (%%rdi)", 3, area);
	}
	header(area, 3);
	area[512 + 7] = 0x40;
	RUN("xrstor (%%rdi)", 3, area);
	header(area, 3);
	area[27] = 1;
	RUN("xrstor (%%rdi)", 3, area);
	RUN("xrstor (%%rdi)", 1, area);
	RUN("xrstor 8(%%rdi)", 1, area);
}

static void faults(void)
{
	uint8_t *none = pages(1, PROT_NONE), *gone = pages(1, PROT_NONE), *fixed = pages(1, PROT_READ);
	munmap(gone, PAGE);
	RUN("xsave (%%rdi)", 7, gone);
	RUN("xrstor (%%rdi)", 7, gone);
	RUN("xsave (%%rdi)", 7, none);
	RUN("xrstor (%%rdi)", 7, none);
	RUN("xsave (%%rdi)", 7, fixed);
	RUN("xsave (%%rdi)", 7, 0x8000000000000000);
	RUN("xsave (%%rdi)", 7, none + 8);
	mapped_on_fault = none;
	RUN("xsave (%%rdi)", 7, none);
	mapped_on_fault = fixed;
	RUN("xsave 1024(%%rdi)", 7, fixed - 1024);
	printf("mapped by the handler: %x %x\n", none[160 + 80], fixed[160 + 80]);
}

static void absent(void)
{
	static uint8_t area[4096] __attribute__((aligned(64)));
	RUN("xsavec (%%rdi)", 7, area);
	RUN("xsaveopt (%%rdi)", 7, area);
	RUN("xsavec64 1024(%%rdi)", 7, area);
	RUN("xsaveopt64 %%fs:1024(%%rdi)", 7, area);
}

int main(int argc, char **argv)
{
	const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	(void)argv;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	if (argc > 1) {
		absent();
		return 0;
	}
	prefixes();
	ends();
	headers();
	faults();
	return 0;
}
