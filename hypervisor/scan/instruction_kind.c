/* SPDX-License-Identifier: MIT */
#include "scan/instruction_kind.h"

#include "abi/boot.h"
#include "abi/code.h"

uint8_t instruction_kind(const ZydisDecodedInstruction *in)
{
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_CPUID:
		return TRAP_CPUID;
	case ZYDIS_MNEMONIC_RDTSC:
		return TRAP_RDTSC;
	case ZYDIS_MNEMONIC_RDTSCP:
		return TRAP_RDTSCP;
	case ZYDIS_MNEMONIC_RDRAND:
		return TRAP_RDRAND;
	case ZYDIS_MNEMONIC_RDSEED:
		return TRAP_RDSEED;
	case ZYDIS_MNEMONIC_RDPID:
		return TRAP_RDPID;
	case ZYDIS_MNEMONIC_XGETBV:
		return TRAP_XGETBV;
	case ZYDIS_MNEMONIC_XSAVE:
	case ZYDIS_MNEMONIC_XSAVE64:
	case ZYDIS_MNEMONIC_XSAVEC:
	case ZYDIS_MNEMONIC_XSAVEC64:
	case ZYDIS_MNEMONIC_XSAVEOPT:
	case ZYDIS_MNEMONIC_XSAVEOPT64:
	case ZYDIS_MNEMONIC_XRSTOR:
	case ZYDIS_MNEMONIC_XRSTOR64:
		return TRAP_XSAVE;
	case ZYDIS_MNEMONIC_XBEGIN:
	case ZYDIS_MNEMONIC_XTEST:
		return TRAP_TSX;
	case ZYDIS_MNEMONIC_RDPRU:
		return TRAP_RDPRU;
	case ZYDIS_MNEMONIC_VMCALL:
	case ZYDIS_MNEMONIC_VMMCALL:
	case ZYDIS_MNEMONIC_MONITOR:
	case ZYDIS_MNEMONIC_MWAIT:
	case ZYDIS_MNEMONIC_MONITORX:
	case ZYDIS_MNEMONIC_MWAITX:
	case ZYDIS_MNEMONIC_CLZERO:
	case ZYDIS_MNEMONIC_RDPKRU:
	case ZYDIS_MNEMONIC_WRPKRU:
		return TRAP_ABSENT;
	case ZYDIS_MNEMONIC_SLDT:
		return in->raw.modrm.mod == 3 ? TRAP_DESCRIPTOR : 0;
	case ZYDIS_MNEMONIC_SGDT:
	case ZYDIS_MNEMONIC_SIDT:
	case ZYDIS_MNEMONIC_SMSW:
	case ZYDIS_MNEMONIC_STR:
	case ZYDIS_MNEMONIC_VERR:
	case ZYDIS_MNEMONIC_VERW:
		return TRAP_DESCRIPTOR;
	case ZYDIS_MNEMONIC_LAR:
	case ZYDIS_MNEMONIC_LSL:
		return TRAP_SEGMENT;
	case ZYDIS_MNEMONIC_FNSTENV:
	case ZYDIS_MNEMONIC_FNSAVE:
	case ZYDIS_MNEMONIC_FXSAVE:
	case ZYDIS_MNEMONIC_FXSAVE64:
		return TRAP_X87_STATE;
	case ZYDIS_MNEMONIC_RDFSBASE:
	case ZYDIS_MNEMONIC_WRFSBASE:
	case ZYDIS_MNEMONIC_RDGSBASE:
	case ZYDIS_MNEMONIC_WRGSBASE:
		return TRAP_BASE;
	case ZYDIS_MNEMONIC_SYSENTER:
	case ZYDIS_MNEMONIC_SYSEXIT:
		return TRAP_SYSENTER;
	case ZYDIS_MNEMONIC_SYSCALL:
		return CODE_SYSCALL;
	case ZYDIS_MNEMONIC_PAUSE: /* with REX.B an xchg of registers, which the library also calls pause */
		return in->raw.rex.B ? 0 : CODE_PAUSE;
	case ZYDIS_MNEMONIC_XCHG: /* with memory it is locked even without a prefix */
		return (in->attributes & ZYDIS_ATTRIB_HAS_MODRM) && in->raw.modrm.mod != 3 ? CODE_ATOMIC : 0;
	default:
		return in->attributes & ZYDIS_ATTRIB_HAS_LOCK ? CODE_ATOMIC : 0;
	}
}

bool instruction_is_rare(uint8_t kind)
{
	return kind == TRAP_SEGMENT || kind == TRAP_DESCRIPTOR || kind == TRAP_SYSENTER || kind == TRAP_X87_STATE;
}
