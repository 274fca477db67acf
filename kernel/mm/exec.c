/* SPDX-License-Identifier: MIT */
/* Searches for opcodes byte by byte: it may refuse harmless code, but never accepts harmful code. Memory is never
 * writable and executable at once, so that scanned code stays as it is. */
#include "kernel/mm/exec.h"

#include <stddef.h>

#include "abi/doorbell.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/mm/vm.h"

/* Names the instructions 0f 01 THIRD that the model lacks or answers itself. */
static const char *of_group7(uint8_t third)
{
	const unsigned reg = third >> 3 & 7;
	if (third < 0xc0 && reg <= 1)
		return "SGDT or SIDT";
	if (reg == 4)
		return "SMSW";
	switch (third) {
	case 0xd0:
		return "XGETBV";
	case 0xf9:
		return "RDTSCP";
	case 0xd6:
		return "XTEST";
	case 0xfd:
		return "RDPRU";
	case 0xc1:
	case 0xd9:
		return "VMCALL or VMMCALL";
	case 0xc8:
	case 0xc9:
	case 0xfa:
	case 0xfb:
		return "MONITOR or MWAIT";
	case 0xee:
	case 0xef:
		return "RDPKRU or WRPKRU";
	case 0xfc:
		return "CLZERO";
	default:
		return NULL;
	}
}

/* Names the instructions 0f 00 THIRD that read descriptor tables. SLDT to memory is harmless. */
static const char *of_group6(uint8_t third)
{
	switch (third >> 3 & 7) {
	case 0:
		return third >= 0xc0 ? "SLDT" : NULL;
	case 1:
		return "STR";
	case 4:
	case 5:
		return "VERR or VERW";
	default:
		return NULL;
	}
}

/* The name of the instruction that the bytes after 0x0f may be, or NULL (SDM volume 2, appendix A). */
static const char *name_of(uint8_t second, uint8_t third)
{
	switch (second) {
	case 0xa2:
		return "CPUID";
	case 0x31:
		return "RDTSC";
	case 0x00:
		return of_group6(third);
	case 0x01:
		return of_group7(third);
	case 0x02:
	case 0x03:
		return "LAR or LSL";
	case 0x34:
	case 0x35:
		return "SYSENTER or SYSEXIT";
	case 0xc7:
		return third >= 0xf8 ? "RDSEED or RDPID" : third >= 0xf0 ? "RDRAND" : NULL;
	default:
		return NULL;
	}
}

/* The name of the instruction with which three bytes may begin, or NULL. */
static const char *name_at(const uint8_t code[3])
{
	if (code[0] == 0x0f)
		return name_of(code[1], code[2]);
	return code[0] == 0xc7 && code[1] == 0xf8 ? "XBEGIN" : NULL;
}

/* Whether an address may hold code. The image takes no mappings, and its end of code is not known here. */
static bool may_be_code(uint64_t address)
{
	return (vm_protection(address) & VM_EXEC) || !vm_is_allowed(address, 1);
}

/* Checks the next byte, with the two before it. */
static void check_byte(uint8_t window[3], uint8_t byte, uint64_t address)
{
	window[0] = window[1];
	window[1] = window[2];
	window[2] = byte;
	const char *name = name_at(window);
	if (!name)
		return;
	char what[128];
	format(what, sizeof(what), "code made at run time holds what may be %s, at 0x%lx", name, address - 2);
	end_with_report(END_REFUSED, 0, what);
}

/* Checks one executable range, and its borders with the code before and after it. */
static void check_range(uint64_t address, uint64_t end)
{
	uint8_t window[3] = {0}, part[256];
	if (may_be_code(address - 1))
		address -= 2;
	if (may_be_code(end))
		end += 2;
	for (uint64_t at = address, next; at < end; at = next) {
		next = (at + sizeof(part)) & ~(sizeof(part) - 1);
		if (next > end)
			next = end;
		if (copy_from_user(part, (const void *)at, next - at))
			memset(part, 0, sizeof(part)); /* beyond the end of a file, where nothing is ever executed */
		for (uint64_t i = 0; i < next - at; i++)
			check_byte(window, part[i], at + i);
	}
	check_byte(window, 0, end);
}

void exec_refuse(uint64_t address, uint64_t bytes)
{
	for (uint64_t at = address, end; (end = exec_next(&at, address + bytes)); at = end)
		check_range(at, end);
}
