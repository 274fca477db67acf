/* SPDX-License-Identifier: MIT */
/* Instructions that become jumps: rdtsc, rdtscp and xgetbv. They change no other register and no flag, time grows,
 * timers come between reads, code may jump to them, and xgetbv faults as on a processor. */
#include <cpuid.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

#define READS 10000
#define FLAGS_KEPT 0xcd5UL /* CF, PF, AF, ZF, SF, DF, OF */

static volatile sig_atomic_t alarms;
static sigjmp_buf out;
static uintptr_t fault_at;
static siginfo_t fault;

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *user = context;
	fault = *info;
	fault_at = (uintptr_t)user->uc_mcontext.gregs[REG_RIP];
	siglongjmp(out, sig);
}

/* Each form of the instruction has its own surroundings, for the rules by which it becomes a jump. */
static uint64_t stamp_behind(void)
{
	uint64_t low, high;
	__asm__ volatile("rdtsc\n\tshl $32, %%rdx" : "=a"(low), "=d"(high) : : "cc");
	return low | high;
}

static uint64_t stamp_before(void)
{
	uint32_t low, high;
	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static uint64_t stamp_core(void)
{
	uint32_t low, high, core;
	__asm__ volatile("rdtscp\n\tmov %%ecx, %2" : "=a"(low), "=d"(high), "=r"(core) : : "ecx");
	return (uint64_t)high << 32 | low;
}

/* The loop enters at the instruction itself, behind the one that moves with it. */
static uint64_t stamp_entered(void)
{
	uint32_t low, high, rounds = 3;
	__asm__ volatile("jmp 1f\n"
	                 "0: mov $5, %%ecx\n"
	                 "1: rdtsc\n\t"
	                 "dec %2\n\t"
	                 "jnz 0b"
	                 : "=a"(low), "=d"(high), "+r"(rounds)
	                 :
	                 : "ecx", "cc");
	return (uint64_t)high << 32 | low;
}

static void grows(const char *name, uint64_t (*stamp)(void))
{
	uint64_t last = 0, sum = 0;
	unsigned wrong = 0;
	for (unsigned i = 0; i < READS; i++) {
		uint64_t now = stamp();
		wrong += now <= last;
		last = now;
		sum = sum * 6364136223846793005 + now;
	}
	printf("%s: %u reads went back%s\n", name, wrong, sum ? "" : "?");
}

/* The flags after the instruction, which had these before it. */
static uint64_t flags_after(uint64_t flags, int which)
{
	uint64_t after;
	if (which == 0)
		__asm__ volatile("push %1\n\tpopfq\n\trdtsc\n\tmov $0, %%edx\n\tpushfq\n\tpop %0\n\tcld"
		                 : "=r"(after)
		                 : "r"(flags)
		                 : "rax", "rdx", "cc");
	else if (which == 1)
		__asm__ volatile("push %1\n\tpopfq\n\trdtscp\n\tmov $0, %%edx\n\tpushfq\n\tpop %0\n\tcld"
		                 : "=r"(after)
		                 : "r"(flags)
		                 : "rax", "rcx", "rdx", "cc");
	else
		__asm__ volatile("push %1\n\tpopfq\n\txgetbv\n\tmov $0, %%edx\n\tpushfq\n\tpop %0\n\tcld"
		                 : "=r"(after)
		                 : "r"(flags), "c"(0)
		                 : "rax", "rdx", "cc");
	return after;
}

/* How many of the combinations of flags were not kept. */
static unsigned lost_flags(int which)
{
	unsigned lost = 0;
	for (uint64_t flags = 0; flags <= FLAGS_KEPT; flags++)
		if (!(flags & ~FLAGS_KEPT))
			lost += (flags_after(flags | 0x202, which) & FLAGS_KEPT) != flags;
	return lost;
}

/* Whether the registers that the instruction does not set are kept, and the red zone. */
static int keeps_registers(void)
{
	uint64_t in[12], after[12];
	for (unsigned i = 0; i < 12; i++)
		in[i] = after[i] = 0x0123456789abcdef * (i + 1);
	__asm__ volatile("push %%rbp\n\t"
	                 "push %0\n\t"
	                 "mov %0, %%rax\n\t"
	                 "mov (%%rax), %%rcx; mov 8(%%rax), %%rbx; mov 16(%%rax), %%rsi; mov 24(%%rax), %%rdi\n\t"
	                 "mov 32(%%rax), %%r8; mov 40(%%rax), %%r9; mov 48(%%rax), %%r10; mov 56(%%rax), %%r11\n\t"
	                 "mov 64(%%rax), %%r12; mov 72(%%rax), %%r13; mov 80(%%rax), %%r14; mov 88(%%rax), %%rbp\n\t"
	                 "mov %%r12, -8(%%rsp); mov %%r13, -128(%%rsp)\n\t"
	                 "rdtsc\n\t"
	                 "mov $0, %%edx\n\t"
	                 "mov -8(%%rsp), %%r12; mov -128(%%rsp), %%r13\n\t"
	                 "pop %%rax\n\t"
	                 "mov %%rcx, (%%rax); mov %%rbx, 8(%%rax); mov %%rsi, 16(%%rax); mov %%rdi, 24(%%rax)\n\t"
	                 "mov %%r8, 32(%%rax); mov %%r9, 40(%%rax); mov %%r10, 48(%%rax); mov %%r11, 56(%%rax)\n\t"
	                 "mov %%r12, 64(%%rax); mov %%r13, 72(%%rax); mov %%r14, 80(%%rax); mov %%rbp, 88(%%rax)\n\t"
	                 "pop %%rbp"
	                 :
	                 : "r"(after)
	                 : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
	                   "memory", "cc");
	return !memcmp(in, after, sizeof(in));
}

/* A timer's signal comes between two reads of a loop that computes. */
static void test_timer(void)
{
	const struct itimerval value = {{0, 0}, {0, 1000}}, off = {0};
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &value, NULL);
	uint64_t sum = 1, start = stamp_behind();
	while (!alarms && stamp_before() - start < 60000000000)
		sum = sum * 6364136223846793005 + stamp_behind();
	setitimer(ITIMER_REAL, &off, NULL);
	printf("alarms %d%s\n", (int)alarms, sum ? "" : "?");
}

static void test_xgetbv(void)
{
	extern const char refused[];
	const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	uint32_t low = 0, high = 0;
	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile("xor %%ecx, %%ecx\n\txgetbv" : "=a"(low), "=d"(high) : : "ecx", "cc");
	printf("XCR0 has x87 and SSE: %d, high half %u\n", (low & 3) == 3, high);
	int sig = sigsetjmp(out, 1);
	if (!sig)
		__asm__ volatile("mov $77, %%ecx\n"
		                 ".globl refused\n"
		                 "refused: xgetbv\n\t"
		                 "mov $0, %%edx"
		                 :
		                 :
		                 : "eax", "ecx", "edx");
	printf("XCR77: signal %d, code %d, address %p, at the instruction: %d\n", sig, fault.si_code, fault.si_addr,
	       fault_at == (uintptr_t)refused);
}

int main(void)
{
	uint32_t a, b, c, d;
	grows("rdtsc; shl", stamp_behind);
	grows("lfence; rdtsc", stamp_before);
	grows("rdtscp", stamp_core);
	grows("a jump to rdtsc", stamp_entered);
	printf("lost flags: %u, %u\n", lost_flags(0), lost_flags(1));
	printf("registers are kept: %d\n", keeps_registers());
	test_timer();
	__cpuid(0x80000001, a, b, c, d);
	printf("CPUID has RDTSCP: %u\n", d >> 27 & 1);
	__cpuid(1, a, b, c, d);
	if (c & bit_OSXSAVE) {
		printf("lost flags of xgetbv: %u\n", lost_flags(2));
		test_xgetbv();
	}
	return 0;
}
