/* SPDX-License-Identifier: MIT */
/* The kernel searches the bytes, and usually finds nothing. If bytes could be such an instruction, the monitor decides
 * by disassembling the code around them (hypervisor/monitor/code/code_scan.h). */
#include "kernel/linux/patch/jit_patches.h"

#include <stdbool.h>

#include "abi/code.h"
#include "abi/doorbell.h"
#include "abi/errno.h"
#include "abi/opcodes.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/mm/array.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"
#include "kernel/linux/memory/linux_space.h"

/* Bytes before and after a page that the monitor sees. */
#define BEFORE 256UL
#define BEHIND 64UL
#define SHOWN (BEFORE + PAGE_SIZE + BEHIND)
#define ANSWERS_MAX SHOWN

/* Bytes behind the instruction that is about to be executed in which what was cleared is judged again. */
#define ENTRY_REACH 64

/* The request to the monitor and its answer. */
static struct exchange {
	struct code_request request;
	struct code_piece piece;
	struct code_patch answers[ANSWERS_MAX];
	uint8_t code[SHOWN];
} * exchange;

static _Noreturn void out_of_memory(void)
{
	end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs; raise --memory");
}

/* --- the list --- */

static size_t find_jit_patch(uint64_t address)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	return search_first(all->count, i, all->list[i].address < address);
}

/* The first patch that overlaps a page; *end is the first one after the page. */
static size_t find_page_patches(uint64_t page, size_t *end)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	size_t first = find_jit_patch(page);
	while (first && all->list[first - 1].address + all->list[first - 1].length > page)
		first--;
	*end = find_jit_patch(page + PAGE_SIZE);
	return first;
}

static void insert_patch(struct jit_patch patch)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	if (!array_reserve(all->list, all->room, all->count + 1))
		out_of_memory();
	size_t at = find_jit_patch(patch.address);
	memmove(&all->list[at + 1], &all->list[at], (all->count - at) * sizeof(patch));
	all->list[at] = patch;
	all->count++;
}

static int copy_list(struct jit_patches *copy)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	*copy = (struct jit_patches){.is_used = all->is_used};
	if (!all->count)
		return 0;
	copy->list = kmalloc(all->count * sizeof(*copy->list));
	if (!copy->list)
		return -ENOMEM;
	memcpy(copy->list, all->list, all->count * sizeof(*copy->list));
	copy->count = copy->room = all->count;
	return 0;
}

int jit_patches_copy(struct jit_patches *copy)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	int result = copy_list(copy);
	return result ? result : jit_doubts_copy(&copy->doubts, &all->doubts);
}

void jit_patches_free(struct jit_patches *patches)
{
	kfree(patches->list);
	kfree(patches->doubts.list);
	kfree(patches->cleared);
}

/* Whether the page at an address is code whose patches are in the list. */
static bool is_listed(uint64_t address)
{
	return code_page(address) & PTE_MADE;
}

static bool is_patch_in(const struct jit_patch *patch)
{
	return !patch->is_out && is_listed(patch->address);
}

const struct jit_patch *jit_patches_at(uint64_t address)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	size_t i = find_jit_patch(address);
	return i < all->count && all->list[i].address == address && is_patch_in(&all->list[i]) ? &all->list[i] : NULL;
}

void jit_patches_undo(uint64_t page)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	size_t end, first = find_page_patches(page, &end);
	for (size_t i = first; i < end; i++) {
		if (is_patch_in(&all->list[i]))
			code_put(all->list[i].address, all->list[i].bytes, 1);
		all->list[i].is_out = true;
	}
}

void jit_patches_original(void *to, uint64_t address, size_t bytes)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	code_get(to, address, bytes);
	for (size_t i = find_jit_patch(address); i < all->count && all->list[i].address < address + bytes; i++)
		if (is_patch_in(&all->list[i]))
			((uint8_t *)to)[all->list[i].address - address] = all->list[i].bytes[0];
}

/* --- looking --- */

/* The bytes with which may_be's instructions begin. */
static const uint8_t is_first[256] = {OPCODES_FIRST, [0xf3] = 1};

/* The first place in [at, end) whose byte is_first, or `end`. Most of the time of a search is spent here. */
static const uint8_t *find_first(const uint8_t *at, const uint8_t *end)
{
	while (end - at >= 8 && !(is_first[at[0]] | is_first[at[1]] | is_first[at[2]] | is_first[at[3]] |
	                          is_first[at[4]] | is_first[at[5]] | is_first[at[6]] | is_first[at[7]]))
		at += 8;
	while (at < end && !is_first[*at])
		at++;
	return at;
}

/* Whether bytes may be one of the instructions that trap, without their prefixes, or a pause. */
static bool may_be(uint8_t before, const uint8_t *at)
{
	return opcodes_may_trap(before, at) || opcodes_may_store_x87(at) || (at[0] == 0xf3 && at[1] == 0x90);
}

/* Whether a page is scanned code. */
static bool is_code(uint64_t page)
{
	return code_page(page) & PTE_CODE;
}

/* Whether a patch begins at an address, in a page that was just renewed or in a neighbour of it. */
static bool is_patched(uint64_t address, uint64_t page)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	const size_t i = find_jit_patch(address);
	const struct jit_patch *patch = i < all->count ? &all->list[i] : NULL;
	return patch && patch->address == address && !patch->is_out &&
	       (address - page < PAGE_SIZE || is_listed(address));
}

/* Whether an address is in a patch, behind its first byte. */
static bool is_inside_patch(uint64_t address)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	for (size_t i = find_jit_patch(address); i-- && all->list[i].address + CODE_INSTRUCTION_MAX > address;)
		if (all->list[i].address + all->list[i].length > address)
			return true;
	return false;
}

/* A page to judge, with the code beside it. */
struct shown_page {
	uint64_t page, executed;
	uint64_t before, behind; /* bytes of the neighbours that are code and are searched, too */
};

/* Whether a place must be judged: bytes that may be an instruction to patch, except where a patch begins. Inside of a
 * patch the bytes may also be entered alone. What was found to be no instruction may be one if control comes from right
 * before it. */
static bool must_judge(const struct shown_page *shown, uint64_t address, const uint8_t *at)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	if (!may_be(at[-1], at) || is_patched(address, shown->page))
		return false;
	return address - shown->executed < ENTRY_REACH || !jit_cleared_has(all->cleared, address, at);
}

/* Visits the places of a page that must be judged, until `visit` returns true. Returns whether it did. */
static bool each_suspicious(const struct shown_page *shown, bool (*visit)(uint64_t address, const uint8_t *at))
{
	const uint8_t *const code = exchange->code, *at = code + BEFORE - shown->before,
			     *const end = code + BEFORE + PAGE_SIZE + shown->behind - 1;
	for (; (at = find_first(at, end)) < end; at++) {
		const uint64_t address = shown->page - BEFORE + (uint64_t)(at - code);
		if (must_judge(shown, address, at) && visit(address, at))
			return true;
	}
	return false;
}

static bool is_any(uint64_t address, const uint8_t *at)
{
	(void)address;
	(void)at;
	return true;
}

/* Whether an address is the opcode of a patch, and only a REX prefix is before it. Code that jumps over a prefix does
 * so to leave out LOCK, never REX. HotSpot's stubs have FXSAVE64 in many pages, of which each was judged whenever it
 * became code again: 21 of 55 judgements of java -version. */
static bool is_after_rex(uint64_t address, const uint8_t *at)
{
	return (at[-1] & 0xf0) == 0x40 && is_patched(address - 1, address & ~(PAGE_SIZE - 1));
}

/* Remembers a place that the monitor has judged and that is now neither patched nor in doubt. An instruction at a
 * border of pages may be one only when its other page is code. */
static bool clear_place(uint64_t address, const uint8_t *at)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	const uint64_t in_page = address % PAGE_SIZE;
	const bool is_at_border = in_page < CODE_INSTRUCTION_MAX || in_page >= PAGE_SIZE - CODE_INSTRUCTION_MAX;
	const bool may_be_entered = is_inside_patch(address) && !is_after_rex(address, at);
	if (!is_at_border && !may_be_entered && !jit_doubts_has(address))
		jit_cleared_add(&all->cleared, address, at);
	return false;
}

/* Whether an instruction that overlaps a page is inside it and in code. */
static bool is_whole(uint64_t address, unsigned length, uint64_t page)
{
	uint64_t last = address + length - 1;
	return (address >= page || is_code(address)) && (last < page + PAGE_SIZE || is_code(last));
}

/* Patches again the instructions of a page whose bytes did not change while the page was data. Removes its other
 * patches from the list. */
static void renew(uint64_t page)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	static const uint8_t trap = CODE_TRAP;
	size_t end, first = find_page_patches(page, &end), kept = first;
	for (size_t i = first; i < end; i++) {
		struct jit_patch patch = all->list[i];
		uint8_t now[CODE_INSTRUCTION_MAX];
		if (!patch.is_out || !is_whole(patch.address, patch.length, page))
			continue;
		code_get(now, patch.address, patch.length);
		if (memcmp(now, patch.bytes, patch.length))
			continue;
		patch.is_out = false;
		code_put(patch.address, &trap, 1);
		all->list[kept++] = patch;
	}
	memmove(&all->list[kept], &all->list[end], (all->count - end) * sizeof(struct jit_patch));
	all->count -= end - kept;
}

static void take_patch(const struct code_patch *answer, uint64_t page, uint64_t start)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	static const uint8_t trap = CODE_TRAP;
	uint64_t address = start + answer->offset, last = address + answer->length - 1;
	if (answer->kind == CODE_SYSCALL_TRAP || last < page || address >= page + PAGE_SIZE)
		return;
	if (!is_whole(address, answer->length, page))
		return; /* the patch is found when the rest becomes code */
	if (answer->kind == CODE_UNDECIDED || answer->kind == CODE_UNLIKELY) {
		if (!jit_patches_at(address))
			jit_doubts_tell(page, exchange->code + BEFORE, address, answer->kind == CODE_UNDECIDED);
		return;
	}
	size_t i = find_jit_patch(address);
	if (i < all->count && all->list[i].address == address)
		return; /* already patched: by renew(), or with a neighbouring page */
	struct jit_patch patch = {.address = address, .kind = answer->kind, .length = answer->length};
	code_get(patch.bytes, address, patch.length);
	insert_patch(patch);
	code_put(address, &trap, 1);
}

/* Lets the monitor judge the code shown. */
static void ask_about_page(uint64_t page, uint64_t before, uint64_t behind, uint64_t executed)
{
	struct exchange *ex = exchange;
	jit_patches_count(STATS_CODE_pages_judged);
	ex->piece = (struct code_piece){(uint64_t)(ex->code + BEFORE - before) - LAYOUT_DIRECT_MAP,
	                                before + PAGE_SIZE + behind};
	ex->request = (struct code_request){
		.pieces = (uint64_t)&ex->piece - LAYOUT_DIRECT_MAP,
		.piece_count = 1,
		.patches = (uint64_t)ex->answers - LAYOUT_DIRECT_MAP,
		.patches_max = ANSWERS_MAX,
		.flags = CODE_RAW,
		.entry = (uint32_t)(executed - (page - before)) + 1,
	};
	int64_t count = doorbell_ring(DOORBELL_CODE, (uint64_t)&ex->request - LAYOUT_DIRECT_MAP, 0);
	assert(count >= 0);
	assert(count <= (int64_t)ANSWERS_MAX);
	for (int64_t i = 0; i < count; i++)
		take_patch(&ex->answers[i], page, page - before);
}

bool jit_patches_find(uint64_t page, uint64_t executed)
{
	struct jit_patches *all = &linux_space_self()->jit_patches;
	if (!exchange)
		exchange = kmalloc(sizeof(*exchange));
	if (!exchange)
		out_of_memory();
	uint64_t before = page > BEFORE && code_is_shown(page - 1) ? BEFORE : 0;
	uint64_t behind = code_is_shown(page + PAGE_SIZE) ? BEHIND : 0;
	uint8_t *code = exchange->code;
	all->is_used = true;
	jit_patches_count(STATS_CODE_pages_searched);
	memset(code, 0, BEFORE - before);
	jit_patches_original(code + BEFORE - before, page - before, before);
	memcpy(code + BEFORE, code_byte(page), PAGE_SIZE);
	jit_patches_original(code + BEFORE + PAGE_SIZE, page + PAGE_SIZE, behind);
	memset(code + BEFORE + PAGE_SIZE + behind, 0, BEHIND - behind);
	renew(page);
	const struct shown_page shown = {page, executed, is_code(page - 1) ? CODE_INSTRUCTION_MAX : 0,
	                                 is_code(page + PAGE_SIZE) ? CODE_INSTRUCTION_MAX : 0};
	if (!each_suspicious(&shown, is_any))
		return false;
	jit_doubts_begin(page, code + BEFORE);
	ask_about_page(page, before, behind, executed);
	const bool is_doubtful = jit_doubts_end(page);
	each_suspicious(&shown, clear_place);
	return is_doubtful;
}
