/* SPDX-License-Identifier: MIT */
/* A guest that cannot be interrupted: it uses the stub of the process engine, which is in its memory, to return from a
 * signal that did not come, with all signals blocked, and goes round for ever. For tests/security/stop.test. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "hypervisor/monitor/engine/process/channel.h"

/* struct ucontext of the kernel, which rt_sigreturn(2) takes from the stack. */
static struct {
	uint64_t flags, link;
	stack_t stack;
	greg_t registers[23];
	void *vectors;
	uint64_t reserved[8];
	uint64_t mask;
} context = {
	.flags = 6, /* SS is given, and right */
	.stack.ss_flags = SS_DISABLE,
	.registers = {[REG_EFL] = 0x202, [REG_CSGSFS] = 0x33 | 0x2bL << 48},
	.mask = UINT64_MAX,
};

static char stack[65536] __attribute__((aligned(64)));

static _Noreturn void loop(void)
{
	for (;;)
		__asm__ volatile("" ::: "memory");
}

int main(void)
{
	static const uint8_t sigreturn[] = {0xb8, 15, 0, 0, 0, 0x0f, 0x05};
	const uint8_t *at = (const uint8_t *)STUB_TEXT;
	while (memcmp(at, sigreturn, sizeof(sigreturn)))
		at++;
	puts("found");
	fflush(stdout);
	context.registers[REG_RIP] = (greg_t)loop;
	context.registers[REG_RSP] = (greg_t)(stack + sizeof(stack) - 8);
	__asm__ volatile("mov %0, %%rsp\n\tjmp *%1" ::"r"(&context), "r"(at));
	return 1;
}
