/* SPDX-License-Identifier: MIT */
/* Instructions of 32-bit code, which a far return leads to: those that only such code has (arpl, daa, aaa, into), and
 * those that trap there. Each runs in a child, which prints the registers after it, or the signal. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define CODE ((unsigned char *)0x10000000UL)
#define STACK 0x20000000UL
#define STACK_BYTES 0x10000UL
#define CODE32 0x23
#define END 32L /* of the code: an ud2, after nops */

static const struct row {
	const char *name;
	unsigned bytes;
	unsigned char code[8];
} rows[] = {
	{"arpl", 2, {0x63, 0xd8}}, /* arpl %bx, %ax */
	{"daa", 1, {0x27}},
	{"das", 1, {0x2f}},
	{"aaa", 1, {0x37}},
	{"aam", 2, {0xd4, 0x0a}},
	{"aam 0", 2, {0xd4, 0x00}}, /* a division by zero */
	{"salc", 1, {0xd6}},
	{"inc", 1, {0x40}}, /* a REX prefix in 64-bit code */
	{"bound register", 2, {0x62, 0xc0}},
	{"into without OF", 1, {0xce}},
	{"into", 5, {0xb0, 0x7f, 0x04, 0x01, 0xce}}, /* mov $127, %al; add $1, %al; into */
	{"int $4", 2, {0xcd, 0x04}},
	{"int3", 1, {0xcc}},
	{"cli", 1, {0xfa}},
	{"ud2", 2, {0x0f, 0x0b}},
};

static const struct row *tried;

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const long at = (long)(registers[REG_RIP] - (greg_t)CODE);
	if (sig == SIGILL && at == END)
		printf("%s: eax %llx, flags %llx\n", tried->name, registers[REG_RAX], registers[REG_EFL] & 0x41);
	else
		printf("%s: signal %d, code %d, at %ld, trap %lld, error %llx, eax %llx\n", tried->name, sig,
		       info->si_code, at, registers[REG_TRAPNO], registers[REG_ERR], registers[REG_RAX]);
	fflush(stdout);
	_exit(0);
}

static void go(const struct row *row)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	memset(CODE, 0x90, END);
	memcpy(CODE, row->code, row->bytes);
	CODE[END] = 0x0f;
	CODE[END + 1] = 0x0b;
	assert(!mprotect(CODE, 4096, PROT_READ | PROT_EXEC));
	tried = row;
	__asm__ volatile("mov %1, %%rsp\n\tpush %0\n\tpush %2\n\txor %%edi, %%edi\n\ttest %%edi, %%edi\n\tlretq"
	                 :
	                 : "r"((unsigned long)CODE32), "r"(STACK + STACK_BYTES - 1024), "r"(CODE), "a"(0x9c), "b"(3),
	                   "c"(0), "d"(5), "S"(0)
	                 : "memory", "rdi");
	__builtin_unreachable();
}

int main(void)
{
	const int rights = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
	assert(mmap(CODE, 4096, rights, flags, -1, 0) == CODE);
	assert(mmap((void *)STACK, STACK_BYTES, rights, flags, -1, 0) == (void *)STACK);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fflush(stdout);
		pid_t child = fork();
		assert(child >= 0);
		if (!child)
			go(&rows[i]);
		int status;
		assert(waitpid(child, &status, 0) == child);
		if (status)
			printf("%s: status %x\n", rows[i].name, status);
	}
	return 0;
}
