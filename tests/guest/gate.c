/* SPDX-License-Identifier: MIT */
/* The processor's exceptions as a program sees them: each becomes its signal, and the program goes on behind it.
 *
 * This is the test of the gate, the exception tables and the page-table edits, by what can be seen from outside. It
 * runs under the monitor and on QEMU's processor (tests/boot/gate.test) with the same output. With an argument it
 * dies of what the argument names. Linux has other answers to `syscall`, so the expected output is written down. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096UL
#define CYCLES 400

static sigjmp_buf back;
static volatile sig_atomic_t caught;
static volatile int caught_code;
static void *volatile caught_address;

static void remember(int sig, siginfo_t *info, void *context)
{
	(void)context;
	caught = sig;
	caught_code = info->si_code;
	caught_address = info->si_addr;
	siglongjmp(back, 1);
}

/* For what the processor reports behind the instruction: returns there. */
static void count(int sig, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	caught = sig;
	caught_code++;
}

/* Ends single steps after as many as caught_code says. */
static void step(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	(void)info;
	caught = sig;
	if (--caught_code == 0)
		uc->uc_mcontext.gregs[REG_EFL] &= ~0x100L;
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | flags;
	sigaction(sig, &action, NULL);
}

static void divide(void)
{
	__asm__ volatile("xor %%eax, %%eax; xor %%edx, %%edx; xor %%ecx, %%ecx; div %%ecx" : : : "eax", "ecx", "edx");
}

static void divide_overflow(void)
{
	__asm__ volatile("mov $0x80000000, %%eax; cltd; mov $-1, %%ecx; idiv %%ecx" : : : "eax", "ecx", "edx");
}

/* The compiler must not know where these point. */
static volatile int *volatile null = (int *)8, *volatile non_canonical = (int *)0x8000000000000000UL;

static void read_null(void)
{
	(void)*null;
}

static void read_non_canonical(void)
{
	(void)*non_canonical;
}

static void undefined(void)
{
	__asm__ volatile("ud2");
}

static void halt(void)
{
	__asm__ volatile("hlt");
}

static void disable_interrupts(void)
{
	__asm__ volatile("cli");
}

static void load_cr3(void)
{
	__asm__ volatile("mov %0, %%cr3" : : "r"(0UL));
}

static void system_call(void)
{
	__asm__ volatile("mov $39, %%eax; syscall" : : : "rax", "rcx", "r11", "memory");
}

static void x87_invalid(void)
{
	uint16_t control = 0x37e;
	__asm__ volatile("fninit; fldcw %0; fldz; fldz; fdivrp; fwait; fninit" : : "m"(control));
}

static void write_text(void)
{
	*(volatile char *)(uintptr_t)write_text = 0;
}

static void call_data(void)
{
	static char data[16] = {(char)0xc3};
	void (*volatile function)(void) = (void (*)(void))(uintptr_t)data;
	function();
}

static const char *signal_name(int sig)
{
	switch (sig) {
	case 0:
		return "nothing";
	case SIGSEGV:
		return "SIGSEGV";
	case SIGFPE:
		return "SIGFPE";
	case SIGILL:
		return "SIGILL";
	case SIGTRAP:
		return "SIGTRAP";
	case SIGSYS:
		return "SIGSYS";
	default:
		return "another signal";
	}
}

static void attempt(const char *what, void (*function)(void))
{
	caught = 0;
	if (!sigsetjmp(back, 1))
		function();
	printf("%s: %s, code %d\n", what, signal_name(caught), caught ? caught_code : 0);
}

/* Reads, or writes, one byte; whether that raised SIGSEGV. */
static int faults(volatile char *at, int write)
{
	caught = 0;
	if (sigsetjmp(back, 1))
		return caught == SIGSEGV;
	if (write)
		*at = (char)0xff;
	else
		(void)*at;
	return 0;
}

static void exceptions(void)
{
	static const int signals[] = {SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGBUS};
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		handle(signals[i], remember, 0);
	attempt("division by zero", divide);
	attempt("division whose quotient does not fit", divide_overflow);
	attempt("x87 invalid operation", x87_invalid);
	attempt("read through a null pointer", read_null);
	attempt("read of a non-canonical address", read_non_canonical);
	attempt("undefined instruction", undefined);
	attempt("hlt", halt);
	attempt("cli", disable_interrupts);
	attempt("mov to CR3", load_cr3);
	attempt("syscall", system_call);
	attempt("write to text", write_text);
	attempt("call of data", call_data);
}

static void breakpoints(void)
{
	uint64_t sum = 0;
	handle(SIGTRAP, count, 0);
	caught_code = 0;
	for (int i = 0; i < 10; i++) {
		uint64_t out;
		/* Every register and the flags outlive the trap. */
		__asm__ volatile("mov %1, %%rbx; mov $3, %%r15; movq %%rbx, %%xmm9; stc; int3; adc %%r15, %%rbx;"
		                 "movq %%xmm9, %0; add %%rbx, %0"
		                 : "=&r"(out)
		                 : "r"((uint64_t)i)
		                 : "rbx", "r15", "xmm9", "cc");
		sum += out;
	}
	printf("breakpoints: %s %d times, sum %lu\n", signal_name(caught), caught_code, (unsigned long)sum);
	handle(SIGTRAP, step, 0);
	caught_code = 5;
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushf; orl $0x100, (%%rsp); popf; nop; nop; nop; nop; nop; nop;"
	                 "lea 128(%%rsp), %%rsp"
	                 :
	                 :
	                 : "cc", "memory");
	printf("single steps: %s, %d left\n", signal_name(caught), caught_code);
}

static void protection(void)
{
	char *p = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 'a', 8 * PAGE);
	mprotect(p + PAGE, PAGE, PROT_READ);
	faults(p + PAGE, 1);
	printf("write to a read-only page: %s, code %d, at its offset %ld, contents %c\n", signal_name(caught),
	       caught_code, (long)((char *)caught_address - p), p[PAGE]);
	mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE);
	*(volatile char *)(p + PAGE) = 'b';
	printf("write after it is writable again: contents %c\n", p[PAGE]);
	mprotect(p + 2 * PAGE, PAGE, PROT_NONE);
	faults(p + 2 * PAGE + 5, 0);
	printf("read of an inaccessible page: %s, code %d, at its offset %ld\n", signal_name(caught), caught_code,
	       (long)((char *)caught_address - p));
	mprotect(p + 2 * PAGE, PAGE, PROT_READ);
	printf("read after it is readable again: contents %c\n", p[2 * PAGE + 5]);
	munmap(p, 8 * PAGE);
	faults(p, 0);
	printf("read of an unmapped page: %s, code %d\n", signal_name(caught), caught_code);
}

static unsigned long overflow(unsigned long depth)
{
	volatile char block[8192];
	block[0] = (char)depth;
	if (depth == ~0UL)
		return 0;
	return overflow(depth + 1) + (unsigned long)block[0];
}

static void stack_overflow(void)
{
	static char stack[65536];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	sigaltstack(&alternate, NULL);
	handle(SIGSEGV, remember, SA_ONSTACK);
	for (int i = 0; i < 3; i++) {
		caught = 0;
		if (!sigsetjmp(back, 1))
			overflow(0);
		printf("stack overflow %d: %s\n", i + 1, signal_name(caught));
	}
	handle(SIGSEGV, remember, 0);
}

static void bad_pointers(void)
{
	char *const bad = (char *)0x10,
		    *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ends[2];
	munmap(p + PAGE, PAGE);
	memset(p, 'x', PAGE);
	if (pipe(ends))
		printf("no pipe\n");
	errno = 0;
	printf("write from a bad pointer: %zd", write(ends[1], bad, 4));
	printf(" %s\n", strerror(errno));
	errno = 0;
	printf("write of a page: %zd", write(ends[1], p, 100));
	printf(" %s\n", errno ? strerror(errno) : "well");
	errno = 0;
	printf("read to a bad pointer: %zd", read(ends[0], bad, 100));
	printf(" %s\n", strerror(errno));
	errno = 0;
	printf("read to a non-canonical pointer: %zd", read(ends[0], (char *)0x8000000000000000UL, 100));
	printf(" %s\n", strerror(errno));
	errno = 0;
	printf("open of a bad name: %d", access(bad, F_OK));
	printf(" %s\n", strerror(errno));
	close(ends[0]);
	close(ends[1]);
	munmap(p, PAGE);
}

/* Maps, protects and unmaps at random; every page's contents tell which mapping it belongs to. */
static void cycles(void)
{
	enum { SLOTS = 16 };
	unsigned char *slots[SLOTS] = {0};
	size_t pages[SLOTS] = {0};
	uint32_t random = 12345;
	unsigned long wrong = 0, refused = 0;
	for (unsigned i = 0; i < CYCLES; i++) {
		random = random * 1103515245 + 12345;
		unsigned slot = random >> 16 & (SLOTS - 1);
		if (slots[slot]) {
			size_t page = (random >> 20) % pages[slot];
			unsigned char *at = slots[slot] + page * PAGE;
			wrong += *at != slot + 1;
			mprotect(at, PAGE, PROT_READ);
			refused += faults((char *)at, 1) && caught_address == at;
			mprotect(at, PAGE, PROT_READ | PROT_WRITE);
			wrong += *at != slot + 1;
			if (random & 1 << 30) {
				munmap(slots[slot], pages[slot] * PAGE);
				slots[slot] = NULL;
			}
			continue;
		}
		pages[slot] = 1 + (random >> 21) % 1100; /* some of them longer than 2 MiB */
		slots[slot] =
			mmap(NULL, pages[slot] * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (size_t page = 0; page < pages[slot]; page++) {
			wrong += slots[slot][page * PAGE] != 0;
			slots[slot][page * PAGE] = (unsigned char)(slot + 1);
		}
	}
	printf("map, protect and unmap: %lu pages wrong, %lu faults caught\n", wrong, refused);
}

static void registers(void)
{
	uint64_t base, self, low, high, low2, high2;
	__asm__ volatile("rdfsbase %0; mov %%fs:0, %1" : "=r"(base), "=r"(self));
	printf("FS base: %s\n", base == self ? "the thread's" : "another");
	__asm__ volatile("wrfsbase %0" : : "r"(base));
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	__asm__ volatile("rdtsc" : "=a"(low2), "=d"(high2));
	printf("time-stamp counter: %lu apart\n", (unsigned long)((high2 << 32 | low2) - (high << 32 | low)));
}

/* The ends that only a run of its own can have. */
static int die(const char *how, const char *argument)
{
	if (!strcmp(how, "exit"))
		return atoi(argument);
	if (!strcmp(how, "null"))
		read_null();
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "overflow")) { /* and the handler has no stack to run on */
		handle(SIGSEGV, remember, 0);
		return (int)overflow(0);
	}
	return 2;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return die(argv[1], argc > 2 ? argv[2] : "0");
	exceptions();
	breakpoints();
	protection();
	stack_overflow();
	bad_pointers();
	cycles();
	registers();
	return 0;
}
