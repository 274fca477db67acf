/* SPDX-License-Identifier: MIT */
/* Stubs. The stub of a system call:
 *
 *     instructions before it    lea 1f(%rip), %rcx    jmp *entry    1: instructions after it    jmp back
 *
 * The stub of cpuid, rdtsc and rdtscp, which all set rdx and do not read it:
 *
 *     instructions before it    lea 1f(%rip), %rdx    jmp *linux_cpuid_target or another one
 *     1: instructions after it    jmp back
 *
 * The stub of xgetbv, whose only register is XCR0 in the model; for another one the exception is raised in the kernel:
 *
 *     instructions before it    jecxz 1f
 *     save rax and rcx    lea x(%rip), %rcx    jmp *linux_state_target
 *     1: mov $XCR0, %eax    mov $0, %edx    instructions after it    jmp back
 *
 * The stub of xsave and xrstor, which are 5 bytes or longer and therefore replaced as a whole:
 *
 *     save rax and rcx    lea 1f(%rip), %rcx    jmp *linux_state_target    1: jmp back
 *
 * The stub of a decision point, which preserves registers and flags and costs some nanoseconds while nothing is due:
 *
 *     instructions before it
 *     save rax, rcx and the flags    subtract the point's time and count the point; if a countdown ran out: jmp 2f
 *     restore rax, rcx and the flags    the instruction    instructions after it    jmp back
 *     2: lea 3f(%rip), %rcx    jmp *linux_point_target    3: struct stub_point
 *
 * The stub of a place that counts time, where the flags are unused:
 *
 *     subtract the price    if the countdown ran out: jmp 2f    1: the instructions    jmp back
 *     2: save rax and rcx    lea 1b(%rip), %rcx    jmp *linux_tick_target
 *
 * Where they may be in use, rax and the flags are saved before, and restored after. An instruction that repeats is
 * charged by rcx, and may have instructions before it.
 *
 * The kernel is below 2 GiB, so that absolute addresses of 32 bits reach it. */
#include "kernel/linux/patch/stub.h"

#include "abi/errno.h"
#include "abi/ticks.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/stub_code.h"
#include "kernel/linux/patch/stub_loop.h"
#include "kernel/linux/patch/stub_rounds.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/policy.h"
#include "kernel/time/vclock.h"

/* Stubs begin at a cache line: a stub whose code for the usual case lies in two takes up to a third longer. */
#define STUB_ALIGN 64UL

/* Virtual time for passing a point, the same as in native code (libc-port/ticks). */
#define ATOMIC_TICKS 28
#define STORE_TICKS 4

/* Virtual time of an iteration of a loop that waits, and of a point that traps: 1 us, as for `pause`. So a thread that
 * spins until a deadline, or until the end of its slice, soon reaches it. An iteration of a loop that may not be
 * waiting costs ROUND_TICKS. */
#define WAIT_TICKS 4000
#define ROUND_TICKS 40

/* --- moved instructions --- */

/* Adds moved instructions, which are `start` bytes behind the first replaced one, at `first`. Changes the displacement
 * of the one that the patch names, if it is among them. */
static void add_relocated(struct code *code, const struct code_patch *patch, uint64_t first, unsigned start,
                          unsigned count)
{
	const unsigned at = patch->operand[0] - start, to = code->count;
	const int32_t moved = (int32_t)(first + start - (code->address + code->count));
	int32_t distance;
	add_moved(code, first + start, count);
	if (!patch->operand[1] || patch->operand[0] < start || at >= count)
		return;
	memcpy(&distance, code->bytes + to + at, sizeof(distance));
	distance += moved;
	memcpy(code->bytes + to + at, &distance, sizeof(distance));
}

/* --- stubs --- */

bool stub_is_point(uint8_t kind)
{
	return kind == CODE_ATOMIC || kind == CODE_STORE || kind == CODE_UPDATE || kind == CODE_WAIT ||
	       kind == CODE_LOAD;
}

static bool is_point(const struct code_patch *patch)
{
	return stub_is_point(patch->kind);
}

/* Whether an instruction that saves or restores the processor's state has room for a jump, and is emulated. */
static bool is_state(const struct code_patch *patch)
{
	return patch->kind == TRAP_XSAVE && patch->length >= JUMP_BYTES &&
	       patch->offset % PAGE_SIZE + patch->length <= PAGE_SIZE && cpu_answers(TRAP_XSAVE);
}

/* Whether the patch is an emulated instruction whose result the processor model has. */
static bool is_answered(const struct code_patch *patch)
{
	return code_trap_of(patch->kind) && (patch->kind != CODE_XGETBV || cpu_answers(TRAP_XGETBV));
}

static bool is_tick(const struct code_patch *patch)
{
	return code_is_tick(patch->kind);
}

static bool traps(const struct code_patch *patch)
{
	return patch->operand[0] & CODE_TRAPS;
}

static unsigned replaced(const struct code_patch *patch)
{
	return patch->before + patch->length + patch->after;
}

/* The distance from the end of the instruction to a point's operand, if the operand is relative to it; else 0. */
static int32_t distance_of(const struct code_patch *patch, uint64_t site)
{
	int32_t distance = 0;
	if (CODE_BASE(patch->operand) == CODE_RIP)
		code_get((uint8_t *)&distance, site + CODE_DISPLACEMENT_AT(patch->operand), sizeof(distance));
	return distance;
}

/* Whether a point is left unpatched: it is a CODE_WAIT point, which --preempt did not request, and its stub may be too
 * far from its operand. */
static bool is_left(const struct code_patch *patch, uint64_t first)
{
	const int32_t near = INT32_MAX - (int32_t)REACH;
	int32_t distance = patch->kind == CODE_WAIT ? distance_of(patch, first + patch->before) : 0;
	return distance > near || distance < -near;
}

/* Whether a moved instruction may be too far from its operand, which is relative to it. */
static bool is_out_of_reach(const struct code_patch *patch, uint64_t first)
{
	const int32_t near = INT32_MAX - (int32_t)REACH;
	int32_t distance = 0;
	if (!is_point(patch) && patch->operand[1] && patch->kind != CODE_TICK_LOOP)
		code_get((uint8_t *)&distance, first + patch->operand[0], sizeof(distance));
	return distance > near || distance < -near;
}

/* The page that was looked at last, and whether it is fresh: patches are looked at in the order of their addresses. */
struct last_page {
	uint64_t address;
	bool is_known, is_fresh;
};

static bool is_fresh(struct last_page *last, uint64_t first, uint64_t end)
{
	const uint64_t page = first & ~(PAGE_SIZE - 1);
	if (end - page > PAGE_SIZE)
		return code_is_fresh(first, end);
	if (!last->is_known || last->address != page)
		*last = (struct last_page){page, true, code_is_fresh(first, end)};
	return last->is_fresh;
}

/* Whether the patch at an address needs a stub that is not made yet. */
static bool wants_stub(const struct code_patch *patch, uint64_t first, const struct stub_area *area,
                       struct last_page *last)
{
	bool is_call = patch->kind == CODE_SYSCALL || is_answered(patch) || is_state(patch) || is_tick(patch);
	if (first < area->start || first + replaced(patch) > area->end ||
	    !is_fresh(last, first, first + replaced(patch)))
		return false;
	return is_point(patch) ? !is_left(patch, first)
	                       : is_call && replaced(patch) >= JUMP_BYTES && !is_out_of_reach(patch, first);
}

unsigned stub_added_bytes(uint8_t kind)
{
	return stub_is_point(kind)        ? LINUX_POINT_COUNT_BYTES
	       : kind == CODE_SYSCALL     ? LINUX_JUMP_BYTES
	       : kind == CODE_XGETBV      ? LINUX_XGETBV_BYTES
	       : kind == STUB_TICK_ROUNDS ? LINUX_TICK_COUNT_BYTES + STUB_TEST_BYTES
	       : stub_tick_is_plain(kind) ? LINUX_TICK_COUNT_BYTES
	       : kind == CODE_TICK_FLAGS  ? LINUX_TICK_FLAGS_COUNT_BYTES
	       : kind == CODE_TICK_COUNT  ? LINUX_TICK_COUNTED_BYTES
	       : code_trap_of(kind)       ? LINUX_ANSWER_BYTES
	                                  : LINUX_STATE_BYTES;
}

/* Bytes of the path of a place when the countdown has run out. */
static unsigned slow_bytes(uint8_t kind)
{
	return stub_tick_is_plain(kind) ? LINUX_TICK_SLOW_BYTES : LINUX_TICK_FLAGS_SLOW_BYTES;
}

/* An upper bound for the bytes of a stub. */
static uint64_t stub_bytes(const struct code_patch *patch)
{
	const unsigned slow = is_tick(patch) ? slow_bytes(patch->kind) : 0;
	return replaced(patch) +
	       (is_point(patch) ? LINUX_POINT_BYTES : stub_added_bytes(patch->kind) + JUMP_BYTES + slow);
}

/* Finds the loop that is copied into the stub of a patch. Returns NULL if there is none. */
static const struct stub_loop *loop_of(struct stub_loop *loop, const struct code_patch *patches, uint64_t count,
                                       uint64_t index, uint64_t shift, const struct stub_area *area)
{
	const uint8_t kind = patches[index].kind;
	if ((!stub_tick_is_plain(kind) && kind != CODE_TICK_FLAGS) ||
	    !stub_loop_find(loop, patches, count, index, shift, stub_added_bytes(kind), slow_bytes(kind)))
		return NULL;
	return loop->head >= area->start && loop->end <= area->end ? loop : NULL;
}

/* The address at or after `at` where a stub can begin: those that count time run often. */
static uint64_t stub_start(const struct code_patch *patch, uint64_t at)
{
	return is_tick(patch) ? (at + STUB_ALIGN - 1) & ~(STUB_ALIGN - 1) : at;
}

static void add_call(struct code *code, uint64_t entry)
{
	ADD(code, 0x48, 0x8d, 0x0d); /* lea x(%rip), %rcx */
	add_distance(code, code->address + code->count + LINUX_JUMP_BYTES - 3);
	ADD(code, 0xff, 0x25); /* jmp *entry(%rip) */
	add_distance(code, entry);
}

static void add_answer(struct code *code, const uint64_t *target)
{
	ADD(code, 0x48, 0x8d, 0x15); /* lea x(%rip), %rdx */
	add_distance(code, code->address + code->count + LINUX_ANSWER_BYTES - 3);
	ADD(code, 0xff, 0x24, 0x25); /* jmp *target */
	add_word(code, (uint64_t)target);
}

static void add_save_rax(struct code *code)
{
	ADD(code, 0x48, 0x89, 0x04, 0x25); /* mov %rax, linux_point_rax */
	add_word(code, (uint64_t)&linux_point_rax);
}

static void add_save_rcx(struct code *code)
{
	ADD(code, 0x48, 0x89, 0x0c, 0x25); /* mov %rcx, linux_point_rcx */
	add_word(code, (uint64_t)&linux_point_rcx);
}

/* Saves rax and rcx, so that a stub can use them. */
static void add_save(struct code *code)
{
	add_save_rax(code);
	add_save_rcx(code);
}

/* `place` is the address that stub_original translates to the instruction's. */
static void add_state(struct code *code, uint64_t place)
{
	const unsigned start = code->count;
	add_save(code);
	ADD(code, 0x48, 0x8d, 0x0d); /* lea x(%rip), %rcx */
	add_distance(code, place + LINUX_STATE_BYTES);
	ADD(code, 0xff, 0x24, 0x25); /* jmp *linux_state_target */
	add_word(code, (uint64_t)&linux_state_target);
	assert(code->count - start == LINUX_STATE_BYTES);
}

static void add_xgetbv(struct code *code)
{
	const unsigned start = code->count;
	ADD(code, 0x67, 0xe3, LINUX_STATE_BYTES); /* jecxz */
	add_state(code, code->address + start);
	ADD(code, 0xb8); /* mov $XCR0, %eax */
	add_word(code, cpu_xcr0());
	ADD(code, 0xba, 0, 0, 0, 0); /* mov $0, %edx: xor would change flags */
	assert(code->count - start == LINUX_XGETBV_BYTES);
}

/* The part of a stub that does what a call or an emulated instruction does. `entry` holds the address to which a system
 * call jumps. */
static void add_instead(struct code *code, const struct code_patch *patch, uint64_t entry)
{
	switch (patch->kind) {
	case CODE_CPUID:
		add_answer(code, &linux_cpuid_target);
		break;
	case CODE_RDTSC:
		add_answer(code, &linux_rdtsc_target);
		break;
	case CODE_RDTSCP:
		add_answer(code, &linux_rdtscp_target);
		break;
	case CODE_XGETBV:
		add_xgetbv(code);
		break;
	case TRAP_XSAVE:
		add_state(code, code->address);
		break;
	default:
		add_call(code, entry);
	}
}

/* The code before the instruction of a point. Returns where the branches to the slow path have their distances. */
static void add_count(struct code *code, unsigned ticks, unsigned slow[2])
{
	const uint64_t points = LAYOUT_DIRECT_MAP + LAYOUT_SCHED + offsetof(struct sched_shared, points_left);
	add_save(code);
	ADD(code, 0x9f, 0x0f, 0x90, 0xc0); /* lahf; seto %al */
	ADD(code, 0x48, 0x81, 0x2c, 0x25); /* subq $cost, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	add_word(code, (uint64_t)ticks << TICKS_LEFT_SHIFT);
	ADD(code, 0x7e, 0); /* jle */
	slow[0] = code->count;
	ADD(code, 0x48, 0xb9); /* movabs $points_left, %rcx */
	stub_add(code, &points, sizeof(points));
	ADD(code, 0x48, 0xff, 0x09, 0x78, 0); /* decq (%rcx); js */
	slow[1] = code->count;
	ADD(code, 0x04, 0x7f, 0x9e);       /* add $0x7f, %al; sahf */
	ADD(code, 0x48, 0x8b, 0x04, 0x25); /* mov linux_point_rax, %rax */
	add_word(code, (uint64_t)&linux_point_rax);
	ADD(code, 0x48, 0x8b, 0x0c, 0x25); /* mov linux_point_rcx, %rcx */
	add_word(code, (uint64_t)&linux_point_rcx);
}

/* The instruction of a point, at another address. */
static void add_instruction(struct code *code, const struct code_patch *patch, uint64_t site)
{
	uint8_t bytes[CODE_INSTRUCTION_MAX];
	unsigned at = CODE_DISPLACEMENT_AT(patch->operand);
	assert(patch->length <= sizeof(bytes));
	code_get(bytes, site, patch->length);
	if (CODE_BASE(patch->operand) == CODE_RIP) {
		int64_t moved = (int64_t)(site - (code->address + code->count)) + distance_of(patch, site);
		int32_t displacement = (int32_t)moved;
		if (moved != displacement)
			end_with_report(END_REFUSED, 0,
			                "the program's data lie too far from its code for --preempt: leave it out");
		memcpy(bytes + at, &displacement, sizeof(displacement));
	}
	stub_add(code, bytes, patch->length);
}

static unsigned ticks_of(const struct code_patch *patch)
{
	if (traps(patch))
		return WAIT_TICKS;
	if (patch->kind == CODE_WAIT)
		return patch->operand[2] & CODE_UNSURE ? ROUND_TICKS : WAIT_TICKS;
	return patch->kind == CODE_ATOMIC ? ATOMIC_TICKS : STORE_TICKS;
}

static void add_point(struct code *code, const struct code_patch *patch, uint64_t site)
{
	struct stub_point point = {.kind = patch->kind, .length = patch->length};
	unsigned slow[2], back = patch->before;
	memcpy(point.operand, patch->operand, sizeof(point.operand));
	add_count(code, ticks_of(patch), slow);
	point.go_on = code->address + code->count;
	add_instruction(code, patch, site);
	add_moved(code, site + patch->length, patch->after);
	ADD(code, JUMP);
	add_distance(code, site + replaced(patch) - back);
	for (unsigned i = 0; i < 2; i++) {
		assert(code->count - slow[i] <= INT8_MAX);
		code->bytes[slow[i] - 1] = (uint8_t)(code->count - slow[i]);
	}
	ADD(code, 0x48, 0x8d, 0x0d); /* lea x(%rip), %rcx */
	add_distance(code, code->address + code->count + 4 + 7);
	ADD(code, 0xff, 0x24, 0x25); /* jmp *linux_point_target */
	add_word(code, (uint64_t)&linux_point_target);
	stub_add(code, &point, sizeof(point));
}

/* The path of a place that counts time when the countdown has run out. The flags that are unused get a value that does
 * not depend on the countdown: a frame puts them into memory. */
static void add_tick_slow(struct code *code, const struct code_patch *patch, uint64_t go_on)
{
	if (stub_tick_is_plain(patch->kind)) {
		add_save_rax(code);
		ADD(code, 0x31, 0xc0); /* xor %eax, %eax */
	}
	add_save_rcx(code);
	ADD(code, 0x48, 0x8d, 0x0d); /* lea go_on(%rip), %rcx */
	add_distance(code, go_on);
	ADD(code, 0xff, 0x24, 0x25); /* jmp *linux_tick_target */
	add_word(code, (uint64_t)&linux_tick_target);
}

/* Subtracts the price of an instruction that repeats rcx times. More than 32 bits of it would take minutes, and could
 * overflow the countdown; its lowest byte stays 0 (abi/ticks.h). */
static void add_price_by_count(struct code *code, const struct code_patch *patch)
{
	_Static_assert(CODE_TICK_PARTS == 1 << TICKS_LEFT_SHIFT, "the price is in the countdown's unit");
	add_save_rcx(code);
	ADD(code, 0x89, 0xc9); /* mov %ecx, %ecx */
	ADD(code, 0x48, 0xc1, 0xe1, (uint8_t)__builtin_ctz(code_ticks(patch) | CODE_TICK_PARTS << 8)); /* shl %rcx */
	ADD(code, 0x30, 0xc9);             /* xor %cl, %cl */
	ADD(code, 0x48, 0x29, 0x0c, 0x25); /* subq %rcx, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	ADD(code, 0x48, 0x8b, 0x0c, 0x25); /* mov linux_point_rcx, %rcx */
	add_word(code, (uint64_t)&linux_point_rcx);
}

static void add_price(struct code *code, const struct code_patch *patch)
{
	ADD(code, 0x48, 0x81, 0x2c, 0x25); /* subq $price, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	add_word(code, (uint64_t)code_ticks(patch) << TICKS_LEFT_SHIFT);
}

static void add_tick(struct code *code, const struct code_patch *patch, uint64_t first, const struct stub_loop *loop)
{
	const bool has_flags = !stub_tick_is_plain(patch->kind);
	if (loop)
		stub_loop_add_start(code, loop);
	else
		add_relocated(code, patch, first, 0, patch->before);
	const unsigned start = code->count;
	const uint8_t kind = loop && loop->rounds ? STUB_TICK_ROUNDS : patch->kind;
	if (kind == STUB_TICK_ROUNDS)
		stub_rounds_add_test(code, loop);
	if (has_flags) {
		add_save_rax(code);
		ADD(code, 0x9f, 0x0f, 0x90, 0xc0); /* lahf; seto %al */
	}
	if (patch->kind == CODE_TICK_COUNT)
		add_price_by_count(code, patch);
	else
		add_price(code, patch);
	ADD(code, 0x7e, 0); /* jle */
	const unsigned slow = code->count;
	if (has_flags) {
		ADD(code, 0x04, 0x7f, 0x9e);       /* add $0x7f, %al; sahf */
		ADD(code, 0x48, 0x8b, 0x04, 0x25); /* mov linux_point_rax, %rax */
		add_word(code, (uint64_t)&linux_point_rax);
	}
	assert(code->count - start == stub_added_bytes(kind));
	const uint64_t go_on = code->address + code->count;
	if (loop)
		stub_loop_add_rest(code, loop);
	else
		add_relocated(code, patch, first, patch->before, patch->length + patch->after);
	ADD(code, JUMP);
	add_distance(code, loop ? loop->end : first + replaced(patch));
	assert(code->count - slow <= INT8_MAX);
	code->bytes[slow - 1] = (uint8_t)(code->count - slow);
	add_tick_slow(code, patch, go_on);
	if (loop)
		stub_loop_add_islands(code, loop);
	if (kind == STUB_TICK_ROUNDS)
		stub_rounds_add(code, loop);
}

/* Writes a stub, and the jump to it, or the trap. `first` is the first byte to be replaced; `entry` holds the address
 * to which a system call jumps; `loop` is copied into the stub, or NULL. */
static void write_stub(const struct code_patch *patch, uint64_t first, struct code_writer *stubs,
                       struct code_writer *sites, uint64_t entry, const struct stub_loop *loop)
{
	static const uint8_t trap = CODE_TRAP;
	static const uint8_t filler[UINT8_MAX * 3] = {[0 ... UINT8_MAX * 3 - 1] = CODE_INT3};
	static struct code code, jump; /* large for a stack of the kernel */
	const uint64_t stub = stubs->address, site = first + patch->before;
	code.address = stub;
	jump.address = first;
	code.count = jump.count = 0;
	sites->address = first;
	if (is_point(patch)) {
		add_moved(&code, first, patch->before);
		add_point(&code, patch, site);
	} else if (is_tick(patch)) {
		add_tick(&code, patch, first, loop);
	} else {
		add_relocated(&code, patch, first, 0, patch->before);
		add_instead(&code, patch, entry);
		add_relocated(&code, patch, first, patch->before + patch->length, patch->after);
		ADD(&code, JUMP);
		add_distance(&code, first + replaced(patch));
	}
	assert(code.count <= stub_bytes(patch) + (loop ? stub_loop_more_bytes(loop, replaced(patch)) : 0));
	code_put_next(stubs, code.bytes, code.count);
	if (is_point(patch) && traps(patch)) {
		code_put_next(sites, &trap, 1);
		return;
	}
	ADD(&jump, JUMP);
	add_distance(&jump, stub + (loop ? loop->site - loop->head : 0)); /* to the check */
	code_put_next(sites, jump.bytes, jump.count);
	/* A jump into the bytes behind the patch traps and continues in the stub (patch.c). A syscall that stays can
	 * still be jumped to. */
	unsigned end = patch->kind == CODE_SYSCALL && patch->before >= JUMP_BYTES ? patch->before : replaced(patch);
	code_put_next(sites, filler, end - JUMP_BYTES);
}

/* --- areas --- */

static struct stub_areas *areas(void)
{
	return &linux_space_self()->stubs;
}

void stub_write(const struct code_patch *patches, uint64_t count, uint64_t start, uint64_t end, uint64_t shift)
{
	const uint64_t target = (uint64_t)entry_jump;
	struct stub_area area = {.start = start, .end = end};
	struct last_page last = {0};
	static struct stub_loop found; /* large for a stack of the kernel */
	uint64_t bytes = sizeof(target);
	bool is_needed = false;
	for (uint64_t i = 0; i < count; i++) {
		if (!wants_stub(&patches[i], patches[i].offset + shift, &area, &last))
			continue;
		is_needed |= is_point(&patches[i]) && patches[i].kind != CODE_WAIT;
		const struct stub_loop *loop = loop_of(&found, patches, count, i, shift, &area);
		if (patches[i].kind == CODE_TICK_LOOP && !loop)
			continue;
		bytes = stub_start(&patches[i], bytes) + stub_bytes(&patches[i]) +
		        (loop ? stub_loop_more_bytes(loop, replaced(&patches[i])) : 0);
		area.count++;
		vclock_counts_work |= is_tick(&patches[i]);
	}
	if (!area.count)
		return;
	uint64_t places = (bytes + 15) & ~15UL;
	area.bytes = (places + area.count * sizeof(struct stub_place) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	area.at = stub_areas_map(start, end, area.bytes, REACH);
	area.places = area.at + places;
	bool is_noted = area.at && !stub_areas_add(areas(), &area);
	if (area.at && !is_noted)
		vm_unmap(area.at, area.bytes);
	if (!is_noted) {
		if (is_needed)
			end_with_report(END_REFUSED, 0,
			                "there is no room near the program's code for what --preempt needs");
		return; /* system calls and cpuid trap instead; waiting loops stay unpatched */
	}
	struct code_writer stubs = {.address = area.at}, list = {.address = area.places}, sites = {0};
	code_put_next(&stubs, &target, sizeof(target));
	for (uint64_t i = 0; i < count; i++) {
		const struct code_patch *patch = &patches[i];
		uint64_t first = patch->offset + shift;
		if (!wants_stub(patch, first, &area, &last))
			continue;
		const struct stub_loop *loop = loop_of(&found, patches, count, i, shift, &area);
		if (patch->kind == CODE_TICK_LOOP && !loop)
			continue;
		stubs.address = stub_start(patch, stubs.address);
		struct stub_place place = {.site = (uint32_t)(first - start),
		                           .stub = (uint32_t)(stubs.address - area.at),
		                           .kind = patch->kind,
		                           .before = patch->before,
		                           .length = patch->length,
		                           .after = patch->after};
		if (loop) {
			place.site = (uint32_t)(loop->head - start);
			place.before = (uint8_t)(loop->site - loop->head);
			place.replaced = (uint8_t)(place.length + place.after);
			place.after = (uint8_t)(loop->end - loop->site - place.length);
			place.rounds = (uint8_t)loop->rounds;
			place.rounds_at = (uint16_t)loop->rounds_at;
			place.last = (uint8_t)loop->last_bytes;
			place.kind = loop->rounds                    ? STUB_TICK_ROUNDS
			             : patch->kind == CODE_TICK_LOOP ? CODE_TICK
			                                             : patch->kind;
		}
		code_put_next(&list, &place, sizeof(place));
		write_stub(patch, first, &stubs, &sites, area.at, loop);
	}
	code_settle(area.at, area.bytes);
}
