/* SPDX-License-Identifier: MIT */
/* Everything that a thread can set in its processor outlives other threads, other processes, and their signal handlers,
 * and is the thread's own: selectors, bases of segments, floating-point modes and exceptions, vector registers, and
 * flags. So are its alternate stack and its personality. A child and a new thread inherit the selectors; a program
 * begins without.
 *
 * With the argument `nested` also the flag NT, which kvm-pvm clears at interrupts of the host (nested_task.test). */
#include <asm/hwcap2.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 3
#define STACK_BYTES 65536

/* Two ends that take turns. */
struct turns {
	int in, out;
};

static int written(int fd)
{
	return write(fd, "t", 1) == 1;
}

static void hand_over(const struct turns *turns)
{
	char byte;
	if (!written(turns->out) || read(turns->in, &byte, 1) != 1)
		abort();
}

/* Flags are kept from a `popfq` to a `pushfq` with nothing but the two calls in between, because compiled code may
 * change them, and expects some of them to be clear. */
static unsigned long flag_held(const struct turns *turns, unsigned long flag)
{
	unsigned long seen;
	char byte = 't';
	register long out __asm__("r8") = turns->out;
	register long in __asm__("r9") = turns->in;
	register char *at __asm__("r10") = &byte;
	__asm__ volatile("sub $128, %%rsp\n\t"
	                 "pushfq\n\t"
	                 "pushfq\n\t"
	                 "or %[flag], (%%rsp)\n\t"
	                 "popfq\n\t"
	                 "mov %[write], %%eax\n\t"
	                 "mov %%r8, %%rdi\n\t"
	                 "mov %%r10, %%rsi\n\t"
	                 "mov $1, %%edx\n\t"
	                 "syscall\n\t"
	                 "mov %[read], %%eax\n\t"
	                 "mov %%r9, %%rdi\n\t"
	                 "mov %%r10, %%rsi\n\t"
	                 "mov $1, %%edx\n\t"
	                 "syscall\n\t"
	                 "pushfq\n\t"
	                 "pop %[seen]\n\t"
	                 "popfq\n\t"
	                 "add $128, %%rsp"
	                 : [seen] "=&b"(seen), "+r"(out), "+r"(in), "+r"(at)
	                 : [flag] "r"(flag), [write] "i"(SYS_write), [read] "i"(SYS_read)
	                 : "rax", "rcx", "rdx", "rsi", "rdi", "r11", "memory", "cc");
	return seen;
}

#define FLAG(name, bit) \
	static unsigned long name##_held(const struct turns *turns, int which) \
	{ \
		return (flag_held(turns, which ? 1UL << (bit) : 0) >> (bit)) & 1; \
	}

FLAG(carry, 0)
FLAG(direction, 10)
FLAG(nested_task, 14)
FLAG(alignment, 18)
FLAG(identification, 21)

/* The other state is set, kept and read in C. */
#define SELECTOR(name) \
	static unsigned long name##_held(const struct turns *turns, int which) \
	{ \
		unsigned long seen, old; \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(old)); \
		__asm__ volatile("mov %0, %%" #name : : "r"(which ? 0x2bUL : 0UL)); \
		hand_over(turns); \
		__asm__ volatile("mov %%" #name ", %0" : "=r"(seen)); \
		__asm__ volatile("mov %0, %%" #name : : "r"(old)); \
		return seen; \
	}

SELECTOR(ds)
SELECTOR(es)
SELECTOR(gs)

/* The base of FS belongs to the C library. Only WRFSBASE sets it without a new selector. */
static unsigned long fs_held(const struct turns *turns, int which)
{
	unsigned long seen, base = (unsigned long)pthread_self();
	if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE)) {
		hand_over(turns);
		return which ? 0x2b : 0;
	}
	__asm__ volatile("mov %0, %%fs\n\twrfsbase %1" : : "r"(which ? 0x2bUL : 0UL), "r"(base) : "memory");
	hand_over(turns);
	__asm__ volatile("mov %%fs, %0" : "=r"(seen));
	return seen;
}

/* arch_prctl(2) takes the selector away. */
static unsigned long fs_set_held(const struct turns *turns, int which)
{
	unsigned long seen = (unsigned long)pthread_self();
	__asm__ volatile("mov %1, %%fs\n\tsyscall"
	                 : "=a"(seen)
	                 : "r"(which ? 0x2bUL : 0UL), "a"(SYS_arch_prctl), "D"(0x1002L), "S"(seen)
	                 : "rcx", "r11", "memory");
	hand_over(turns);
	__asm__ volatile("mov %%fs, %0" : "=r"(seen));
	return seen;
}

static unsigned long gs_base_held(const struct turns *turns, int which)
{
	unsigned long seen;
	const unsigned long base = which ? 0x123456000 : 0x765432000;
	syscall(SYS_arch_prctl, 0x1001, base);
	hand_over(turns);
	syscall(SYS_arch_prctl, 0x1004, &seen);
	return seen;
}

static unsigned long gs_word_held(const struct turns *turns, int which)
{
	static const unsigned long words[2] = {111, 222};
	unsigned long seen;
	syscall(SYS_arch_prctl, 0x1001, &words[which]);
	hand_over(turns);
	__asm__ volatile("mov %%gs:0, %0" : "=r"(seen));
	return seen;
}

static unsigned long mxcsr_held(const struct turns *turns, int which)
{
	uint32_t old, set = which ? 0xff80 : 0x3f85, seen;
	__asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(old) : "m"(set));
	hand_over(turns);
	__asm__ volatile("stmxcsr %0\n\tldmxcsr %1" : "=m"(seen) : "m"(old));
	return seen;
}

static unsigned long x87_control_held(const struct turns *turns, int which)
{
	uint16_t old, set = which ? 0x0c7f : 0x027f, seen;
	__asm__ volatile("fnstcw %0\n\tfldcw %1" : "=m"(old) : "m"(set));
	hand_over(turns);
	__asm__ volatile("fnstcw %0\n\tfldcw %1" : "=m"(seen) : "m"(old));
	return seen;
}

static unsigned long x87_status_held(const struct turns *turns, int which)
{
	uint16_t seen;
	if (which)
		__asm__ volatile("fnclex\n\tfld1\n\tfldz\n\tfdivrp");
	else
		__asm__ volatile("fnclex\n\tfld1\n\tfld1\n\tfdivrp");
	hand_over(turns);
	__asm__ volatile("fnstsw %0\n\tfstp %%st\n\tfnclex" : "=a"(seen) : : "st");
	return seen & 0x38ff; /* the top of the stack, and the exceptions */
}

static unsigned long xmm_held(const struct turns *turns, int which)
{
	unsigned long seen;
	register long number __asm__("rax") = SYS_write;
	char byte = 't';
	__asm__ volatile("movq %[word], %%xmm15\n\t"
	                 "syscall\n\t"
	                 "xor %%eax, %%eax\n\t"
	                 "mov %[in], %%rdi\n\t"
	                 "syscall\n\t"
	                 "movq %%xmm15, %[seen]"
	                 : [seen] "=r"(seen), "+r"(number)
	                 : [word] "r"(which ? 77UL : 88UL), "D"((long)turns->out), "S"(&byte),
	                   "d"(1L), [in] "r"((long)turns->in)
	                 : "rcx", "r11", "memory", "xmm15");
	return seen;
}

static unsigned long stack_held(const struct turns *turns, int which)
{
	static char stacks[2][STACK_BYTES];
	stack_t set = {.ss_sp = stacks[which], .ss_size = STACK_BYTES / (which ? 1 : 2)}, seen;
	sigaltstack(&set, NULL);
	hand_over(turns);
	set.ss_flags = SS_DISABLE;
	sigaltstack(&set, &seen);
	return (unsigned long)(seen.ss_sp == (void *)stacks[which]) * seen.ss_size;
}

static unsigned long personality_held(const struct turns *turns, int which)
{
	personality(which ? ADDR_NO_RANDOMIZE : 0);
	hand_over(turns);
	return (unsigned long)personality(0);
}

static const struct kept {
	const char *name;
	unsigned long (*held)(const struct turns *turns, int which);
} all[] = {
	{"ds", ds_held},
	{"es", es_held},
	{"fs", fs_held},
	{"fs, whose base a call sets", fs_set_held},
	{"gs", gs_held},
	{"base of gs", gs_base_held},
	{"word in gs", gs_word_held},
	{"mxcsr", mxcsr_held},
	{"x87 control", x87_control_held},
	{"x87 status", x87_status_held},
	{"xmm15", xmm_held},
	{"carry", carry_held},
	{"direction", direction_held},
	{"alignment", alignment_held},
	{"identification", identification_held},
	{"alternate stack", stack_held},
	{"personality", personality_held},
	{"nested task", nested_task_held}, /* must be last */
};
#define ALL (sizeof(all) / sizeof(all[0]))
static unsigned all_count = ALL - 1;

/* What one of the two has seen. */
static void hold_all(const struct turns *turns, int which, unsigned long seen[ALL][ROUNDS])
{
	for (unsigned i = 0; i < all_count; i++)
		for (unsigned round = 0; round < ROUNDS; round++)
			seen[i][round] = all[i].held(turns, (which + (int)round) % 2);
	if (which == 0 && !written(turns->out))
		abort();
}

static unsigned long seen[2][ALL][ROUNDS];

static void show(const char *whose)
{
	for (unsigned i = 0; i < all_count; i++)
		for (unsigned which = 0; which < 2; which++) {
			printf("%s, %s, %u:", whose, all[i].name, which);
			for (unsigned round = 0; round < ROUNDS; round++)
				printf(" %lx", seen[which][i][round]);
			puts("");
		}
	fflush(stdout);
}

static void *other(void *turns)
{
	char byte;
	if (read(((struct turns *)turns)->in, &byte, 1) == 1)
		hold_all(turns, 1, seen[1]);
	return NULL;
}

static void make_turns(struct turns ends[2])
{
	int there[2], back[2];
	if (pipe(there) || pipe(back))
		abort();
	ends[0] = (struct turns){back[0], there[1]};
	ends[1] = (struct turns){there[0], back[1]};
}

static void two_threads(void)
{
	struct turns ends[2];
	pthread_t thread;
	make_turns(ends);
	pthread_create(&thread, NULL, other, &ends[1]);
	hold_all(&ends[0], 0, seen[0]);
	pthread_join(thread, NULL);
	show("threads");
}

static void two_processes(void)
{
	struct turns ends[2];
	int results[2];
	make_turns(ends);
	if (pipe(results))
		abort();
	pid_t child = fork();
	if (!child) {
		other(&ends[1]);
		_exit(write(results[1], seen[1], sizeof(seen[1])) != sizeof(seen[1]));
	}
	hold_all(&ends[0], 0, seen[0]);
	if (read(results[0], seen[1], sizeof(seen[1])) != sizeof(seen[1]))
		abort();
	waitpid(child, NULL, 0);
	show("processes");
}

static void show_selectors(const char *who)
{
	unsigned long ds, es, gs;
	__asm__ volatile("mov %%ds, %0\n\tmov %%es, %1\n\tmov %%gs, %2" : "=r"(ds), "=r"(es), "=r"(gs));
	printf("%s: %lx %lx %lx\n", who, ds, es, gs);
	fflush(stdout);
}

static void set_selectors(unsigned long selector)
{
	__asm__ volatile("mov %0, %%ds\n\tmov %0, %%es\n\tmov %0, %%gs" : : "r"(selector));
}

static void *inherits(void *who)
{
	show_selectors(who);
	set_selectors(0);
	return NULL;
}

static void on_signal(int sig)
{
	(void)sig;
	show_selectors("handler");
	set_selectors(0);
}

static void inheritance(void)
{
	pthread_t thread;
	set_selectors(0x2b);
	pthread_create(&thread, NULL, inherits, "new thread");
	pthread_join(thread, NULL);
	show_selectors("its creator");
	if (!fork()) {
		show_selectors("child");
		execl("/proc/self/exe", "thread_state", "executed", NULL);
	}
	wait(NULL);
	show_selectors("its parent");
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	show_selectors("after the handler");
}

/* The flags that a handler begins with, and those that its return restores (sigreturn(2)). */
static volatile unsigned long flags_in_handler;

static void see_flags(int sig)
{
	unsigned long flags;
	(void)sig;
	__asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
	flags_in_handler = flags;
}

#define FLAGS_SHOWN 0x244400UL /* ID, AC, NT, DF */

static void flags_of_handlers(unsigned long flags)
{
	unsigned long after, number = SYS_kill;
	signal(SIGUSR1, see_flags);
	__asm__ volatile("sub $128, %%rsp\n\t"
	                 "pushfq\n\t"
	                 "pushfq\n\t"
	                 "or %[flags], (%%rsp)\n\t"
	                 "popfq\n\t"
	                 "syscall\n\t"
	                 "pushfq\n\t"
	                 "pop %[after]\n\t"
	                 "popfq\n\t"
	                 "add $128, %%rsp"
	                 : [after] "=&b"(after), "+a"(number)
	                 : [flags] "r"(flags), "D"((long)getpid()), "S"((long)SIGUSR1)
	                 : "rcx", "r11", "memory", "cc");
	printf("flags %lx: %lx in the handler, %lx after it\n", flags, flags_in_handler & FLAGS_SHOWN,
	       after & FLAGS_SHOWN);
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	if (!strcmp(part, "executed")) {
		show_selectors("executed");
		return 0;
	}
	if (!strcmp(part, "nested"))
		all_count = ALL;
	two_threads();
	two_processes();
	inheritance();
	flags_of_handlers(1UL << 21);
	if (all_count == ALL)
		flags_of_handlers(1UL << 14);
	flags_of_handlers(1UL << 10);
	flags_of_handlers(1UL << 18);
	return 0;
}
