/* SPDX-License-Identifier: MIT */
/* The state of AVX-512: kept across thread switches, signal handlers, faults, fork and clone, and given to XSAVE. What
 * is printed is the same on each processor that has it. */
#include <cpuid.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#define EIGHT(X, a, b, c, d, e, f, g, h) X(a) X(b) X(c) X(d) X(e) X(f) X(g) X(h)
#define EACH(X) \
	EIGHT(X, 0, 1, 2, 3, 4, 5, 6, 7) \
	EIGHT(X, 8, 9, 10, 11, 12, 13, 14, 15) \
	EIGHT(X, 16, 17, 18, 19, 20, 21, 22, 23) \
	EIGHT(X, 24, 25, 26, 27, 28, 29, 30, 31)
#define EACH_MASK(X) EIGHT(X, 0, 1, 2, 3, 4, 5, 6, 7)

struct state {
	uint8_t zmm[32][64];
	uint64_t mask[8];
} __attribute__((aligned(64)));

static struct state made(unsigned seed)
{
	struct state s;
	uint8_t *bytes = (uint8_t *)&s;
	for (unsigned i = 0; i < sizeof(s); i++)
		bytes[i] = (uint8_t)(seed * 131 + i * 7 + i / 64);
	return s;
}

#define LOAD(n) "vmovdqu64 64*" #n "(%[from]), %%zmm" #n "\n\t"
#define STORE(n) "vmovdqu64 %%zmm" #n ", 64*" #n "(%[to])\n\t"
#define LOAD_MASK(n) "kmovq 2048+8*" #n "(%[from]), %%k" #n "\n\t"
#define STORE_MASK(n) "kmovq %%k" #n ", 2048+8*" #n "(%[to])\n\t"
#define CLOBBER(n) "zmm" #n,
#define CLOBBER_MASK(n) "k" #n,

/* Loads all registers, executes one instruction with rax, rdi, rsi and rdx, and stores them all. */
#define AROUND(instruction, from_, to_, a, di, si, d) \
	({ \
		long result_; \
		__asm__ volatile(EACH(LOAD) EACH_MASK(LOAD_MASK) instruction "\n\t" EACH(STORE) EACH_MASK(STORE_MASK) \
		                 : "=a"(result_) \
		                 : "0"((long)(a)), "D"((long)(di)), "S"((long)(si)), \
		                   "d"((long)(d)), [from] "r"(from_), [to] "r"(to_) \
		                 : EACH(CLOBBER) EACH_MASK(CLOBBER_MASK) "rcx", "r11", "memory"); \
		result_; \
	})

static const char *same(const struct state *a, const struct state *b)
{
	return memcmp(a, b, sizeof(*a)) ? "changed" : "kept";
}

/* --- threads --- */

#define THREADS 4
#define ROUNDS 200

/* The first thread uses none of it, and finds what it has left: nothing. */
static void *hold(void *number)
{
	struct state mine = made((unsigned)(uintptr_t)number), after;
	long changed = 0;
	if (number == (void *)1)
		memset(&mine, 0, sizeof(mine));
	for (int i = 0; i < ROUNDS; i++) {
		AROUND("syscall", &mine, &after, SYS_sched_yield, 0, 0, 0);
		changed += memcmp(&mine, &after, sizeof(mine)) != 0;
	}
	return (void *)changed;
}

/* Has its registers in use while it passes points at which --preempt lets others go on. */
static void *count(void *number)
{
	static int counter;
	struct state mine = made((unsigned)(uintptr_t)number), after;
	long changed = 0;
	for (int i = 0; i < ROUNDS; i++) {
		AROUND("lock incl (%%rdi)\n\tlock incl (%%rdi)", &mine, &after, 0, &counter, 0, 0);
		changed += memcmp(&mine, &after, sizeof(mine)) != 0;
	}
	return (void *)changed;
}

static void threads(void *(*work)(void *))
{
	pthread_t all[THREADS];
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, work, (void *)(i + 1));
	for (unsigned i = 0; i < THREADS; i++) {
		void *changed;
		pthread_join(all[i], &changed);
		printf("thread %u: %ld of %d times changed\n", i, (long)(uintptr_t)changed, ROUNDS);
	}
}

/* --- signals --- */

#define BIT(n) (1U << (n))

/* Where the processor has put a part of an XSAVE area. */
static uint32_t offset_of(uint32_t part)
{
	uint32_t a, b, c, d;
	__cpuid_count(0xd, part, a, b, c, d);
	return b;
}

static int edit;

static void scrub(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uint8_t *area = (uint8_t *)uc->uc_mcontext.fpregs;
	uint32_t magic, end, bytes;
	uint64_t states, in_use;
	(void)info;
	memcpy(&magic, area + 464, 4);
	memcpy(&bytes, area + 468, 4);
	memcpy(&states, area + 472, 8);
	memcpy(&in_use, area + 512, 8);
	memcpy(&end, area + bytes - 4, 4);
	uint8_t *mask = area + offset_of(5), *high = area + offset_of(6), *more = area + offset_of(7);
	printf("signal %d: aligned %d, magic %x %x, states %d %d, k3 %02x, zmm2 %02x, zmm31 %02x\n", sig,
	       (uintptr_t)area % 64 == 0, magic, end, (states & 0xe7) == 0xe7, (in_use & 0xe7) == 0xe7, mask[24],
	       high[64 + 1], more[15 * 64 + 63]);
	if (edit)
		mask[24]++, high[64]++, more[15 * 64 + 63]++;
	if (sig == SIGILL)
		uc->uc_mcontext.gregs[REG_RIP] += 2;
	__asm__ volatile("vpternlogd $255, %%zmm2, %%zmm2, %%zmm2\n\tvpternlogd $255, %%zmm31, %%zmm31, %%zmm31\n\t"
	                 "kxnorq %%k3, %%k3, %%k3"
	                 :
	                 :
	                 : "zmm2", "zmm31", "k3");
}

static void signals(void)
{
	const struct sigaction action = {.sa_sigaction = scrub, .sa_flags = SA_SIGINFO};
	struct sigaction on_stack = {.sa_sigaction = scrub, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct state s = made(77), after;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	fflush(stdout);
	AROUND("syscall", &s, &after, SYS_kill, getpid(), SIGUSR1, 0);
	printf("across a handler: %s\n", same(&s, &after));
	AROUND("ud2", &s, &after, 0, 0, 0, 0);
	printf("across the handler of a fault: %s\n", same(&s, &after));
	edit = 1;
	AROUND("syscall", &s, &after, SYS_kill, getpid(), SIGUSR1, 0);
	((uint8_t *)&s.mask[3])[0]++;
	s.zmm[2][32]++;
	s.zmm[31][63]++;
	printf("as the handler has left it: %s\n", same(&s, &after));
	edit = 0;
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &on_stack, NULL);
	AROUND("syscall", &s, &after, SYS_kill, getpid(), SIGUSR1, 0);
	printf("across a handler on another stack: %s\n", same(&s, &after));
}

/* --- processes --- */

static void processes(void)
{
	struct state s = made(5), after;
	fflush(stdout);
	long child = AROUND("syscall", &s, &after, SYS_fork, 0, 0, 0);
	if (!child) {
		printf("in a child: %s\n", same(&s, &after));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	printf("in its parent: %s\n", same(&s, &after));
}

/* --- XSAVE --- */

static void xsave(void)
{
	static uint8_t area[16384] __attribute__((aligned(64)));
	struct state v = made(9), w = made(10), after;
	uint64_t in_use;
	AROUND("xsave64 (%%rdi)", &v, &after, 0xe7, area, 0, 0);
	memcpy(&in_use, area + 512, 8);
	printf("saved: k1 %02x, zmm1 %02x, zmm16 %02x, in use %d\n", area[offset_of(5) + 8], area[offset_of(6) + 32],
	       area[offset_of(7)], (in_use & 0xe6) == 0xe6);
	AROUND("xrstor64 (%%rdi)", &w, &after, 0xe7, area, 0, 0);
	printf("restored: %s\n", same(&v, &after));
	AROUND("xrstor (%%rdi)", &w, &after, BIT(5) | BIT(7), area, 0, 0);
	memcpy(&w.zmm[16], &v.zmm[16], sizeof(v) - sizeof(v.zmm) / 2);
	printf("the masks and zmm16 to 31 alone: %s\n", memcmp(&w, &after, sizeof(w)) ? "changed" : "kept");
	memset(area + 512, 0, 64);
	AROUND("xrstor (%%rdi)", &w, &after, 0xe7, area, 0, 0);
	printf("begun anew: %02x %02x %02x\n", after.zmm[4][63], after.zmm[20][0], (uint8_t)after.mask[2]);
}

static void model(void)
{
	uint32_t a, b, c, d;
	for (uint32_t i = 0; i < 8; i++) {
		__cpuid_count(0xd, i, a, b, c, d);
		printf("leaf 0xd.%u: %x %x %x %x\n", i, a, b, c, d);
	}
	__cpuid(1, a, b, c, d);
	printf("leaf 1: %x %x %x\n", a, c, d);
	__cpuid_count(7, 0, a, b, c, d);
	printf("leaf 7: %x %x %x %x\n", a, b, c, d);
	__builtin_cpu_init();
	printf("v4: %d\n", !!__builtin_cpu_supports("x86-64-v4"));
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "all";
	if (!strcmp(part, "model")) {
		model();
		return 0;
	}
	threads(hold);
	threads(count);
	processes();
	if (strcmp(part, "kept")) { /* the rest needs a processor that tells where the state is */
		signals();
		xsave();
	}
	return 0;
}
