/* SPDX-License-Identifier: MIT */
/* Looks for opcodes byte by byte: it may refuse code that is harmless, never pass code that is not. Memory is never
 * writable and executable at once, so that what was looked at stays. */
#include "kernel/mm/exec.h"

#include <stddef.h>

#include "abi/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/mm/vm.h"

/* Of the instructions 0f 01 THIRD, those that the model has not or answers itself. */
static const char *of_group7(uint8_t third)
{
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

/* The name of the instruction that the bytes behind 0x0f may be, or NULL (SDM volume 2, appendix A). */
static const char *name_of(uint8_t second, uint8_t third)
{
	switch (second) {
	case 0xa2:
		return "CPUID";
	case 0x31:
		return "RDTSC";
	case 0x01:
		return of_group7(third);
	case 0xc7:
		return third >= 0xf8 ? "RDSEED or RDPID" : third >= 0xf0 ? "RDRAND" : NULL;
	default:
		return NULL;
	}
}

void exec_check(uint64_t address, uint64_t bytes)
{
	/* An instruction may begin in the code before, or end in the code after. */
	if (vm_protection(address - 1) & VM_EXEC)
		address -= 2, bytes += 2;
	if (vm_protection(address + bytes) & VM_EXEC)
		bytes += 2;
	const uint8_t *code = (const uint8_t *)address;
	for (uint64_t i = 0; i + 1 < bytes; i++) {
		const char *name = NULL;
		if (code[i] == 0x0f)
			name = name_of(code[i + 1], i + 2 < bytes ? code[i + 2] : 0xff);
		else if (code[i] == 0xc7 && code[i + 1] == 0xf8)
			name = "XBEGIN";
		if (!name)
			continue;
		char what[128];
		format(what, sizeof(what), "code made at run time holds what may be %s, at 0x%lx", name, address + i);
		end_with_report(END_REFUSED, 0, what);
	}
}
