/* SPDX-License-Identifier: MIT */
/* Two steps: a search for the opcode bytes, which most programs do not contain, and then disassembly around what it
 * found, by Zydis, which is loaded only then because loading it takes longer than the search. */
#include "scan_code.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <emmintrin.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libZydis.so.4.0"
/* Disassembly from a wrong place falls into step with the right one after a few instructions. */
#define VOTE_FAR 96
#define VOTE_NEAR 32

struct decoder {
	ZyanStatus (*init)(ZydisDecoder *, ZydisMachineMode, ZydisStackWidth);
	ZyanStatus (*decode)(const ZydisDecoder *, ZydisDecoderContext *, const void *, ZyanUSize,
	                     ZydisDecodedInstruction *);
	ZydisDecoder zydis;
};

struct search {
	const struct scan_code *code;
	const struct code_range *functions;
	size_t function_count;
	enum scan_outside outside;
	struct scan_sites *sites;
	struct decoder decoder;
	bool has_decoder;
	uint64_t decided; /* offset: candidates before it are dealt with */
	char *error;
};

/* Whether the bytes at a 0x0f are one of the opcodes. */
static bool is_opcode(const uint8_t *at, uint64_t left)
{
	if (left < 2)
		return false;
	if (at[0] == 0xc7) /* XBEGIN */
		return at[1] == 0xf8;
	if (at[1] == 0xa2 || at[1] == 0x31) /* CPUID, RDTSC */
		return true;
	if (left < 3)
		return false;
	if (at[1] == 0x01)
		switch (at[2]) {
		case 0xf9: /* RDTSCP, XGETBV, XTEST, RDPRU */
		case 0xd0:
		case 0xd6:
		case 0xfd:
		case 0xc1: /* VMCALL, MONITOR, MWAIT */
		case 0xc8:
		case 0xc9:
		case 0xd9: /* VMMCALL, RDPKRU, WRPKRU */
		case 0xee:
		case 0xef:
		case 0xfa: /* MONITORX, MWAITX, CLZERO */
		case 0xfb:
		case 0xfc:
			return true;
		default:
			return false;
		}
	return at[1] == 0xc7 && at[2] >= 0xf0; /* RDRAND, RDSEED, RDPID: a register, and 6 or 7 */
}

int scan_code_candidates(const struct scan_code *code, int (*visit)(void *context, uint64_t offset), void *context)
{
	const __m128i escape = _mm_set1_epi8(0x0f), cpuid = _mm_set1_epi8((char)0xa2), rdtsc = _mm_set1_epi8(0x31),
		      group7 = _mm_set1_epi8(0x01), group9 = _mm_set1_epi8((char)0xc7),
		      xbegin = _mm_set1_epi8((char)0xf8);
	uint64_t at = 0;
	for (; at + 17 <= code->count; at += 16) {
		__m128i first = _mm_loadu_si128((const __m128i *)(code->bytes + at));
		__m128i second = _mm_loadu_si128((const __m128i *)(code->bytes + at + 1));
		__m128i known =
			_mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(second, cpuid), _mm_cmpeq_epi8(second, rdtsc)),
		                     _mm_or_si128(_mm_cmpeq_epi8(second, group7), _mm_cmpeq_epi8(second, group9)));
		__m128i group11 = _mm_and_si128(_mm_cmpeq_epi8(first, group9), _mm_cmpeq_epi8(second, xbegin));
		unsigned hits = (unsigned)_mm_movemask_epi8(
			_mm_or_si128(group11, _mm_and_si128(_mm_cmpeq_epi8(first, escape), known)));
		for (; hits; hits &= hits - 1) {
			uint64_t offset = at + (unsigned)__builtin_ctz(hits);
			int result = is_opcode(code->bytes + offset, code->count - offset) ? visit(context, offset) : 0;
			if (result)
				return result;
		}
	}
	for (; at < code->count; at++) {
		bool first = code->bytes[at] == 0x0f || code->bytes[at] == 0xc7;
		int result = first && is_opcode(code->bytes + at, code->count - at) ? visit(context, at) : 0;
		if (result)
			return result;
	}
	return 0;
}

static int load_decoder(struct search *search)
{
	if (search->has_decoder)
		return 0;
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL); /* stays: another search may follow */
	struct decoder *d = &search->decoder;
	if (library) {
		*(void **)&d->init = dlsym(library, "ZydisDecoderInit");
		*(void **)&d->decode = dlsym(library, "ZydisDecoderDecodeInstruction");
	}
	if (!library || !d->init || !d->decode ||
	    !ZYAN_SUCCESS(d->init(&d->zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64))) {
		snprintf(search->error, 256,
		         "the code may contain instructions that have to be replaced, and " LIBRARY
		         ", which tells, is not there; install libzydis4.0");
		return -ELIBACC;
	}
	search->has_decoder = true;
	return 0;
}

/* Disassembles one instruction. Its length, or 0 when the bytes are none. */
static unsigned decode(struct search *search, uint64_t offset, ZydisDecodedInstruction *instruction)
{
	const struct scan_code *code = search->code;
	if (!ZYAN_SUCCESS(search->decoder.decode(&search->decoder.zydis, NULL, code->bytes + offset,
	                                         code->count - offset, instruction)))
		return 0;
	return instruction->length;
}

static enum trap_kind kind_of(const ZydisDecodedInstruction *instruction)
{
	switch (instruction->mnemonic) {
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
	default:
		return 0;
	}
}

static int append(struct search *search, uint64_t offset, const ZydisDecodedInstruction *instruction)
{
	struct scan_sites *sites = search->sites;
	if (sites->count == sites->room) {
		size_t room = sites->room ? 2 * sites->room : 16;
		struct trap_site *more = realloc(sites->at, room * sizeof(*more));
		if (!more) {
			snprintf(search->error, 256, "out of memory");
			return -ENOMEM;
		}
		sites->at = more;
		sites->room = room;
	}
	sites->at[sites->count++] = (struct trap_site){
		.address = search->code->address + offset,
		.kind = (uint8_t)kind_of(instruction),
		.length = instruction->length,
	};
	return 0;
}

/* The function around an address, or NULL; *gap is where the code without a function that it lies in begins. */
static const struct code_range *find_function(const struct search *search, uint64_t address, uint64_t *gap)
{
	size_t low = 0, high = search->function_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (search->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*gap = search->code->address;
	/* Ranges hardly ever overlap; where they do, the innermost counts. */
	for (unsigned near = 0; near < 8 && low > near; near++) {
		const struct code_range *f = &search->functions[low - 1 - near];
		if (address - f->address < f->bytes)
			return f;
		if (f->address + f->bytes > *gap)
			*gap = f->address + f->bytes;
	}
	return NULL;
}

/* Takes the instructions of a function. *end is where disassembly came to: its end, unless bytes are no code. */
static int scan_function(struct search *search, const struct code_range *function, uint64_t *end)
{
	const struct scan_code *code = search->code;
	uint64_t at = function->address - code->address;
	uint64_t stop = code->count - at < function->bytes ? code->count : at + function->bytes;
	int result = 0;
	while (at < stop && !result) {
		ZydisDecodedInstruction instruction;
		unsigned length = decode(search, at, &instruction);
		if (!length)
			break;
		if (kind_of(&instruction) && at >= search->decided)
			result = append(search, at, &instruction);
		at += length;
	}
	*end = at;
	return result;
}

/* What disassembly from `from` makes of the candidate: 1 an instruction to be replaced; 0 a part of another one; -1
 * nothing, because bytes in between are no code. */
static int vote(struct search *search, uint64_t from, uint64_t candidate)
{
	ZydisDecodedInstruction instruction;
	unsigned length;
	for (;; from += length) {
		length = decode(search, from, &instruction);
		if (!length)
			return -1;
		if (from + length > candidate)
			return kind_of(&instruction) != 0;
	}
}

/* Judges a candidate that is in no function; the code around it begins at offset `gap`. Patching would be wrong if
 * the bytes are data after all, and so the only decision it can take is to leave them. */
static int judge(struct search *search, uint64_t candidate, uint64_t gap)
{
	uint64_t from = candidate - gap > VOTE_FAR ? candidate - VOTE_FAR : gap;
	uint64_t to = candidate - from > VOTE_NEAR ? candidate - VOTE_NEAR : from;
	unsigned yes = 0, no = 0;
	if (search->outside == SCAN_OUTSIDE_LEAVE)
		return 0;
	for (uint64_t at = from; at <= to; at++) {
		int opinion = vote(search, at, candidate);
		yes += opinion > 0;
		no += opinion == 0;
	}
	if (no > 7 * yes)
		return 0;
	snprintf(search->error, 256,
	         "the bytes at 0x%lx look like an instruction that has to be replaced, but are in no function that "
	         ".eh_frame "
	         "describes: give assembly .cfi_startproc and .cfi_endproc, and move data to .rodata",
	         search->code->address + candidate);
	return -ENOTSUP;
}

static int consider(void *context, uint64_t offset)
{
	struct search *search = context;
	uint64_t address = search->code->address + offset, gap, end;
	if (offset < search->decided)
		return 0;
	int result = load_decoder(search);
	if (result)
		return result;
	const struct code_range *function = find_function(search, address, &gap);
	if (!function || function->address < search->code->address)
		return judge(search, offset, gap - search->code->address);
	result = scan_function(search, function, &end);
	if (result)
		return result;
	if (end > search->decided)
		search->decided = end;
	/* Bytes in the function are no instruction, and what follows them cannot be told by going on. */
	return offset < end ? 0 : judge(search, offset, end);
}

int scan_code_find(const struct scan_code *code, const struct code_range *functions, size_t function_count,
                   enum scan_outside outside, struct scan_sites *sites, char error[256])
{
	struct search search = {.code = code,
	                        .functions = functions,
	                        .function_count = function_count,
	                        .outside = outside,
	                        .sites = sites,
	                        .error = error};
	return scan_code_candidates(code, consider, &search);
}
