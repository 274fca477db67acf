/* SPDX-License-Identifier: MIT */
/* The routine runs in the guest's program, not in a signal handler, and on a stack of its own, because the guest's
 * memory must be the same under each engine. An interrupt that arrives meanwhile waits until it ends: the monitor and
 * the routine must not use the records of mapped.c at the same time, and the monitor sees the guest's code only. */
#include "engine/process/stub/translation.h"

#include <stddef.h>

#include "abi/translation.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/mapped.h"
#include "engine/process/stub/spaces.h"

/* The upper half of the memory for stacks; signals use the lower one. */
#define STACK_LOW (STUB_STACK + STUB_STACK_BYTES / 2)
#define STACK_TOP (STUB_STACK + STUB_STACK_BYTES)

void stub_translation(void);
void translation_do(uint64_t address, uint32_t what);

/* In stub_translation: behind its check for an interrupt, behind the breakpoint, and its end. */
extern const char translation_checked[], translation_trap[], translation_end[];

__attribute__((naked, used)) void stub_translation(void)
{
	__asm__("	mov %%rsp, %%r9\n"
	        "	movabs %0, %%rsp\n"
	        "	push %%r8\n"
	        "	push %%r9\n"
	        "	call translation_do\n"
	        "	pop %%r9\n"
	        "	pop %%r8\n"
	        "	mov %%r9, %%rsp\n"
	        "	movabs %1, %%rax\n"
	        "	cmpl $0, (%%rax)\n"
	        "	.globl translation_checked, translation_trap, translation_end\n"
	        "	.hidden translation_checked, translation_trap, translation_end\n"
	        "translation_checked:\n"
	        "	je 1f\n"
	        "	int3\n"
	        "translation_trap:\n"
	        "1:	jmp *%%r8\n"
	        "translation_end:\n"
	        :
	        : "i"(STACK_TOP), "i"(STUB_CHANNEL + offsetof(struct channel, interrupt)));
}

__attribute__((used)) void translation_do(uint64_t address, uint32_t what)
{
	if (what == TRANSLATION_FORGET)
		mapped_forget_page(address);
	else if (what == TRANSLATION_SHOW)
		mapped_show_page(address);
	else
		spaces_reload(address);
}

static void go_behind(greg_t *registers)
{
	registers[REG_RIP] = registers[REG_R8];
}

bool translation_defers(greg_t *registers)
{
	const uint64_t rip = (uint64_t)registers[REG_RIP], rsp = (uint64_t)registers[REG_RSP];
	if (rip >= (uint64_t)translation_checked && rip < (uint64_t)translation_end) {
		go_behind(registers);
		return false;
	}
	const bool is_on_stack = rsp > STACK_LOW && rsp <= STACK_TOP;
	return rip == STUB_TRANSLATION || (rip >= (uint64_t)stub_translation && rip < (uint64_t)translation_end) ||
	       (is_on_stack && rip >= STUB_TEXT && rip < STUB_TEXT + STUB_TEXT_BYTES);
}

bool translation_ends(greg_t *registers)
{
	if ((uint64_t)registers[REG_RIP] != (uint64_t)translation_trap)
		return false;
	go_behind(registers);
	return true;
}
