/* SPDX-License-Identifier: MIT */
#include "kernel/trap/operand.h"

#include "kernel/arch/trap_register.h"
#include "kernel/lib/string.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/signal/signal.h"

#define ERROR_WRITE 2UL
#define ERROR_USER 4UL

uint64_t operand_address(const struct trap_frame *frame, const uint8_t *code, uint8_t rex, uint64_t next)
{
	const unsigned mod = code[0] >> 6, rm = code[0] & 7;
	const uint8_t *at = code + 1;
	uint64_t address = 0;
	int32_t far = 0;
	bool wide = mod == 2;
	if (rm == 4) {
		const unsigned index = (*at >> 3 & 7U) | (rex & 2U) << 2, base = (*at & 7U);
		if (index != 4)
			address = trap_register_get(frame, index) << (*at >> 6);
		if (base == 5 && mod == 0)
			wide = true;
		else
			address += trap_register_get(frame, base | (rex & 1U) << 3);
		at++;
	} else if (rm == 5 && mod == 0) {
		address = next;
		wide = true;
	} else {
		address = trap_register_get(frame, rm | (rex & 1U) << 3);
	}
	if (wide)
		memcpy(&far, at, sizeof(far));
	else if (mod == 1)
		far = (int8_t)*at;
	return address + (uint64_t)(int64_t)far;
}

void operand_decode(const struct trap_frame *frame, const uint8_t *code, unsigned length, struct operand *out)
{
	const uint8_t *at = code;
	bool is_prefix = true;
	uint8_t rex = 0;
	uint64_t base = 0, mask = UINT64_MAX;
	*out = (struct operand){.bytes = sizeof(uint32_t)};
	thread_segments_note();
	for (; is_prefix; at += is_prefix) {
		rex = at > code && (at[-1] & 0xf0) == 0x40 ? at[-1] : 0;
		is_prefix = (*at & 0xf0) == 0x40 || (*at >= 0x64 && *at <= 0x67) || *at == 0x26 || *at == 0x2e ||
		            *at == 0x36 || *at == 0x3e || *at == 0xf2 || *at == 0xf3;
		if (*at == 0x64)
			base = thread_current->fs_base;
		else if (*at == 0x65)
			base = thread_current->gs_base;
		else if (*at == 0x66)
			out->bytes = sizeof(uint16_t);
		else if (*at == 0x67)
			mask = UINT32_MAX;
	}
	if (rex & 8)
		out->bytes = sizeof(uint64_t);
	const uint8_t *modrm = at + (*at == 0x0f ? 2 : 1);
	out->opcode = at;
	out->modrm = *modrm;
	out->reg = (*modrm >> 3 & 7U) | (rex & 4U) << 1;
	out->rm = (*modrm & 7U) | (rex & 1U) << 3;
	out->is_memory = operand_is_memory(*modrm);
	if (out->is_memory)
		out->address = base + (operand_address(frame, modrm, rex, frame->rip - 1 + length) & mask);
}

void operand_fault(struct trap_frame *frame, uint64_t address, bool is_store)
{
	static const char what[] = "an instruction that is emulated has its operand where the program may not have one";
	frame->rip--;
	if ((int64_t)(address << 16) >> 16 != (int64_t)address) {
		frame->vector = TRAP_GENERAL_PROTECTION;
		frame->error_code = 0;
		signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0, what);
		return;
	}
	frame->vector = TRAP_PAGE_FAULT;
	frame->address = address;
	frame->error_code = ERROR_USER | (is_store ? ERROR_WRITE : 0);
	signal_fault(frame, LINUX_SIGSEGV, vm_is_free(address, 1) ? LINUX_SEGV_MAPERR : LINUX_SEGV_ACCERR, address,
	             what);
}
