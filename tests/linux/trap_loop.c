/* SPDX-License-Identifier: MIT */
/* Traps in a loop: none is lost when the monitor interrupts the guest between the instruction and its exception. */
#include <signal.h>
#include <stdio.h>

#define ROUNDS 20000
#define STEP_ROUNDS 2000

static volatile unsigned traps;

static void on_trap(int sig)
{
	(void)sig;
	traps++;
}

/* An instruction whose result the guest's kernel puts in place. */
static unsigned cpuid_vendor(void)
{
	unsigned a = 0, b, c = 0, d;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return b;
}

static void step_over_three(void)
{
	__asm__ volatile("sub $128, %%rsp\n\t"
	                 "pushf\n\t"
	                 "orl $0x100, (%%rsp)\n\t"
	                 "popf\n\t"
	                 "nop\n\t"
	                 "pushf\n\t"
	                 "andl $~0x100, (%%rsp)\n\t"
	                 "popf\n\t"
	                 "add $128, %%rsp"
	                 :
	                 :
	                 : "memory", "cc");
}

int main(void)
{
	unsigned vendor = cpuid_vendor(), others = 0;
	signal(SIGTRAP, on_trap);
	for (unsigned i = 0; i < ROUNDS; i++) {
		others += cpuid_vendor() != vendor;
		__asm__ volatile("int3");
		if (traps != i + 1) {
			printf("int3 %u was lost\n", i);
			return 1;
		}
	}
	printf("%u breakpoints, %u other vendors\n", traps, others);
	traps = 0;
	for (unsigned i = 0; i < STEP_ROUNDS; i++)
		step_over_three();
	printf("%u steps\n", traps);
	return 0;
}
