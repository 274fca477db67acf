/* SPDX-License-Identifier: MIT */
#include "scan/plain_instruction.h"

#include <string.h>

#include "abi/code.h"

#define LONGEST 15 /* an instruction's length in bytes, at most */

/* Forms of the table, as bits. 0: the library decides. */
enum form {
	KNOWN = 1,
	MODRM = 2,
	BYTE = 4,           /* 1 byte of immediate data */
	WORDS = 8,          /* 4 bytes of immediate data, 2 with the prefix 0x66 */
	JUMPS = 16,         /* the immediate data is a distance from the next instruction */
	ENDS = 32,          /* does not continue at the next instruction */
	CALLS = 64,         /* continues there when the called function returns */
	IN_MEMORY = 128,    /* only with an operand in memory */
	IN_REGISTER = 256,  /* only without one */
	GROUP_TEST = 512,   /* 0xf6, 0xf7: /0 has immediate data, /1 does not count */
	GROUP_FIRST = 1024, /* 0xc6, 0xc7, 0x8f: only /0 */
	GROUP_STEP = 2048,  /* 0xfe: only /0 and /1; 0xff: /0, /1, the jump /4, the call /2 and the push /6 */
	LOADS = 4096,       /* 0xb8 to 0xbf: 8 bytes of immediate data with REX.W */
	NO_SIZE = 8192,     /* not with the prefix 0x66, which changes more than a size or is not known here */
	GROUP_BIT = 16384,  /* 0x0f 0xba: only /4 to /7 */
};

#define ALU(first) \
	[(first)] = KNOWN | MODRM, [(first) + 1] = KNOWN | MODRM, [(first) + 2] = KNOWN | MODRM, \
	[(first) + 3] = KNOWN | MODRM, [(first) + 4] = KNOWN | BYTE, [(first) + 5] = KNOWN | WORDS

static const uint16_t one_byte[256] = {
	ALU(0x00),
	ALU(0x08),
	ALU(0x10),
	ALU(0x18),
	ALU(0x20),
	ALU(0x28),
	ALU(0x30),
	ALU(0x38),
	[0x50 ... 0x5f] = KNOWN | NO_SIZE, /* push, pop */
	[0x63] = KNOWN | MODRM,            /* movslq */
	[0x68] = KNOWN | WORDS | NO_SIZE,
	[0x69] = KNOWN | MODRM | WORDS,
	[0x6a] = KNOWN | BYTE | NO_SIZE,
	[0x6b] = KNOWN | MODRM | BYTE,
	[0x70 ... 0x7f] = KNOWN | BYTE | JUMPS | NO_SIZE,
	[0x80] = KNOWN | MODRM | BYTE,
	[0x81] = KNOWN | MODRM | WORDS,
	[0x83] = KNOWN | MODRM | BYTE,
	[0x84 ... 0x85] = KNOWN | MODRM, /* test */
	[0x88 ... 0x8b] = KNOWN | MODRM, /* mov */
	[0x8d] = KNOWN | MODRM | IN_MEMORY,
	[0x98 ... 0x99] = KNOWN,
	[0xa8] = KNOWN | BYTE,
	[0xa9] = KNOWN | WORDS,
	[0xb0 ... 0xb7] = KNOWN | BYTE,
	[0xb8 ... 0xbf] = KNOWN | WORDS | LOADS,
	[0xc0 ... 0xc1] = KNOWN | MODRM | BYTE,
	[0xc3] = KNOWN | ENDS | NO_SIZE,
	[0xc6] = KNOWN | MODRM | BYTE | GROUP_FIRST,
	[0xc7] = KNOWN | MODRM | WORDS | GROUP_FIRST,
	[0xc9] = KNOWN | NO_SIZE,
	[0xd0 ... 0xd3] = KNOWN | MODRM,
	[0xe8] = KNOWN | WORDS | JUMPS | CALLS | NO_SIZE,
	[0xe9] = KNOWN | WORDS | JUMPS | ENDS | NO_SIZE,
	[0xeb] = KNOWN | BYTE | JUMPS | ENDS | NO_SIZE,
	[0xf6] = KNOWN | MODRM | BYTE | GROUP_TEST,
	[0xf7] = KNOWN | MODRM | WORDS | GROUP_TEST,
	[0xfe] = KNOWN | MODRM | GROUP_STEP,
	[0xff] = KNOWN | MODRM | GROUP_STEP | NO_SIZE,
};

/* Behind 0x0f. */
static const uint16_t two_byte[256] = {
	[0x10 ... 0x11] = KNOWN | MODRM,
	[0x14 ... 0x15] = KNOWN | MODRM,
	[0x1f] = KNOWN | MODRM | GROUP_FIRST,
	[0x28 ... 0x29] = KNOWN | MODRM,
	[0x2e ... 0x2f] = KNOWN | MODRM,
	[0x40 ... 0x4f] = KNOWN | MODRM, /* cmov */
	[0x51] = KNOWN | MODRM,
	[0x54 ... 0x59] = KNOWN | MODRM,
	[0x5c ... 0x5f] = KNOWN | MODRM,
	[0x6e] = KNOWN | MODRM,
	[0x7e] = KNOWN | MODRM,
	[0x80 ... 0x8f] = KNOWN | WORDS | JUMPS | NO_SIZE,
	[0x90 ... 0x9f] = KNOWN | MODRM, /* setcc */
	[0xa3] = KNOWN | MODRM,          /* bt */
	[0xa4] = KNOWN | MODRM | BYTE,   /* shld */
	[0xac] = KNOWN | MODRM | BYTE,   /* shrd */
	[0xaf] = KNOWN | MODRM,          /* imul */
	[0xb6 ... 0xb7] = KNOWN | MODRM, /* movz */
	[0xba] = KNOWN | MODRM | BYTE | GROUP_BIT,
	[0xbe ... 0xbf] = KNOWN | MODRM,   /* movs */
	[0xc6] = KNOWN | MODRM | BYTE,     /* shuf */
	[0xc8 ... 0xcf] = KNOWN | NO_SIZE, /* bswap */
	[0xef] = KNOWN | MODRM,            /* pxor */
};

/* Returns the bytes of a ModRM byte with its SIB byte and displacement. Sets *relative_at to the displacement's offset
 * if it is relative to the next instruction. */
static unsigned plain_modrm_bytes(const uint8_t *at, unsigned *relative_at)
{
	const unsigned mod = at[0] >> 6, rm = at[0] & 7;
	const bool has_sib = mod != 3 && rm == 4;
	const bool is_far = mod == 2 || (mod == 0 && (rm == 5 || (has_sib && (at[1] & 7) == 5)));
	*relative_at = mod == 0 && rm == 5 ? 1 : 0;
	return 1 + has_sib + (mod == 1) + 4 * is_far;
}

/* Returns the form of an instruction whose ModRM byte is known, or 0. */
static unsigned form_of_group(unsigned form, uint8_t opcode, uint8_t modrm)
{
	const unsigned reg = modrm >> 3 & 7, in_memory = modrm < 0xc0;
	if (form & IN_MEMORY && !in_memory)
		return 0;
	if (form & GROUP_FIRST)
		return reg == 0 ? form : 0;
	if (form & GROUP_BIT)
		return reg >= 4 ? form : 0;
	if (form & GROUP_TEST)
		return reg == 0 ? form : reg == 1 ? 0 : form & ~(unsigned)(BYTE | WORDS);
	if (!(form & GROUP_STEP) || reg < 2)
		return form;
	if (opcode != 0xff || reg == 3 || reg == 5 || reg == 7)
		return 0;
	return reg == 2 ? form | CALLS : reg == 4 ? form | ENDS : form;
}

static uint64_t distance_at(const uint8_t *at, unsigned bytes)
{
	int32_t distance;
	if (bytes == 1)
		return (uint64_t)(int64_t)(int8_t)at[0];
	memcpy(&distance, at, sizeof(distance));
	return (uint64_t)(int64_t)distance;
}

/* The beginning of an instruction taken apart. */
struct parts {
	const uint8_t *behind; /* its opcode: the ModRM byte, if it has one */
	unsigned form;
	uint8_t opcode, rex;
	bool has_size, is_second;
	unsigned size;      /* of its operands, in bytes */
	unsigned from_size; /* of the one in r/m */
};

/* Takes an instruction apart. Returns false if it is not in the table. */
static bool take_apart(const uint8_t *at, uint64_t left, struct parts *parts)
{
	if (left < LONGEST + 1)
		return false;
	*parts = (struct parts){.has_size = at[0] == 0x66};
	at += parts->has_size;
	if ((at[0] & 0xf0) == 0x40)
		parts->rex = *at++;
	parts->is_second = at[0] == 0x0f;
	at += parts->is_second;
	parts->opcode = *at++;
	parts->behind = at;
	parts->form = parts->is_second ? two_byte[parts->opcode] : one_byte[parts->opcode];
	if (parts->form & MODRM)
		parts->form = form_of_group(parts->form, parts->opcode, at[0]);
	return parts->form && !(parts->has_size && parts->form & NO_SIZE);
}

unsigned plain_instruction(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction *instruction)
{
	struct parts parts;
	unsigned relative_at = 0, immediate = 0, flags = 0;
	if (!take_apart(bytes, left, &parts))
		return 0;
	const unsigned form = parts.form, rex = parts.rex;
	const uint8_t opcode = parts.opcode, *at = parts.behind;
	const bool has_size = parts.has_size, is_second = parts.is_second;
	if (form & MODRM) {
		const unsigned before = (unsigned)(at - bytes);
		flags |= at[0] < 0xc0 ? INSTRUCTION_MEMORY : 0;
		if (!is_second && opcode == 0xc7 && at[0] == 0xc0 && !(rex & 1))
			flags |= INSTRUCTION_SETS_EAX;
		at += plain_modrm_bytes(at, &relative_at);
		relative_at += relative_at ? before : 0;
	}
	if (form & BYTE)
		immediate = 1;
	else if (form & WORDS)
		immediate = form & LOADS && rex & 8 ? 8 : has_size && !(rex & 8) ? 2 : 4;
	at += immediate;
	*instruction = (struct instruction){.length = (uint8_t)(at - bytes)};
	const uint64_t next = address + instruction->length;
	if (form & JUMPS) {
		flags |= INSTRUCTION_TARGET;
		instruction->target = next + distance_at(at - immediate, immediate);
	} else if (relative_at && !is_second && opcode == 0x8d) {
		flags |= INSTRUCTION_TARGET | INSTRUCTION_REFERENCE;
		instruction->target = next + distance_at(bytes + relative_at, 4);
	}
	if (relative_at && !(form & (CALLS | ENDS)))
		instruction->relative_at = (uint8_t)relative_at;
	if (!relative_at && !(form & (CALLS | ENDS | JUMPS)))
		flags |= INSTRUCTION_MOVABLE;
	flags |= form & ENDS ? INSTRUCTION_END : 0;
	flags |= form & CALLS ? INSTRUCTION_LEAVES : 0;
	if (form & GROUP_STEP && form & ENDS && !relative_at)
		flags |= INSTRUCTION_INDIRECT;
	if (form & LOADS && opcode == 0xb8 && !(rex & 1))
		flags |= INSTRUCTION_SETS_EAX;
	instruction->flags = (uint16_t)flags;
	return instruction->length;
}

/* --- what it uses --- */

enum operation { ADD, OR, ADC, SBB, AND, SUB, XOR, CMP };

/* What an instruction does with its operands, as bits. 0: the library decides. */
enum action {
	REG_READ = 1,
	REG_WRITTEN = 2,
	RM_READ = 4,
	RM_WRITTEN = 8,
	FLAGS_READ = 16,
	FLAGS_WRITTEN = 32,
	IS_REPEATABLE = 64,
	CLEARS = 128,     /* if both operands are one register */
	IS_ADDRESS = 256, /* lea */
	NONE = 512,
};

static unsigned actions_of_operation(unsigned operation, bool to_register)
{
	unsigned actions = FLAGS_WRITTEN | REG_READ | RM_READ;
	if (operation != CMP)
		actions |= to_register ? REG_WRITTEN : RM_WRITTEN;
	if (operation == ADC || operation == SBB)
		actions |= FLAGS_READ;
	if (operation == OR || operation == AND)
		actions |= IS_REPEATABLE;
	return operation == XOR || operation == SUB ? actions | CLEARS : actions;
}

static unsigned actions_of_group(const struct parts *parts)
{
	const unsigned reg = parts->behind[0] >> 3 & 7, change = RM_READ | RM_WRITTEN;
	switch (parts->opcode) {
	case 0x80:
	case 0x81:
	case 0x83:
		return actions_of_operation(reg, false) & ~(unsigned)(REG_READ | CLEARS);
	case 0xc0:
	case 0xc1: /* rotations through the carry flag read it */
		return reg >= 4 && reg != 6 ? change | FLAGS_WRITTEN : 0;
	case 0xf6:
	case 0xf7:
		return reg == 0 ? RM_READ | FLAGS_WRITTEN : reg == 2 ? change : reg == 3 ? change | FLAGS_WRITTEN : 0;
	default: /* 0xfe and 0xff */
		return reg < 2 ? change | FLAGS_WRITTEN : 0;
	}
}

static unsigned actions_of_one(struct parts *parts)
{
	const uint8_t opcode = parts->opcode;
	if (opcode < 0x40)
		return (opcode & 7) < 4 ? actions_of_operation(opcode >> 3, opcode & 2) : 0;
	if ((opcode & 0xf0) == 0x70)
		return FLAGS_READ;
	switch (opcode) {
	case 0x63:
		parts->from_size = 4;
		return parts->size == 8 ? RM_READ | REG_WRITTEN : 0;
	case 0x84:
	case 0x85:
		return REG_READ | RM_READ | FLAGS_WRITTEN;
	case 0x88:
	case 0x89:
		return REG_READ | RM_WRITTEN;
	case 0x8a:
	case 0x8b:
		return RM_READ | REG_WRITTEN;
	case 0x8d:
		return IS_ADDRESS | REG_WRITTEN;
	case 0x69:
	case 0x6b:
		return RM_READ | REG_WRITTEN | FLAGS_WRITTEN;
	case 0x80:
	case 0x81:
	case 0x83:
	case 0xc0:
	case 0xc1:
	case 0xf6:
	case 0xf7:
	case 0xfe:
	case 0xff:
		return actions_of_group(parts);
	case 0xc6:
	case 0xc7:
		return RM_WRITTEN;
	case 0xe9:
	case 0xeb:
		return NONE;
	default:
		return 0;
	}
}

static unsigned actions_of_two(struct parts *parts)
{
	switch (parts->opcode) {
	case 0x40 ... 0x4f:
		return FLAGS_READ | RM_READ | REG_READ | REG_WRITTEN;
	case 0x80 ... 0x8f:
		return FLAGS_READ;
	case 0x90 ... 0x9f:
		parts->size = parts->from_size = 1;
		return FLAGS_READ | RM_WRITTEN;
	case 0xaf:
		return RM_READ | REG_READ | REG_WRITTEN | FLAGS_WRITTEN;
	case 0xb6:
	case 0xbe:
		parts->from_size = 1;
		return RM_READ | REG_WRITTEN;
	case 0xb7:
	case 0xbf:
		parts->from_size = 2;
		return RM_READ | REG_WRITTEN;
	default:
		return 0;
	}
}

/* Returns the bit of a register. Without REX, the numbers 4 to 7 are the second bytes of the first four registers. */
static uint64_t plain_register_bit(const struct parts *parts, unsigned number, unsigned size)
{
	return USES_BIT(size == 1 && !parts->rex && number >= 4 && number < 8 ? number - 4 : number);
}

/* Sets base, index, displacement and `addresses` of a memory operand. `next` is the address of the next instruction. */
static void use_address(const struct parts *parts, uint64_t next, struct instruction_uses *uses)
{
	const uint8_t *at = parts->behind;
	const unsigned mod = at[0] >> 6, rm = at[0] & 7, more = (parts->rex & 1U) << 3;
	unsigned base = rm | more;
	at++;
	if (rm == 4) {
		const unsigned index = (at[0] >> 3 & 7) | (parts->rex & 2U) << 2;
		base = (at[0] & 7) | more;
		if (index != USES_RSP) {
			uses->index = (uint8_t)index;
			uses->addresses |= USES_BIT(index);
		}
		if (mod == 0 && (at[0] & 7) == 5)
			base = CODE_NO_REGISTER;
		at++;
	} else if (mod == 0 && rm == 5) {
		base = CODE_RIP;
	}
	if (mod == 1)
		uses->displacement = (int64_t)distance_at(at, 1);
	else if (mod == 2 || base == CODE_RIP || base == CODE_NO_REGISTER)
		uses->displacement = (int64_t)distance_at(at, 4);
	uses->base = (uint8_t)base;
	if (base == CODE_RIP)
		uses->displacement += (int64_t)next;
	else if (base != CODE_NO_REGISTER)
		uses->addresses |= USES_BIT(base);
}

static void use_plain_memory(const struct parts *parts, unsigned actions, uint64_t next, struct instruction_uses *uses)
{
	if (actions & IS_ADDRESS) {
		struct instruction_uses of_address = {0};
		use_address(parts, next, &of_address);
		uses->reads |= of_address.addresses;
		return;
	}
	use_address(parts, next, uses);
	uses->bytes = (uint16_t)parts->from_size;
	uses->reads_memory = actions & RM_READ;
	uses->writes_memory = actions & RM_WRITTEN;
}

static void use_operands(const struct parts *parts, unsigned actions, uint64_t next, struct instruction_uses *uses)
{
	const unsigned reg = (parts->behind[0] >> 3 & 7) | (parts->rex & 4U) << 1;
	const unsigned rm = (parts->behind[0] & 7) | (parts->rex & 1U) << 3;
	uint64_t bit = plain_register_bit(parts, reg, parts->size);
	uses->reads |= actions & REG_READ ? bit : 0;
	uses->writes |= actions & REG_WRITTEN ? bit : 0;
	if (parts->behind[0] < 0xc0) {
		use_plain_memory(parts, actions, next, uses);
		return;
	}
	bit = plain_register_bit(parts, rm, parts->from_size);
	uses->reads |= actions & RM_READ ? bit : 0;
	uses->writes |= actions & RM_WRITTEN ? bit : 0;
	/* The second byte of a register is another operand than its first. */
	if (actions & CLEARS && reg == rm)
		uses->reads = 0;
}

bool plain_instruction_uses(const uint8_t *bytes, uint64_t left, uint64_t address, struct instruction_uses *uses)
{
	struct instruction in;
	struct parts parts;
	if (!plain_instruction(bytes, left, address, &in) || !take_apart(bytes, left, &parts))
		return false;
	const bool is_byte = !parts.is_second && !(parts.opcode & 1) && parts.opcode != 0x8d;
	parts.size = parts.from_size = is_byte && parts.opcode != 0x63 ? 1 : parts.rex & 8 ? 8 : parts.has_size ? 2 : 4;
	const unsigned actions = parts.is_second ? actions_of_two(&parts) : actions_of_one(&parts);
	if (!actions)
		return false;
	*uses = (struct instruction_uses){.base = CODE_NO_REGISTER, .index = CODE_NO_REGISTER};
	uses->is_repeatable = actions & IS_REPEATABLE;
	uses->reads |= actions & FLAGS_READ ? USES_BIT(USES_FLAGS) : 0;
	uses->writes |= actions & FLAGS_WRITTEN ? USES_BIT(USES_FLAGS) : 0;
	if (parts.form & MODRM)
		use_operands(&parts, actions, address + in.length, uses);
	return true;
}
