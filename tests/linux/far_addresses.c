/* SPDX-License-Identifier: MIT */
/* Addresses behind the end of a program's, which are not canonical on a host with page tables of four levels, and
 * beyond: mmap with them, and the signals of loads, stores, calls, and of instructions that use the stack. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf back;
static char stack[1 << 16];

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	printf("signal %d, code %d, at %p, trap %lld, error %llx\n", sig, info->si_code, info->si_addr,
	       registers[REG_TRAPNO], registers[REG_ERR]);
	siglongjmp(back, 1);
}

#define TRY(name, ...) \
	do { \
		printf("  %s: ", name); \
		if (!sigsetjmp(back, 1)) { \
			__VA_ARGS__; \
			printf("nothing\n"); \
		} \
	} while (0)

static void use(unsigned long address)
{
	TRY("load", (void)*(volatile char *)address);
	TRY("store", *(volatile char *)address = 1);
	TRY("store of a vector", __asm__ volatile("movups %%xmm0, (%0)" : : "r"(address) : "memory"));
	TRY("load by a string instruction", __asm__ volatile("lodsb" : : "S"(address) : "memory", "rax"));
	TRY("call", ((void (*)(void))address)());
	TRY("push", __asm__ volatile("mov %%rsp, %%rbx\n\tmov %0, %%rsp\n\tpush %%rax\n\tmov %%rbx, %%rsp"
	                             :
	                             : "r"(address + 8)
	                             : "rbx", "memory"));
	TRY("pop", __asm__ volatile("mov %%rsp, %%rbx\n\tmov %0, %%rsp\n\tpop %%rax\n\tmov %%rbx, %%rsp"
	                            :
	                            : "r"(address)
	                            : "rax", "rbx", "memory"));
	TRY("load by RBP", __asm__ volatile("push %%rbp\n\tmov %0, %%rbp\n\tmovb 0(%%rbp), %%al\n\tpop %%rbp"
	                                    :
	                                    : "r"(address)
	                                    : "rax", "memory"));
	TRY("add to RSP", __asm__ volatile("mov %%rsp, %%rbx\n\tmov %0, %%rsp\n\taddl $1, 8(%%rsp)\n\tmov %%rbx, %%rsp"
	                                   :
	                                   : "r"(address - 8)
	                                   : "rbx", "memory"));
}

static void map(unsigned long address, const char *name, int flags)
{
	void *at = mmap((void *)address, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
	if (at == MAP_FAILED)
		printf("  %s: %s\n", name, strerror(errno));
	else
		printf("  %s: %s\n", name, (unsigned long)at < 1UL << 47 ? "below 2^47" : "above");
	if (at != MAP_FAILED)
		munmap(at, 4096);
}

static void call_kernel(unsigned long address)
{
	map(address, "mmap", 0);
	map(address, "mmap fixed", MAP_FIXED);
	map(address, "mmap without replacing", MAP_FIXED_NOREPLACE);
	printf("  mprotect: %s\n", mprotect((void *)address, 4096, PROT_READ) ? strerror(errno) : "done");
	printf("  munmap: %s\n", munmap((void *)address, 4096) ? strerror(errno) : "done");
	printf("  madvise: %s\n", madvise((void *)address, 4096, MADV_DONTNEED) ? strerror(errno) : "done");
	printf("  write: %s\n", write(1, (void *)address, 1) < 0 ? strerror(errno) : "done");
}

static void on_any(int sig)
{
	_exit(sig);
}

/* A signal whose handler has no stack ends the process by SIGSEGV. */
static void lose_stack(unsigned long address)
{
	int status;
	fflush(stdout);
	if (!fork()) {
		signal(SIGBUS, on_any);
		signal(SIGSEGV, on_any);
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
		__asm__ volatile("mov %0, %%rsp\n\tpush %%rax" : : "r"(address + 8) : "memory");
	}
	wait(&status);
	printf("  without a stack: status %x\n", status);
}

int main(void)
{
	static const unsigned long addresses[] = {0x7ffffffff000, 0x7ffffffffff0,     1UL << 47, 1UL << 48,
	                                          1UL << 52,      (1UL << 56) - 4096, 1UL << 56, 1UL << 57,
	                                          1UL << 63,      0xffff7ffffffff000};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	for (unsigned i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		printf("%lx\n", addresses[i]);
		use(addresses[i]);
		call_kernel(addresses[i]);
		if (addresses[i] >= 1UL << 47)
			lose_stack(addresses[i]);
	}
	return 0;
}
