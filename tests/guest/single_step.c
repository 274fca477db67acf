/* SPDX-License-Identifier: MIT */
/* Steps (the trap flag): one for each instruction, one for a kernel call, none in the kernel. How many a library's
 * function takes is its own matter; but it is an equal number each time. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>

#include "say.h"

#define SET_TF "pushfq\n orq $0x100, (%%rsp)\n popfq\n"
#define CLEAR_TF "pushfq\n andq $~0x100, (%%rsp)\n popfq\n"
#define RED_ZONE_BYTES "128"

static volatile unsigned steps, wrong;
static volatile int leave;
static sigjmp_buf back;

static void on_step(int sig, siginfo_t *info, void *context)
{
	const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	steps++;
	wrong += sig != SIGTRAP || info->si_code != TRAP_TRACE || info->si_addr != (void *)registers[REG_RIP];
	wrong += registers[REG_TRAPNO] != 1;
	if (leave)
		siglongjmp(back, 1);
}

static void on_usr1(int sig)
{
	uint64_t flags;
	(void)sig;
	__asm__ volatile("pushfq\n pop %0" : "=r"(flags));
	printf("in a handler: TF %d\n", (int)(flags >> 8 & 1));
}

static void on(void)
{
	__asm__ volatile("sub $" RED_ZONE_BYTES ", %%rsp\n" SET_TF "add $" RED_ZONE_BYTES ", %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

static void off(void)
{
	__asm__ volatile("sub $" RED_ZONE_BYTES ", %%rsp\n" CLEAR_TF "add $" RED_ZONE_BYTES ", %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

static void show(const char *what)
{
	unsigned n = steps;
	steps = 0;
	printf("%s: %u steps, %u wrong\n", what, n, wrong);
}

static unsigned in_write(int fd, const void *data, size_t bytes, long *result)
{
	on();
	*result = write(fd, data, bytes);
	off();
	unsigned n = steps;
	steps = 0;
	return n;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	static char page[10000];
	long result;
	int ends[2];
	setbuf(stdout, NULL);
	sigaction(SIGTRAP, &action, NULL);
	signal(SIGUSR1, on_usr1);
	__asm__ volatile(SET_TF "nop\n nop\n nop\n" CLEAR_TF : : : "memory", "cc");
	show("three instructions");
	__asm__ volatile(SET_TF "rdtsc\n nop\n" CLEAR_TF : : : "memory", "cc", "rax", "rdx");
	show("a replaced instruction");
	__asm__ volatile(SET_TF "mov $5, %%ecx\n rep stosb\n" CLEAR_TF : : "D"(page), "a"(0) : "memory", "cc", "rcx");
	show("a repeated instruction");

	pipe(ends);
	in_write(ends[1], "first", 5, &result); /* the dynamic linker may have work */
	unsigned first = in_write(ends[1], "again", 5, &result), second;
	printf("write: %ld\n", result);
	second = in_write(ends[1], page, sizeof(page), &result);
	printf("a larger write: %ld, %s\n", result, first && second == first ? "equal steps" : "OTHER STEPS");
	second = in_write(ends[1], (void *)16, 5, &result);
	printf("a bad pointer: %ld\n", result);
	printf("bytes read: %zd, %u wrong\n", read(ends[0], page, sizeof(page)), wrong);

	on();
	raise(SIGUSR1);
	off();
	printf("a handler was called: %s, %u wrong\n", steps ? "stepped" : "NO STEPS", wrong);
	steps = 0;
	if (!sigsetjmp(back, 1)) {
		leave = 1;
		on();
		for (;;)
			;
	}
	leave = 0;
	show("left by a jump");
	/* One trap, which is no step (SDM 2B, INT1). Some virtual machines stop before the instruction for ever, so
	 * that Linux in them cannot be asked. */
#ifdef __EREMITE__
	__asm__ volatile(".byte 0xf1");
#else
	steps++, wrong++;
#endif
	printf("int1: %u steps, %u wrong\n", steps, wrong);
	on();
	_exit(3);
}
