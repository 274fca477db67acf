/* SPDX-License-Identifier: MIT */
#include "scan/instruction_kind.h"

#include "abi/boot.h"
#include "abi/code.h"
#include "scan/disassembler.h"

/* The kind of an instruction of an extension that no model has, and whose instructions hosts do not have, refuse in
 * different ways, or execute with state that no switch of threads carries. Shadow stacks: ENDBR and RDSSP do nothing on
 * all hosts, and the others are invalid without them. */
static uint8_t kind_of_extension(const ZydisDecodedInstruction *in)
{
	switch (in->meta.isa_ext) {
	case ZYDIS_ISA_EXT_AMX_BF16:
	case ZYDIS_ISA_EXT_AMX_INT8:
	case ZYDIS_ISA_EXT_AMX_TILE:
	case ZYDIS_ISA_EXT_AMD_INVLPGB:
	case ZYDIS_ISA_EXT_ENQCMD:
	case ZYDIS_ISA_EXT_HRESET:
	case ZYDIS_ISA_EXT_INVPCID:
	case ZYDIS_ISA_EXT_KEYLOCKER:
	case ZYDIS_ISA_EXT_KEYLOCKER_WIDE:
	case ZYDIS_ISA_EXT_MCOMMIT:
	case ZYDIS_ISA_EXT_PCONFIG:
	case ZYDIS_ISA_EXT_PT:
	case ZYDIS_ISA_EXT_RTM:
	case ZYDIS_ISA_EXT_SERIALIZE:
	case ZYDIS_ISA_EXT_SGX:
	case ZYDIS_ISA_EXT_SGX_ENCLV:
	case ZYDIS_ISA_EXT_SNP:
	case ZYDIS_ISA_EXT_SVM:
	case ZYDIS_ISA_EXT_TDX:
	case ZYDIS_ISA_EXT_TSX_LDTRK:
	case ZYDIS_ISA_EXT_UINTR:
	case ZYDIS_ISA_EXT_VMFUNC:
	case ZYDIS_ISA_EXT_VTX:
	case ZYDIS_ISA_EXT_WAITPKG:
	case ZYDIS_ISA_EXT_XSAVES:
		return TRAP_SYSTEM;
	case ZYDIS_ISA_EXT_CET:
		switch (in->mnemonic) {
		case ZYDIS_MNEMONIC_ENDBR32:
		case ZYDIS_MNEMONIC_ENDBR64:
		case ZYDIS_MNEMONIC_RDSSPD:
		case ZYDIS_MNEMONIC_RDSSPQ:
			return 0;
		default:
			return TRAP_SYSTEM;
		}
	default:
		return 0;
	}
}

static uint8_t kind_of_mnemonic(const ZydisDecodedInstruction *in)
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

uint8_t instruction_kind(const ZydisDecodedInstruction *in)
{
	const uint8_t kind = kind_of_mnemonic(in);
	return kind ? kind : kind_of_extension(in);
}

bool instruction_is_rare(uint8_t kind)
{
	return kind == TRAP_SEGMENT || kind == TRAP_DESCRIPTOR || kind == TRAP_SYSENTER || kind == TRAP_X87_STATE ||
	       kind == TRAP_SYSTEM;
}

uint16_t instruction_variation(const ZydisDecodedInstruction *in)
{
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_RCPPS:
	case ZYDIS_MNEMONIC_RCPSS:
	case ZYDIS_MNEMONIC_RSQRTPS:
	case ZYDIS_MNEMONIC_RSQRTSS:
	case ZYDIS_MNEMONIC_VRCPPS:
	case ZYDIS_MNEMONIC_VRCPSS:
	case ZYDIS_MNEMONIC_VRSQRTPS:
	case ZYDIS_MNEMONIC_VRSQRTSS:
	case ZYDIS_MNEMONIC_VRCPPH:
	case ZYDIS_MNEMONIC_VRCPSH:
	case ZYDIS_MNEMONIC_VRSQRTPH:
	case ZYDIS_MNEMONIC_VRSQRTSH:
		return INSTRUCTION_APPROXIMATE;
	case ZYDIS_MNEMONIC_VRCP14PS:
	case ZYDIS_MNEMONIC_VRCP14PD:
	case ZYDIS_MNEMONIC_VRCP14SS:
	case ZYDIS_MNEMONIC_VRCP14SD:
	case ZYDIS_MNEMONIC_VRSQRT14PS:
	case ZYDIS_MNEMONIC_VRSQRT14PD:
	case ZYDIS_MNEMONIC_VRSQRT14SS:
	case ZYDIS_MNEMONIC_VRSQRT14SD:
	case ZYDIS_MNEMONIC_VRCP28PS:
	case ZYDIS_MNEMONIC_VRCP28PD:
	case ZYDIS_MNEMONIC_VRCP28SS:
	case ZYDIS_MNEMONIC_VRCP28SD:
	case ZYDIS_MNEMONIC_VRSQRT28PS:
	case ZYDIS_MNEMONIC_VRSQRT28PD:
	case ZYDIS_MNEMONIC_VRSQRT28SS:
	case ZYDIS_MNEMONIC_VRSQRT28SD:
	case ZYDIS_MNEMONIC_VEXP2PS:
	case ZYDIS_MNEMONIC_VEXP2PD:
		return INSTRUCTION_INTEL_EXACT;
	case ZYDIS_MNEMONIC_FSIN:
	case ZYDIS_MNEMONIC_FCOS:
	case ZYDIS_MNEMONIC_FSINCOS:
	case ZYDIS_MNEMONIC_FPTAN:
	case ZYDIS_MNEMONIC_FPATAN:
	case ZYDIS_MNEMONIC_F2XM1:
	case ZYDIS_MNEMONIC_FYL2X:
	case ZYDIS_MNEMONIC_FYL2XP1:
		return INSTRUCTION_X87_FUNCTION;
	default:
		return 0;
	}
}

static enum cpu_model model_of_avx512(const ZydisDecodedInstruction *in)
{
	switch (in->meta.isa_set) {
	case ZYDIS_ISA_SET_AVX512BW_128:
	case ZYDIS_ISA_SET_AVX512BW_128N:
	case ZYDIS_ISA_SET_AVX512BW_256:
	case ZYDIS_ISA_SET_AVX512BW_512:
	case ZYDIS_ISA_SET_AVX512BW_KOP:
	case ZYDIS_ISA_SET_AVX512CD_128:
	case ZYDIS_ISA_SET_AVX512CD_256:
	case ZYDIS_ISA_SET_AVX512CD_512:
	case ZYDIS_ISA_SET_AVX512DQ_128:
	case ZYDIS_ISA_SET_AVX512DQ_128N:
	case ZYDIS_ISA_SET_AVX512DQ_256:
	case ZYDIS_ISA_SET_AVX512DQ_512:
	case ZYDIS_ISA_SET_AVX512DQ_KOP:
	case ZYDIS_ISA_SET_AVX512DQ_SCALAR:
	case ZYDIS_ISA_SET_AVX512F_128:
	case ZYDIS_ISA_SET_AVX512F_128N:
	case ZYDIS_ISA_SET_AVX512F_256:
	case ZYDIS_ISA_SET_AVX512F_512:
	case ZYDIS_ISA_SET_AVX512F_KOP:
	case ZYDIS_ISA_SET_AVX512F_SCALAR:
		return CPU_V4;
	default:
		return CPU_MODELS;
	}
}

bool instruction_is_extension(const ZydisDecodedInstruction *in, enum cpu_model *model)
{
	const uint8_t kind = instruction_kind(in);
	if ((kind && kind != CODE_ATOMIC) || in->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
		return false;
	switch (in->meta.isa_ext) {
	case ZYDIS_ISA_EXT_BASE:
	case ZYDIS_ISA_EXT_LONGMODE:
	case ZYDIS_ISA_EXT_MMX:
	case ZYDIS_ISA_EXT_X87:
	case ZYDIS_ISA_EXT_SSE:
	case ZYDIS_ISA_EXT_SSE2:
	case ZYDIS_ISA_EXT_SSE3:
	case ZYDIS_ISA_EXT_SSSE3:
	case ZYDIS_ISA_EXT_SSE4:
	case ZYDIS_ISA_EXT_PAUSE:
	case ZYDIS_ISA_EXT_CLFSH:
	case ZYDIS_ISA_EXT_CET:
	case ZYDIS_ISA_EXT_MPX:
	case ZYDIS_ISA_EXT_CLDEMOTE:
	case ZYDIS_ISA_EXT_PREFETCHWT1:
	case ZYDIS_ISA_EXT_AMD3DNOW_PREFETCH:
	case ZYDIS_ISA_EXT_INVALID:
		return false;
	case ZYDIS_ISA_EXT_AVX:
	case ZYDIS_ISA_EXT_AVX2:
	case ZYDIS_ISA_EXT_AVX2GATHER:
	case ZYDIS_ISA_EXT_FMA:
	case ZYDIS_ISA_EXT_F16C:
	case ZYDIS_ISA_EXT_BMI1:
	case ZYDIS_ISA_EXT_BMI2:
	case ZYDIS_ISA_EXT_LZCNT:
	case ZYDIS_ISA_EXT_MOVBE:
		*model = CPU_V3;
		return true;
	case ZYDIS_ISA_EXT_AVX512EVEX:
	case ZYDIS_ISA_EXT_AVX512VEX:
		*model = model_of_avx512(in);
		return true;
	default:
		*model = CPU_MODELS;
		return true;
	}
}
