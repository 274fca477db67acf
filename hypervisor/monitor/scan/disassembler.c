/* SPDX-License-Identifier: MIT */
#include "scan/disassembler.h"

#include <Zydis/Zydis.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "abi/boot.h"
#include "abi/code.h"
#include "library/library.h"
#include "library_names.h"
#include "scan/instruction_kind.h"
#include "scan/opcode_search.h"
#include "scan/plain_instruction.h"

/** The functions used from the library: Zydis##name is zydis.member. */
#define ZYDIS_FUNCTIONS(X) \
	X(init, DecoderInit) \
	X(decode, DecoderDecodeInstruction) \
	X(full, DecoderDecodeFull) \
	X(text, DisassembleATT) \
	X(enclosing, RegisterGetLargestEnclosing) \
	X(mnemonic, MnemonicGetString) \
	X(set, ISASetGetString) \
	X(extension, ISAExtGetString)

/* They stay loaded for later searches. */
static struct {
#define ZYDIS_MEMBER(member, name) __typeof__(Zydis##name) *member;
	ZYDIS_FUNCTIONS(ZYDIS_MEMBER)
#undef ZYDIS_MEMBER
} zydis;

static ZydisDecoder decoder;
static bool is_ready;

int disassembler_load(struct error *error)
{
#define NAME(member, name) "Zydis" #name,
	static const char *const names[] = {ZYDIS_FUNCTIONS(NAME) NULL};
#undef NAME
	static struct library library = {
		.file = LIBRARY_ZYDIS,
		.purpose = "finds the instructions that must be replaced in code",
		.package = PACKAGE_ZYDIS,
	};
	int result = is_ready ? 0 : library_load(&library, names, (void **)&zydis, error);
	if (!result && !is_ready &&
	    !ZYAN_SUCCESS(zydis.init(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)))
		result = error_set(error, ELIBACC, "%s cannot decode instructions of 64 bits", LIBRARY_ZYDIS);
	is_ready = !result;
	return result;
}

unsigned disassembler_set_of(uint8_t kind)
{
	switch (kind) {
	case 0:
		return 0;
	case CODE_SYSCALL:
		return OPCODE_SYSCALL;
	case CODE_PAUSE:
		return OPCODE_PAUSE;
	case CODE_ATOMIC:
		return OPCODE_ATOMIC;
	case CODE_STORE:
	case CODE_UPDATE:
	case CODE_LOAD:
	case CODE_LOCKED:
		return OPCODE_STORE;
	case CODE_WAIT:
		return OPCODE_WAIT;
	case CODE_TICK:
	case CODE_TICK_FLAGS:
	case CODE_TICK_COUNT:
	case CODE_TICK_LOOP:
	case CODE_LOOP_PART:
	case CODE_LOOP:
		return OPCODE_TICK;
	default:
		return OPCODE_TRAPS;
	}
}

/* Whether other code decides if the next instruction runs. */
static bool leaves(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_SYSCALL:
		return true;
	default:
		return in->mnemonic == ZYDIS_MNEMONIC_UD0 || in->mnemonic == ZYDIS_MNEMONIC_UD1 ||
		       in->mnemonic == ZYDIS_MNEMONIC_UD2;
	}
}

/* Whether an instruction without a relative operand continues at the next instruction, and only there. */
static bool goes_on(const ZydisDecodedInstruction *in)
{
	if (leaves(in))
		return false;
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_SYSTEM:
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_CET:
		return false;
	default:
		return in->mnemonic != ZYDIS_MNEMONIC_HLT && in->mnemonic != ZYDIS_MNEMONIC_XABORT &&
		       in->mnemonic != ZYDIS_MNEMONIC_XEND;
	}
}

/* Whether an instruction occurs in data taken for code, but not in programs. */
static bool is_odd(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_IO:
	case ZYDIS_CATEGORY_IOSTRINGOP:
	case ZYDIS_CATEGORY_SYSRET:
		return true;
	default:
		break;
	}
	if (instruction_is_rare(instruction_kind(in)) && instruction_kind(in) != TRAP_X87_STATE)
		return true;
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_INT:
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_ENTER:
	case ZYDIS_MNEMONIC_XLAT:
	case ZYDIS_MNEMONIC_LODSB:
	case ZYDIS_MNEMONIC_LODSD:
		return true;
	default:
		return (in->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED && in->mnemonic != ZYDIS_MNEMONIC_HLT) ||
		       in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
	}
}

/* Sets the target of an instruction with an operand relative to its address. */
static void set_target(const ZydisDecodedInstruction *in, uint64_t address, struct instruction *instruction)
{
	uint64_t next = address + in->length;
	if (in->raw.imm[0].is_relative) {
		instruction->flags |= INSTRUCTION_TARGET;
		instruction->target = next + (uint64_t)in->raw.imm[0].value.s;
	} else if (in->mnemonic == ZYDIS_MNEMONIC_LEA) {
		instruction->flags |= INSTRUCTION_TARGET | INSTRUCTION_REFERENCE;
		instruction->target = next + (uint64_t)in->raw.disp.value;
	}
}

/* Whether an instruction can do the same at another address, with another displacement: its memory operand is relative
 * to the next instruction. */
static bool is_relocatable(const ZydisDecodedInstruction *in)
{
	return !in->raw.imm[0].is_relative && in->raw.disp.size == 32 && (in->attributes & ZYDIS_ATTRIB_HAS_MODRM) &&
	       in->raw.modrm.mod == 0 && in->raw.modrm.rm == 5 && goes_on(in);
}

unsigned disassemble_fully(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction)
{
	ZydisDecodedInstruction in;
	if (!ZYAN_SUCCESS(zydis.decode(&decoder, NULL, bytes, left, &in)))
		return 0;
	*instruction = (struct instruction){.length = in.length, .kind = instruction_kind(&in)};
	if (in.attributes & ZYDIS_ATTRIB_IS_RELATIVE) {
		set_target(&in, address, instruction);
		instruction->relative_at = is_relocatable(&in) ? in.raw.disp.offset : 0;
	} else if (goes_on(&in)) {
		instruction->flags |= INSTRUCTION_MOVABLE;
	}
	if (is_odd(&in))
		instruction->flags |= INSTRUCTION_ODD;
	bool is_jump = in.meta.category == ZYDIS_CATEGORY_UNCOND_BR && in.mnemonic != ZYDIS_MNEMONIC_XABORT;
	if (is_jump || in.meta.category == ZYDIS_CATEGORY_RET ||
	    in.mnemonic == ZYDIS_MNEMONIC_HLT) /* libraries place it after calls that do not return */
		instruction->flags |= INSTRUCTION_END;
	if (leaves(&in))
		instruction->flags |= INSTRUCTION_LEAVES;
	/* jmp *x(%rip) is a tail call of a function elsewhere, and not a jump to a label. */
	if (in.mnemonic == ZYDIS_MNEMONIC_JMP && !(in.attributes & ZYDIS_ATTRIB_IS_RELATIVE))
		instruction->flags |= INSTRUCTION_INDIRECT;
	/* 0xb8 + register, or 0xc7 with a register in ModRM; both without REX.B or its equivalents. */
	bool to_register_0 = in.opcode == 0xb8 || (in.opcode == 0xc7 && in.raw.modrm.mod == 3 && !in.raw.modrm.rm);
	if (in.mnemonic == ZYDIS_MNEMONIC_MOV && to_register_0 && !in.raw.rex.B)
		instruction->flags |= INSTRUCTION_SETS_EAX;
	if (in.mnemonic == ZYDIS_MNEMONIC_ENDBR64)
		instruction->flags |= INSTRUCTION_LANDING;
	if ((in.attributes & ZYDIS_ATTRIB_HAS_MODRM) && in.raw.modrm.mod != 3)
		instruction->flags |= INSTRUCTION_MEMORY;
	instruction->flags |= instruction_variation(&in);
	return in.length;
}

unsigned disassemble(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction)
{
	const unsigned length = plain_instruction(bytes, left, address, instruction);
	return length ? length : disassemble_fully(bytes, left, address, instruction);
}

static unsigned register_number(ZydisRegister r)
{
	if (r == ZYDIS_REGISTER_NONE)
		return CODE_NO_REGISTER;
	if (r == ZYDIS_REGISTER_RIP)
		return CODE_RIP;
	return r >= ZYDIS_REGISTER_RAX && r <= ZYDIS_REGISTER_R15 ? r - ZYDIS_REGISTER_RAX : CODE_UNKNOWN;
}

static void pack(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *operand, uint8_t packed[3])
{
	unsigned base = register_number(operand->mem.base), index = register_number(operand->mem.index);
	unsigned scale = operand->mem.scale ? (unsigned)__builtin_ctz(operand->mem.scale) : 0;
	unsigned bytes = operand->size / 8, log2 = bytes ? (unsigned)__builtin_ctz(bytes) : 7;
	bool is_segment = operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS;
	if (base == CODE_UNKNOWN || index == CODE_UNKNOWN || is_segment || in->raw.disp.size % 8 ||
	    in->raw.disp.size > 32 || in->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		return;
	packed[0] = (uint8_t)(base | scale << 5);
	packed[1] = (uint8_t)(index | (in->raw.disp.size / 8U) << 5);
	packed[2] = (uint8_t)((in->raw.disp.size ? in->raw.disp.offset : 0) | (log2 < 7 ? log2 : 7) << 4);
}

/* Whether the operand may be elsewhere than its address says: that of a bit instruction whose bit number is in a
 * register. */
static bool is_elsewhere(const ZydisDecodedInstruction *in)
{
	return (in->mnemonic == ZYDIS_MNEMONIC_BT || in->mnemonic == ZYDIS_MNEMONIC_BTS ||
	        in->mnemonic == ZYDIS_MNEMONIC_BTR || in->mnemonic == ZYDIS_MNEMONIC_BTC) &&
	       !in->raw.imm[0].size;
}

void disassembler_operand(const uint8_t *bytes, uint64_t left, struct memory_operand *operand)
{
	ZydisDecodedInstruction in;
	ZydisDecodedOperand all[ZYDIS_MAX_OPERAND_COUNT];
	*operand = (struct memory_operand){.packed = {CODE_UNKNOWN, CODE_NO_REGISTER, 0}};
	if (!ZYAN_SUCCESS(zydis.full(&decoder, bytes, left, &in, all)))
		return;
	for (unsigned i = 0; i < in.operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &all[i];
		if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT ||
		    o->mem.type != ZYDIS_MEMOP_TYPE_MEM)
			continue;
		pack(&in, o, operand->packed);
		unsigned base = CODE_BASE(operand->packed);
		operand->is_store = (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && base != CODE_UNKNOWN &&
		                    base != register_number(ZYDIS_REGISTER_RSP);
		operand->is_load = !operand->is_store && (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) &&
		                   base != CODE_UNKNOWN && base != register_number(ZYDIS_REGISTER_RSP);
		operand->is_update = operand->is_store && (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) &&
		                     o->size <= 64 && !is_elsewhere(&in);
	}
}

/* Returns the bit of the register that contains this one. */
static uint64_t register_bit(ZydisRegister r)
{
	ZydisRegister whole = zydis.enclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
		return USES_BIT(whole - ZYDIS_REGISTER_RAX);
	if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM31)
		return USES_BIT(USES_VECTOR + (whole - ZYDIS_REGISTER_ZMM0));
	bool is_other = r != ZYDIS_REGISTER_NONE && r != ZYDIS_REGISTER_RIP && r != ZYDIS_REGISTER_EFLAGS &&
	                r != ZYDIS_REGISTER_RFLAGS;
	return is_other ? USES_BIT(USES_OTHER) : 0;
}

/* Whether an instruction clears a register, by an operation of the register with itself. */
static bool is_clear(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *all)
{
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
		return all[0].type == ZYDIS_OPERAND_TYPE_REGISTER && all[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       all[0].reg.value == all[1].reg.value;
	case ZYDIS_MNEMONIC_VPXOR:
	case ZYDIS_MNEMONIC_VXORPS:
	case ZYDIS_MNEMONIC_VXORPD:
		return all[1].type == ZYDIS_OPERAND_TYPE_REGISTER && all[2].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		       all[1].reg.value == all[2].reg.value;
	default:
		return false;
	}
}

static void use_operand_memory(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *o, uint64_t address,
                               struct instruction_uses *uses)
{
	const bool is_segment = o->mem.segment == ZYDIS_REGISTER_FS || o->mem.segment == ZYDIS_REGISTER_GS;
	uint64_t registers = register_bit(o->mem.base) | register_bit(o->mem.index);
	if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
		uses->reads |= registers;
		return;
	}
	bool is_hidden = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
	uses->is_unknown |= uses->reads_memory || uses->writes_memory || is_segment || is_elsewhere(in) ||
	                    o->mem.type != ZYDIS_MEMOP_TYPE_MEM || (is_hidden && o->mem.base != ZYDIS_REGISTER_RSP);
	uses->is_stack = is_hidden;
	uses->addresses = registers;
	uses->reads_memory = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	uses->writes_memory = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	uses->base = (uint8_t)register_number(o->mem.base);
	uses->index = (uint8_t)register_number(o->mem.index);
	uses->bytes = o->size / 8;
	uses->displacement = o->mem.disp.value;
	if (uses->base == CODE_RIP)
		uses->displacement += (int64_t)(address + in->length);
}

static bool is_repeatable(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_XCHG:
	case ZYDIS_MNEMONIC_CMPXCHG:
	case ZYDIS_MNEMONIC_CMPXCHG8B:
	case ZYDIS_MNEMONIC_CMPXCHG16B:
	case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_BTS:
	case ZYDIS_MNEMONIC_BTR:
		return true;
	default:
		return false;
	}
}

bool disassembler_uses_fully(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses)
{
	ZydisDecodedInstruction in;
	ZydisDecodedOperand all[ZYDIS_MAX_OPERAND_COUNT];
	*uses = (struct instruction_uses){.base = CODE_NO_REGISTER, .index = CODE_NO_REGISTER};
	if (!ZYAN_SUCCESS(zydis.full(&decoder, bytes, left, &in, all)))
		return false;
	uses->is_call = in.meta.category == ZYDIS_CATEGORY_CALL;
	uses->is_repeatable = is_repeatable(in.mnemonic);
	for (unsigned i = 0; i < in.operand_count; i++) {
		const ZydisDecodedOperand *o = &all[i];
		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			use_operand_memory(&in, o, address, uses);
		} else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			uint64_t bit = register_bit(o->reg.value);
			bool is_part = o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;
			if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ || is_part)
				uses->reads |= bit;
			if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
				uses->writes |= bit;
		}
	}
	if (in.cpu_flags && in.cpu_flags->tested)
		uses->reads |= USES_BIT(USES_FLAGS);
	if (in.cpu_flags &&
	    (in.cpu_flags->modified | in.cpu_flags->set_0 | in.cpu_flags->set_1 | in.cpu_flags->undefined))
		uses->writes |= USES_BIT(USES_FLAGS);
	if (is_clear(&in, all))
		uses->reads = 0;
	return true;
}

bool disassembler_uses(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses)
{
	return plain_instruction_uses(bytes, left, address, uses) ||
	       disassembler_uses_fully(bytes, left, address, uses);
}

static bool is_of_integers(const ZydisDecodedInstruction *in)
{
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_LEAVE:
	case ZYDIS_MNEMONIC_ENDBR64:
		return true;
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFQ:
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFQ:
	case ZYDIS_MNEMONIC_CMPXCHG8B:
	case ZYDIS_MNEMONIC_CMPXCHG16B:
		return false;
	default:
		break;
	}
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_BINARY:
	case ZYDIS_CATEGORY_BITBYTE:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_CMOV:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_CONVERT:
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_SEMAPHORE:
	case ZYDIS_CATEGORY_SETCC:
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_WIDENOP:
		return true;
	default:
		return false;
	}
}

/* Whether it is an instruction on vectors of integers, by its class of exceptions (SDM 2A, 2.4 and 2.5): floating-point
 * ones, which can raise exceptions of their own, are in classes 2 and 3, and set bits in MXCSR. */
static bool is_of_vectors(const ZydisDecodedInstruction *in)
{
	switch (in->meta.exception_class) {
	case ZYDIS_EXCEPTION_CLASS_SSE1:
	case ZYDIS_EXCEPTION_CLASS_SSE4:
	case ZYDIS_EXCEPTION_CLASS_SSE5:
	case ZYDIS_EXCEPTION_CLASS_SSE7:
	case ZYDIS_EXCEPTION_CLASS_AVX1:
	case ZYDIS_EXCEPTION_CLASS_AVX4:
	case ZYDIS_EXCEPTION_CLASS_AVX5:
	case ZYDIS_EXCEPTION_CLASS_AVX6:
	case ZYDIS_EXCEPTION_CLASS_AVX7:
		return true;
	default:
		return false;
	}
}

/* Adds a vector register that the instruction uses. Returns false for other registers. */
static bool add_vector(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *o,
                       struct instruction_effect *effect)
{
	const ZydisRegister r = o->reg.value;
	const bool is_y = r >= ZYDIS_REGISTER_YMM0 && r <= ZYDIS_REGISTER_YMM15;
	if ((!is_y && !(r >= ZYDIS_REGISTER_XMM0 && r <= ZYDIS_REGISTER_XMM15)) || !is_of_vectors(in))
		return false;
	const uint32_t low = 1U << (is_y ? r - ZYDIS_REGISTER_YMM0 : r - ZYDIS_REGISTER_XMM0), high = low << 16;
	const bool clears_rest = in->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
	const bool is_read = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	const bool is_written = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	if (is_written)
		effect->vector_changes |= clears_rest ? low | high : low;
	if (is_read || (is_written && o->size < 128)) /* a part of the register stays */
		effect->vector_reads |= is_y ? low | high : low;
	return true;
}

static bool is_general(const ZydisDecodedOperand *operand)
{
	ZydisRegister r = operand->reg.value;
	return (r >= ZYDIS_REGISTER_AL && r <= ZYDIS_REGISTER_R15) || r == ZYDIS_REGISTER_RIP ||
	       r == ZYDIS_REGISTER_EFLAGS || r == ZYDIS_REGISTER_RFLAGS;
}

/* Returns the value of a register in an address. Clears *ok if it is no general register. */
static uint64_t register_value(ZydisRegister r, const uint64_t registers[17], bool *ok)
{
	static const uint8_t order[16] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
	unsigned number = register_number(r);
	if (number < 16)
		return registers[order[number]];
	*ok &= number == CODE_NO_REGISTER || number == CODE_RIP;
	return number == CODE_RIP ? registers[16] : 0;
}

/* Returns the address of a memory operand, without the FS base. */
static uint64_t operand_address(const ZydisDecodedInstruction *in, const ZydisDecodedOperand *o,
                                const uint64_t registers[17], bool *ok)
{
	bool is_segment = o->mem.segment == ZYDIS_REGISTER_GS;
	uint64_t base = register_value(o->mem.base, registers, ok), index = register_value(o->mem.index, registers, ok);
	*ok &= o->mem.type == ZYDIS_MEMOP_TYPE_MEM && !is_segment && in->address_width == 64 && o->size % 8 == 0 &&
	       o->size / 8 <= DISASSEMBLER_EFFECT_BYTES && !is_elsewhere(in);
	uint64_t address = base + index * (o->mem.scale ? o->mem.scale : 1) + (uint64_t)o->mem.disp.value;
	if (o->mem.base == ZYDIS_REGISTER_RIP)
		address += in->length;
	/* A hidden operand is at the old stack pointer. Push and call write below it. */
	bool is_pushed = in->meta.category == ZYDIS_CATEGORY_PUSH || in->meta.category == ZYDIS_CATEGORY_CALL;
	*ok &= is_pushed == (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN) &&
	       in->meta.category != ZYDIS_CATEGORY_POP;
	return is_pushed ? registers[7] - o->size / 8 : address;
}

bool disassembler_effect(const uint8_t *bytes, uint64_t left, const uint64_t registers[17],
                         struct instruction_effect *effect)
{
	ZydisDecodedInstruction in;
	ZydisDecodedOperand all[ZYDIS_MAX_OPERAND_COUNT];
	*effect = (struct instruction_effect){0};
	if (!ZYAN_SUCCESS(zydis.full(&decoder, bytes, left, &in, all)) ||
	    (!is_of_integers(&in) && !is_of_vectors(&in)) || in.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return false;
	bool ok = true;
	for (unsigned i = 0; i < in.operand_count && ok; i++) {
		const ZydisDecodedOperand *o = &all[i];
		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
			ok = is_general(o) || add_vector(&in, o, effect);
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
			ok = false;
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)) {
			ok = !effect->bytes;
			effect->address = operand_address(&in, o, registers, &ok);
			effect->bytes = o->size / 8;
			effect->is_fs = o->mem.segment == ZYDIS_REGISTER_FS;
		}
	}
	if (is_clear(&in, all))
		effect->vector_reads = 0;
	return ok;
}

void disassembler_format(const uint8_t *bytes, uint64_t left, uint64_t address, char text[DISASSEMBLER_TEXT])
{
	ZydisDisassembledInstruction in;
	text[0] = 0;
	if (zydis.text && ZYAN_SUCCESS(zydis.text(ZYDIS_MACHINE_MODE_LONG_64, address, bytes, left, &in)))
		snprintf(text, DISASSEMBLER_TEXT, "%s", in.text);
}

const char *disassembler_mnemonic(const uint8_t *bytes, uint64_t left)
{
	ZydisDecodedInstruction in;
	const char *text = NULL;
	if (ZYAN_SUCCESS(zydis.decode(&decoder, NULL, bytes, left, &in)))
		text = zydis.mnemonic(in.mnemonic);
	return text ? text : "";
}

/* Writes a set of AVX-512 without the size of its vectors: AVX512F_256 is AVX512F. */
static void name_avx512(const char *set, char name[EXTENSION_NAME])
{
	const char *size = strrchr(set, '_');
	const bool has_size =
		size && ((size[1] >= '0' && size[1] <= '9') || !strcmp(size, "_SCALAR") || !strcmp(size, "_KOP"));
	snprintf(name, EXTENSION_NAME, "%.*s", has_size ? (int)(size - set) : EXTENSION_NAME, set);
}

bool disassembler_extension(const uint8_t *bytes, uint64_t left, struct instruction_extension *extension)
{
	ZydisDecodedInstruction in;
	if (!ZYAN_SUCCESS(zydis.decode(&decoder, NULL, bytes, left, &in)) ||
	    !instruction_is_extension(&in, &extension->model))
		return false;
	if (in.meta.isa_ext == ZYDIS_ISA_EXT_AVX512EVEX || in.meta.isa_ext == ZYDIS_ISA_EXT_AVX512VEX)
		name_avx512(zydis.set(in.meta.isa_set), extension->name);
	else
		snprintf(extension->name, EXTENSION_NAME, "%s", zydis.extension(in.meta.isa_ext));
	return true;
}
