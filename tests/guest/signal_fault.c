/* SPDX-License-Identifier: MIT */
/* Processor exceptions as signals: number, code and address of each, and jumping out of their handlers. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "say.h"

static sigjmp_buf back;
static volatile int last, code;
static void *volatile address, *volatile at_rip;
static volatile int zero;

static void handler(int sig, siginfo_t *info, void *context)
{
	last = sig;
	code = info->si_code;
	address = info->si_addr;
	at_rip = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	siglongjmp(back, 1);
}

static void show(const char *what, const void *expected)
{
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("%-26s signal %d code %d, address %s%s\n", what, last, code,
	       address == expected ? "as expected"
	       : address == at_rip ? "of the instruction"
	                           : "OTHER",
	       sigismember(&mask, last) ? ", STILL MASKED" : "");
	if (address != expected && address != at_rip)
		printf("%p %p %p\n", address, expected, at_rip);
}

#define TRY(what, expected, ...) \
	do { \
		last = code = 0; \
		if (!sigsetjmp(back, 1)) { \
			__VA_ARGS__; \
			puts("no fault"); \
		} \
		show(what, expected); \
	} while (0)

int main(void)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	volatile char *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int round = 0; round < 3; round++) {
		TRY("read of NULL", NULL, (void)*(volatile char *)(uintptr_t)zero);
		TRY("write near NULL", (void *)24, *(volatile char *)(uintptr_t)(zero + 24) = 1);
		TRY("read without right", (void *)(none + 7), (void)none[7]);
		TRY("write without right", (void *)(none + 9), none[9] = 1);
		TRY("write to a constant", (void *)"text", *(volatile char *)(uintptr_t) "text" = 1);
		TRY("write to code", (void *)(uintptr_t)main, *(volatile char *)(uintptr_t)main = 1);
		TRY("jump to NULL", NULL, ((void (*)(void))(uintptr_t)zero)());
		TRY("jump into data", (void *)&back, ((void (*)(void))(uintptr_t)&back)());
		TRY("non-canonical address", NULL, (void)*(volatile char *)(0x8000000000000000UL + (uintptr_t)zero));
		TRY("division by zero", &back, __asm__ volatile("div %%ecx" : : "a"(1), "d"(0), "c"(0)));
		TRY("quotient too large", &back, __asm__ volatile("div %%ecx" : : "a"(0), "d"(5), "c"(1)));
		TRY("undefined instruction", &back, __asm__ volatile("ud2"));
		TRY("privileged instruction", NULL, __asm__ volatile("hlt"));
		TRY("port input", NULL, __asm__ volatile("inl %%dx, %%eax" : : "d"(0x5658) : "eax"));
		TRY("port output", NULL, __asm__ volatile("outb %%al, %%dx" : : "a"(0), "d"(0x80)));
		TRY("privileged register", NULL, __asm__ volatile("mov %%cr0, %%rax" : : : "rax"));
		TRY("breakpoint", NULL, __asm__ volatile("int3"));
	}
	return 0;
}
