/* SPDX-License-Identifier: MIT */
#include "debug/remote_registers.h"

#include <stdio.h>
#include <string.h>

#define GENERAL(name, member, type) \
	{ \
		name, sizeof(uint64_t), offsetof(struct debug_registers, member), type \
	}
#define SHORT(name, member, type) \
	{ \
		name, sizeof(uint32_t), offsetof(struct debug_registers, member), type \
	}
#define VECTOR(name, bytes, at, type) \
	{ \
		name, bytes, offsetof(struct remote_registers, vector) + (at), type \
	}

/* Offsets in an XSAVE area (SDM 1, 13.4). */
#define ST_AT(n) (32 + 16 * (n))
#define XMM_AT(n) (160 + 16 * (n))
#define YMM_HIGH_AT(n) (576 + 16 * (n))
#define ST(n) VECTOR("st" #n, 10, ST_AT(n), "i387_ext")
#define XMM(n) VECTOR("xmm" #n, 16, XMM_AT(n), "vec128")
#define YMM_HIGH(n) VECTOR("ymm" #n "h", 16, YMM_HIGH_AT(n), "uint128")
#define SIXTEEN(X) X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15)

/* An XSAVE area has the parts of the x87 environment in 2 or 4 bytes; gdb wants each in 4. */
enum {
	X87_CONTROL,
	X87_STATUS,
	X87_TAGS,
	X87_CODE_SEGMENT,
	X87_CODE,
	X87_DATA_SEGMENT,
	X87_DATA,
	X87_OPCODE,
	X87_WORDS
};

/* Registers in the order of gdb's features. */
static const struct {
	const char *name;
	size_t bytes, at;
	const char *type;
} table[] = {
	GENERAL("rax", rax, "int64"),
	GENERAL("rbx", rbx, "int64"),
	GENERAL("rcx", rcx, "int64"),
	GENERAL("rdx", rdx, "int64"),
	GENERAL("rsi", rsi, "int64"),
	GENERAL("rdi", rdi, "int64"),
	GENERAL("rbp", rbp, "data_ptr"),
	GENERAL("rsp", rsp, "data_ptr"),
	GENERAL("r8", r8, "int64"),
	GENERAL("r9", r9, "int64"),
	GENERAL("r10", r10, "int64"),
	GENERAL("r11", r11, "int64"),
	GENERAL("r12", r12, "int64"),
	GENERAL("r13", r13, "int64"),
	GENERAL("r14", r14, "int64"),
	GENERAL("r15", r15, "int64"),
	GENERAL("rip", rip, "code_ptr"),
	SHORT("eflags", eflags, "int32"),
	SHORT("cs", cs, "int32"),
	SHORT("ss", ss, "int32"),
	SHORT("ds", ds, "int32"),
	SHORT("es", es, "int32"),
	SHORT("fs", fs, "int32"),
	SHORT("gs", gs, "int32"),
	ST(0),
	ST(1),
	ST(2),
	ST(3),
	ST(4),
	ST(5),
	ST(6),
	ST(7),
	VECTOR("fctrl", 4, X87_CONTROL, "int"),
	VECTOR("fstat", 4, X87_STATUS, "int"),
	VECTOR("ftag", 4, X87_TAGS, "int"),
	VECTOR("fiseg", 4, X87_CODE_SEGMENT, "int"),
	VECTOR("fioff", 4, X87_CODE, "int"),
	VECTOR("foseg", 4, X87_DATA_SEGMENT, "int"),
	VECTOR("fooff", 4, X87_DATA, "int"),
	VECTOR("fop", 4, X87_OPCODE, "int"),
	SIXTEEN(XMM),
	VECTOR("mxcsr", 4, 24, "int"),
	GENERAL("orig_rax", orig_rax, "int64"),
	GENERAL("fs_base", fs_base, "int"),
	GENERAL("gs_base", gs_base, "int"),
	SIXTEEN(YMM_HIGH),
};

#define FIRST_STACK 24
#define FIRST_X87 32
#define FIRST_SSE 40
#define CONTROL 56 /* mxcsr */
#define FIRST_SYSTEM 57
#define FIRST_BASE 58
#define FIRST_AVX 60
#define ALL (sizeof(table) / sizeof(table[0]))

_Static_assert(ALL == FIRST_AVX + 16, "the table's parts");

unsigned remote_registers_count(bool has_avx)
{
	return has_avx ? (unsigned)ALL : FIRST_AVX;
}

bool remote_registers_may_change(unsigned number)
{
	return number <= 17;
}

bool remote_registers_is_vector(unsigned number)
{
	return (number >= FIRST_STACK && number < FIRST_X87) || (number >= FIRST_SSE && number < CONTROL) ||
	       (number >= FIRST_AVX && number < ALL);
}

/* Full tag word from the abridged one: 3 is empty; others count as valid. */
static uint32_t full_tags(uint8_t abridged)
{
	uint32_t tags = 0;
	for (unsigned i = 0; i < 8; i++)
		tags |= abridged >> i & 1 ? 0 : 3U << 2 * i;
	return tags;
}

static uint32_t x87_word(const uint8_t *area, unsigned which)
{
	uint16_t words[16];
	memcpy(words, area, sizeof(words));
	switch (which) {
	case X87_CONTROL:
		return words[0];
	case X87_STATUS:
		return words[1];
	case X87_TAGS:
		return full_tags(area[4]);
	case X87_CODE_SEGMENT:
		return words[6];
	case X87_CODE:
		return words[4] | (uint32_t)words[5] << 16;
	case X87_DATA_SEGMENT:
		return words[10];
	case X87_DATA:
		return words[8] | (uint32_t)words[9] << 16;
	default:
		return words[3];
	}
}

void *remote_registers_find(struct remote_registers *registers, unsigned number, size_t *bytes)
{
	static uint32_t word;
	*bytes = number < remote_registers_count(registers->has_avx) ? table[number].bytes : 0;
	if (!*bytes)
		return NULL;
	if (number < FIRST_X87 || number >= FIRST_SSE)
		return (uint8_t *)registers + table[number].at;
	word = x87_word(registers->vector, number - FIRST_X87);
	return &word;
}

static const char *feature_at(unsigned number)
{
	switch (number) {
	case 0:
		return "core";
	case FIRST_SSE:
		return "sse";
	case FIRST_SYSTEM:
		return "linux";
	case FIRST_BASE:
		return "segments";
	case FIRST_AVX:
		return "avx";
	default:
		return NULL;
	}
}

#define VECTORS \
	"<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/><vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>" \
	"<vector id=\"v16i8\" type=\"int8\" count=\"16\"/><vector id=\"v8i16\" type=\"int16\" count=\"8\"/>" \
	"<vector id=\"v4i32\" type=\"int32\" count=\"4\"/><vector id=\"v2i64\" type=\"int64\" count=\"2\"/>" \
	"<union id=\"vec128\"><field name=\"v4_float\" type=\"v4f\"/><field name=\"v2_double\" type=\"v2d\"/>" \
	"<field name=\"v16_int8\" type=\"v16i8\"/><field name=\"v8_int16\" type=\"v8i16\"/>" \
	"<field name=\"v4_int32\" type=\"v4i32\"/><field name=\"v2_int64\" type=\"v2i64\"/>" \
	"<field name=\"uint128\" type=\"uint128\"/></union>"

size_t remote_registers_describe(char *to, size_t room, bool has_avx)
{
	FILE *file = fmemopen(to, room, "w");
	if (!file)
		return 0;
	fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target>"
	      "<architecture>i386:x86-64</architecture><osabi>GNU/Linux</osabi>",
	      file);
	for (unsigned i = 0; i < remote_registers_count(has_avx); i++) {
		if (feature_at(i))
			fprintf(file, "%s<feature name=\"org.gnu.gdb.i386.%s\">%s", i ? "</feature>" : "",
			        feature_at(i), i == FIRST_SSE ? VECTORS : "");
		fprintf(file, "<reg name=\"%s\" bitsize=\"%zu\" type=\"%s\"/>", table[i].name, 8 * table[i].bytes,
		        table[i].type);
	}
	fputs("</feature></target>", file);
	fclose(file);
	return strlen(to);
}
