/* SPDX-License-Identifier: MIT */
#include "kernel/trap/descriptor.h"

#include <stdbool.h>

#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/sched/thread.h"
#include "kernel/trap/operand.h"

#define RFLAGS_ZF 0x40UL
#define RPL 3U

/* Linux's results (arch/x86/kernel/umip.c): empty tables in the last pages of the address space, CR0 with PE, MP, ET,
 * NE, WP, AM and PG, the selector of its task, and no LDT. */
#define GDT_BASE 0xfffffffffffe0000UL
#define IDT_BASE 0xffffffffffff0000UL
#define CR0_STATE 0x80050033UL
#define TASK_SELECTOR 0x40UL
#define TABLE_BYTES 10 /* a limit of 16 bits and a base of 64 */

/* The segments that ring 3 sees on Linux. */
static const struct segment {
	uint16_t selector; /* without RPL */
	bool is_writable;
	bool is_processor; /* true: the limit is the processor's number; false: all ones */
	uint32_t rights;   /* as LAR returns them */
} segments[] = {
	{0x20, false, false, 0xcffb00}, /* code of 32 bits */
	{0x28, true, false, 0xcff300},  /* data */
	{0x30, false, false, 0xaffb00}, /* code of 64 bits */
	{0x78, false, true, 0x40f500},  /* data, read-only */
};

/* Stores into the operand. As on Linux, the rest of a register keeps its value. */
static bool store_operand(struct trap_frame *frame, const struct operand *operand, const void *value, unsigned bytes)
{
	if (operand->is_memory)
		return !copy_to_user((void *)operand->address, value, bytes);
	uint64_t whole = trap_register_get(frame, operand->rm);
	memcpy(&whole, value, operand->bytes);
	trap_register_set(frame, operand->rm, whole);
	return true;
}

static bool store_table(struct trap_frame *frame, const struct operand *operand, uint64_t base)
{
	uint8_t table[TABLE_BYTES] = {0};
	memcpy(table + sizeof(uint16_t), &base, sizeof(base));
	return store_operand(frame, operand, table, sizeof(table));
}

static bool load_selector(const struct trap_frame *frame, const struct operand *operand, uint16_t *selector)
{
	if (operand->is_memory)
		return !copy_from_user(selector, (const void *)operand->address, sizeof(*selector));
	*selector = (uint16_t)trap_register_get(frame, operand->rm);
	return true;
}

static const struct segment *find_descriptor(uint16_t selector)
{
	for (unsigned i = 0; i < sizeof(segments) / sizeof(segments[0]); i++)
		if (segments[i].selector == (selector & ~RPL))
			return &segments[i];
	return NULL;
}

/* LAR, LSL: loads all 64 bits of the other operand, or 16 if the operands have 16. */
static void load_into_register(struct trap_frame *frame, const struct operand *operand, uint32_t value)
{
	uint64_t whole = value;
	if (operand->bytes == sizeof(uint16_t))
		whole = (trap_register_get(frame, operand->reg) & ~(uint64_t)UINT16_MAX) | (uint16_t)value;
	trap_register_set(frame, operand->reg, whole);
}

/* Executes LAR, LSL, VERR and VERW. */
static bool ask_descriptor(struct trap_frame *frame, const struct operand *operand)
{
	uint16_t selector;
	if (!load_selector(frame, operand, &selector))
		return false;
	const struct segment *segment = find_descriptor(selector);
	bool is_write = operand->opcode[1] == 0x00 && (operand->modrm >> 3 & 7) == 5;
	frame->rflags &= ~RFLAGS_ZF;
	if (!segment || (is_write && !segment->is_writable))
		return true;
	frame->rflags |= RFLAGS_ZF;
	if (operand->opcode[1] == 0x02)
		load_into_register(frame, operand, segment->rights);
	else if (operand->opcode[1] == 0x03)
		load_into_register(frame, operand,
		                   segment->is_processor ? thread_processor(thread_current) : UINT32_MAX);
	return true;
}

/* Returns whether the operand in memory could be used. */
static bool execute(struct trap_frame *frame, const struct operand *operand, bool *is_store)
{
	static const uint64_t state = CR0_STATE, task = TASK_SELECTOR, none;
	const unsigned operation = operand->modrm >> 3 & 7;
	*is_store = operand->opcode[1] == 0x01 || (operand->opcode[1] == 0x00 && operation <= 1);
	if (!*is_store)
		return ask_descriptor(frame, operand);
	if (operand->opcode[1] == 0x01 && operation <= 1)
		return store_table(frame, operand, operation ? IDT_BASE : GDT_BASE);
	const uint64_t *value = operand->opcode[1] == 0x01 ? &state : operation ? &task : &none;
	return store_operand(frame, operand, value, sizeof(uint16_t));
}

void descriptor_emulate(struct trap_frame *frame, const uint8_t code[DESCRIPTOR_CODE_BYTES], unsigned length)
{
	struct operand operand;
	bool is_store;
	operand_decode(frame, code, length, &operand);
	if (execute(frame, &operand, &is_store))
		frame->rip += length - 1UL;
	else
		operand_fault(frame, operand.address, is_store);
}
