/* SPDX-License-Identifier: MIT */
#include "kernel/linux/patch/stub_rounds.h"

#include "abi/ticks.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub_loop.h"
#include "kernel/time/vclock.h"

/* Limits of the bytes of a round, for many rounds and for few. */
#define MANY_ROUNDS 8U
#define MANY_BYTES 40U
#define FEW_ROUNDS 4U
#define FEW_BYTES 40U

#define SUBTRACT_BYTES 12U
#define PRICE_AT 8U      /* in the instruction that subtracts */
#define BRANCH_BYTES 6U  /* of a conditional jump that reaches everything */
#define EXIT_BYTES 15U   /* of a round */
#define EXIT_SAVED 8U    /* from here on rax is saved */
#define COMMON_BYTES 49U /* of all exits */
#define COMMON_SAVED 8U  /* from here on rcx is saved */
#define COMMON_ADDED 20U /* from here on rax is the new countdown */
#define COMMON_DONE 28U  /* from here on the countdown has it */
#define COMMON_RAX 36U   /* from here on rax is restored */
#define COMMON_RCX 44U   /* from here on rcx is */

/* --- layout --- */

static unsigned round_bytes(const struct stub_loop *loop)
{
	return (unsigned)(loop->end - loop->head) - loop->last_bytes + BRANCH_BYTES;
}

static unsigned exits_offset(const struct stub_loop *loop)
{
	return loop->rounds_at + SUBTRACT_BYTES + loop->rounds * round_bytes(loop) + JUMP_BYTES;
}

void stub_rounds_choose(struct stub_loop *loop, uint64_t price)
{
	const struct stub_loop_part *last = loop->count ? &loop->parts[loop->count - 1] : NULL;
	uint8_t opcode;
	loop->rounds = 0;
	for (unsigned i = 0; i < loop->count; i++)
		if (loop->parts[i].is_jump && i + 1 < loop->count)
			return;
	if (!last || !last->is_jump || loop->head + last->end != loop->end || last->target != loop->head)
		return;
	loop->last_bytes = (unsigned)(last->end - last->start);
	code_get(&opcode, loop->head + last->displacement - 1U, 1);
	if ((opcode & 0xf0) != (last->bytes == 1 ? 0x70 : 0x80)) /* no condition */
		return;
	loop->condition = opcode & 0xf;
	const unsigned bytes = round_bytes(loop), rounds = bytes <= MANY_BYTES  ? MANY_ROUNDS
	                                                   : bytes <= FEW_BYTES ? FEW_ROUNDS
	                                                                        : 0;
	loop->price = price;
	if (price * rounds <= INT32_MAX)
		loop->rounds = rounds;
}

unsigned stub_rounds_bytes(const struct stub_loop *loop)
{
	return loop->rounds ? exits_offset(loop) - loop->rounds_at + (loop->rounds - 1) * EXIT_BYTES + COMMON_BYTES : 0;
}

/* --- writing --- */

void stub_rounds_add_test(struct code *code, const struct stub_loop *loop)
{
	const unsigned start = code->count;
	ADD(code, 0x48, 0x81, 0x3c, 0x25); /* cmpq $price, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	add_word(code, loop->price * loop->rounds);
	ADD(code, 0x0f, 0x8f); /* jg */
	add_distance(code, code->address + loop->rounds_at);
	assert(code->count - start == STUB_TEST_BYTES);
}

/* The exit of a round: it says how much is given back. */
static void add_exit(struct code *code, uint64_t price, unsigned common)
{
	ADD(code, 0x48, 0x89, 0x04, 0x25); /* mov %rax, linux_point_rax */
	add_word(code, (uint64_t)&linux_point_rax);
	ADD(code, 0xb8); /* mov $price, %eax */
	add_word(code, price);
	ADD(code, 0xeb, (uint8_t)(common - (code->count + 2))); /* jmp */
}

static void add_common_exit(struct code *code, uint64_t target)
{
	ADD(code, 0x48, 0x89, 0x0c, 0x25); /* mov %rcx, linux_point_rcx */
	add_word(code, (uint64_t)&linux_point_rcx);
	ADD(code, 0x48, 0x8b, 0x0c, 0x25); /* mov __eremite_ticks_left, %rcx */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	ADD(code, 0x48, 0x8d, 0x04, 0x01); /* lea (%rcx, %rax), %rax */
	ADD(code, 0x48, 0x89, 0x04, 0x25); /* mov %rax, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	ADD(code, 0x48, 0x8b, 0x04, 0x25); /* mov linux_point_rax, %rax */
	add_word(code, (uint64_t)&linux_point_rax);
	ADD(code, 0x48, 0x8b, 0x0c, 0x25); /* mov linux_point_rcx, %rcx */
	add_word(code, (uint64_t)&linux_point_rcx);
	ADD(code, JUMP);
	add_distance(code, target);
}

void stub_rounds_add(struct code *code, const struct stub_loop *loop)
{
	const unsigned exits = exits_offset(loop), common = exits + (loop->rounds - 1) * EXIT_BYTES;
	assert(code->count == loop->rounds_at);
	ADD(code, 0x48, 0x81, 0x2c, 0x25); /* subq $price, __eremite_ticks_left */
	add_word(code, (uint64_t)&__eremite_ticks_left);
	add_word(code, loop->price * loop->rounds);
	for (unsigned i = 0; i < loop->rounds; i++) {
		const bool is_last = i + 1 == loop->rounds;
		stub_loop_add_copied(code, loop, loop->site, loop->end - loop->last_bytes);
		ADD(code, 0x0f, (uint8_t)(0x80 | (loop->condition ^ 1))); /* the opposite of the jump back */
		add_distance(code, is_last ? loop->end : code->address + exits + i * EXIT_BYTES);
		stub_loop_add_copied(code, loop, loop->head, loop->site);
	}
	ADD(code, JUMP);
	add_distance(code, code->address + (loop->site - loop->head));
	for (unsigned i = 0; i + 1 < loop->rounds; i++)
		add_exit(code, loop->price * (loop->rounds - 1 - i), common);
	add_common_exit(code, loop->end);
	assert(code->count == loop->rounds_at + stub_rounds_bytes(loop));
}

/* --- leaving --- */

/* In the rounds themselves; `offset` is behind the subtraction. */
static void find_in_rounds(const struct stub_area *area, const struct stub_place *place, unsigned offset, uint64_t all,
                           struct stub_round *round)
{
	const unsigned rounds = place->rounds, rest = place->length + place->after - place->last,
		       bytes = place->before + rest + BRANCH_BYTES;
	const unsigned number = offset / bytes, at = offset % bytes;
	const uint64_t site = area->start + place->site, stub = area->at + place->stub;
	round->ahead = all / rounds * (rounds - 1 - number);
	if (at <= rest) {
		round->original = site + place->before + at;
		round->single = stub + place->before + stub_added_bytes(place->kind) + at;
	} else {
		round->original = site + (at - rest - BRANCH_BYTES);
		round->single = stub + (at - rest - BRANCH_BYTES);
	}
}

/* In an exit. */
static void find_in_exits(const struct stub_place *place, unsigned offset, uint64_t all, uint64_t rax,
                          struct stub_round *round)
{
	const unsigned rounds = place->rounds, common = (rounds - 1U) * EXIT_BYTES;
	if (offset < common) {
		round->ahead = all / rounds * (rounds - 1 - offset / EXIT_BYTES);
		round->has_rax = offset % EXIT_BYTES >= EXIT_SAVED;
		return;
	}
	offset -= common;
	round->has_rax = offset < COMMON_RAX;
	round->has_rcx = offset >= COMMON_SAVED && offset < COMMON_RCX;
	if (offset < COMMON_ADDED)
		round->ahead = rax;
	else if (offset < COMMON_DONE)
		round->ahead = rax - (uint64_t)__eremite_ticks_left;
}

bool stub_rounds_find(const struct stub_area *area, const struct stub_place *place, uint64_t address, uint64_t rax,
                      struct stub_round *round)
{
	const uint64_t stub = area->at + place->stub, start = stub + place->rounds_at;
	const unsigned rounds = place->rounds,
		       bytes = place->before + place->length + place->after - place->last + BRANCH_BYTES;
	uint32_t all;
	/* The list of places is in the program's memory. */
	if (!rounds || !bytes || address < start || copy_from_user(&all, (const void *)(start + PRICE_AT), sizeof(all)))
		return false;
	const unsigned offset = (unsigned)(address - start), behind = SUBTRACT_BYTES + rounds * bytes;
	*round = (struct stub_round){.original = area->start + place->site + place->before,
	                             .single = stub + place->before + STUB_TEST_BYTES};
	if (offset == behind) {
		round->single = stub + place->before;
	} else if (offset >= SUBTRACT_BYTES && offset < behind) {
		find_in_rounds(area, place, offset - SUBTRACT_BYTES, all, round);
	} else if (offset >= behind + JUMP_BYTES) {
		round->original = round->single =
			area->start + place->site + place->before + place->length + place->after;
		find_in_exits(place, offset - behind - JUMP_BYTES, all, rax, round);
	}
	return true;
}

void stub_rounds_leave(struct trap_frame *frame)
{
	struct stub_place place;
	struct stub_round round;
	/* Without --clock work there are no rounds, and traps need not look for them. */
	const struct stub_area *area = vclock_counts_work ? stub_area_of(frame->rip, &place) : NULL;
	if (!area || !stub_rounds_find(area, &place, frame->rip, frame->rax, &round))
		return;
	frame->rip = round.single;
	__eremite_ticks_left += (long)round.ahead;
	if (round.has_rax)
		frame->rax = linux_point_rax;
	if (round.has_rcx)
		frame->rcx = linux_point_rcx;
}
