/* SPDX-License-Identifier: MIT */
/* The state of AVX: kept across thread switches, signal handlers, faults, fork and clone, and given to XSAVE. What is
 * printed is the same on each processor that has AVX2. */
#include <cpuid.h>
#include <pthread.h>
#include <setjmp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu.h"

#define REGISTERS 16
#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

struct vectors {
	uint8_t of[REGISTERS][32];
} __attribute__((aligned(64)));

static struct vectors made(unsigned seed)
{
	struct vectors v;
	for (unsigned i = 0; i < sizeof(v); i++)
		v.of[i / 32][i % 32] = (uint8_t)(seed * 131 + i * 7 + i / 32);
	return v;
}

#define LOAD(n) "vmovdqu 32*" #n "(%[from]), %%ymm" #n "\n\t"
#define STORE(n) "vmovdqu %%ymm" #n ", 32*" #n "(%[to])\n\t"
#define CLOBBER(n) "ymm" #n,

/* Loads all registers, executes one instruction with rax, rdi, rsi and rdx, and stores them all. */
#define AROUND(instruction, from_, to_, a, di, si, d) \
	({ \
		long result_; \
		__asm__ volatile(EACH(LOAD) instruction "\n\t" EACH(STORE) \
		                 : "=a"(result_) \
		                 : "0"((long)(a)), "D"((long)(di)), "S"((long)(si)), \
		                   "d"((long)(d)), [from] "r"(from_), [to] "r"(to_) \
		                 : EACH(CLOBBER) "rcx", "r11", "memory"); \
		result_; \
	})

static const char *same(const struct vectors *a, const struct vectors *b)
{
	return memcmp(a, b, sizeof(*a)) ? "changed" : "kept";
}

/* --- threads --- */

#define THREADS 4
#define ROUNDS 200

static void *hold(void *number)
{
	struct vectors mine = made((unsigned)(uintptr_t)number), after;
	long changed = 0;
	for (int i = 0; i < ROUNDS; i++) {
		AROUND("syscall", &mine, &after, SYS_sched_yield, 0, 0, 0);
		changed += memcmp(&mine, &after, sizeof(mine)) != 0;
	}
	return (void *)changed;
}

static void threads(void)
{
	pthread_t all[THREADS];
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, hold, (void *)(i + 1));
	for (unsigned i = 0; i < THREADS; i++) {
		void *changed;
		pthread_join(all[i], &changed);
		printf("thread %u: %ld of %d times changed\n", i, (long)(uintptr_t)changed, ROUNDS);
	}
}

/* --- signals --- */

static int edit;

static void scrub(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uint8_t *area = (uint8_t *)uc->uc_mcontext.fpregs;
	uint32_t magic, end, bytes;
	(void)info;
	memcpy(&magic, area + 464, 4);
	memcpy(&bytes, area + 468, 4);
	memcpy(&end, area + bytes - 4, 4);
	printf("signal %d: area aligned %d, magic %x %x, ymm3 %02x %02x\n", sig, (uintptr_t)area % 64 == 0, magic, end,
	       area[160 + 48], area[576 + 48]);
	if (edit)
		area[160 + 48]++, area[576 + 48]++;
	if (sig == SIGILL)
		uc->uc_mcontext.gregs[REG_RIP] += 2;
	__asm__ volatile("vpcmpeqd %%ymm0, %%ymm0, %%ymm0\n\tvmovdqa %%ymm0, %%ymm3\n\tvmovdqa %%ymm0, %%ymm15"
	                 :
	                 :
	                 : "ymm0", "ymm3", "ymm15");
}

static void signals(void)
{
	const struct sigaction action = {.sa_sigaction = scrub, .sa_flags = SA_SIGINFO};
	struct sigaction on_stack = {.sa_sigaction = scrub, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct vectors v = made(77), after;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	fflush(stdout);
	AROUND("syscall", &v, &after, SYS_kill, getpid(), SIGUSR1, 0);
	printf("across a handler: %s\n", same(&v, &after));
	AROUND("ud2", &v, &after, 0, 0, 0, 0);
	printf("across the handler of a fault: %s\n", same(&v, &after));
	edit = 1;
	AROUND("syscall", &v, &after, SYS_kill, getpid(), SIGUSR1, 0);
	v.of[3][0]++;
	v.of[3][16]++; /* ymm3 is 48 bytes behind xmm0, in both parts */
	printf("as the handler has left it: %s\n", same(&v, &after));
	edit = 0;
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &on_stack, NULL);
	AROUND("syscall", &v, &after, SYS_kill, getpid(), SIGUSR1, 0);
	printf("across a handler on another stack: %s\n", same(&v, &after));
}

/* --- processes --- */

static void processes(void)
{
	struct vectors v = made(5), after;
	fflush(stdout);
	long child = AROUND("syscall", &v, &after, SYS_fork, 0, 0, 0);
	if (!child) {
		printf("in a child: %s\n", same(&v, &after));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	printf("in its parent: %s\n", same(&v, &after));
}

/* --- XSAVE --- */

static void xsave(void)
{
	static uint8_t area[4096] __attribute__((aligned(64)));
	struct vectors v = made(9), w = made(10), after;
	uint64_t in_use;
	AROUND("xsave64 (%%rdi)", &v, &after, 7, area, 0, 0);
	memcpy(&in_use, area + 512, 8);
	printf("saved: ymm1 %02x %02x, in use %d\n", area[176], area[592], (in_use & 6) == 6);
	AROUND("xrstor64 (%%rdi, %%rsi, 8)", &w, &after, 7, area - 128, 16, 0);
	printf("restored: %s\n", same(&v, &after));
	AROUND("xrstor -64(%%rdi)", &w, &after, 2, area + 64, 0, 0);
	memcpy(w.of[4], v.of[4], 16);
	printf("the lower halves alone: ymm4 %s\n", memcmp(w.of[4], after.of[4], 32) ? "changed" : "kept");
	memset(area + 512, 0, 64);
	AROUND("xrstor 1024(%%rdi)", &w, &after, 7, area - 1024, 0, 0);
	printf("begun anew: %02x %02x\n", after.of[4][0], after.of[4][31]);
}

/* An XSAVE of 7 bytes, which the guest replaces by a jump: returns RCX and the carry flag after it. */
extern long long_xsave(void *area);
extern const uint8_t long_xsave_place[];
__asm__(".text\n"
        "long_xsave:\n"
        "	mov $6, %eax\n"
        "	xor %edx, %edx\n"
        "	mov $0x12340, %ecx\n"
        "	stc\n"
        "long_xsave_place:\n"
        "	xsave 1024(%rdi)\n"
        "	adc $0, %rcx\n"
        "	lea (%rcx, %rax), %rax\n"
        "	ret\n");
static sigjmp_buf after_fault;

static void refuse(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	printf("signal %d, code %d: at the instruction %d, rax %llx, rcx %llx\n", sig, info->si_code,
	       registers[REG_RIP] == (greg_t)(uintptr_t)long_xsave_place, registers[REG_RAX], registers[REG_RCX]);
	siglongjmp(after_fault, 1);
}

static void replaced(void)
{
	static uint8_t area[4096] __attribute__((aligned(64)));
	const struct sigaction action = {.sa_sigaction = refuse, .sa_flags = SA_SIGINFO};
	uint64_t in_use;
	printf("registers and flags after XSAVE: %lx\n", long_xsave(area - 1024));
	memcpy(&in_use, area + 512, 8);
	printf("in use: %d\n", (in_use & ~6UL) == 0);
	sigaction(SIGSEGV, &action, NULL);
	if (!sigsetjmp(after_fault, 1))
		long_xsave(area - 1023);
}

/* The dynamic linker looks a function up at its first call, and must keep its arguments. */
static void lazy(void)
{
	vec sum = sum_of_vectors((vec){1, 2, 3, 4}, (vec){10, 20, 30, 40});
	printf("%g %g %g %g\n", sum[0], sum[1], sum[2], sum[3]);
}

static void model(void)
{
	uint32_t a, b, c, d;
	for (uint32_t i = 0; i < 4; i++) {
		__cpuid_count(0xd, i, a, b, c, d);
		printf("leaf 0xd.%u: %x %x %x %x\n", i, a, b, c, d);
	}
	for (uint32_t i = 0; i < 2; i++) {
		__cpuid_count(7, i, a, b, c, d);
		printf("leaf 7.%u: %x %x %x %x\n", i, a, b, c, d);
	}
	__cpuid(1, a, b, c, d);
	printf("leaf 1: %x %x %x\n", a, c, d);
	if (c & 1U << 27) {
		__asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
		printf("xcr0: %x %x\n", a, d);
	}
	__builtin_cpu_init();
	printf("v3: %d\n", !!__builtin_cpu_supports("x86-64-v3"));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		if (!strcmp(argv[1], "code"))
			printf("%02x\n", long_xsave_place[0]);
		else
			model();
		return 0;
	}
	threads();
	signals();
	processes();
	xsave();
	replaced();
	lazy();
	return 0;
}
