/* SPDX-License-Identifier: MIT */
#include "kernel/linux/patch/stub_loop.h"

#include "abi/layout.h"
#include "abi/ticks.h"
#include "kernel/lib/string.h"
#include "kernel/linux/patch/stub_rounds.h"

/* --- where the parts of a copy are --- */

/* The offset in the stub of an instruction at an offset in the loop. */
static unsigned copied_offset(const struct stub_loop *loop, unsigned offset)
{
	return offset < loop->site - loop->head ? offset : offset + loop->check_bytes;
}

/* The offset in the stub to which a jump to an address of the loop leads: to the check, if it is the place. */
static unsigned target_offset(const struct stub_loop *loop, uint64_t target)
{
	const unsigned offset = (unsigned)(target - loop->head);
	return target == loop->site ? offset : copied_offset(loop, offset);
}

static unsigned island_offset(const struct stub_loop *loop, unsigned number)
{
	const unsigned loop_end = (unsigned)(loop->end - loop->head) + loop->check_bytes;
	return loop_end + JUMP_BYTES + loop->slow_bytes + number * JUMP_BYTES;
}

static bool is_inside(const struct stub_loop *loop, uint64_t target)
{
	return target >= loop->head && target < loop->end;
}

/* The displacement in the stub of a jump to an offset there. */
static int distance_to(const struct stub_loop *loop, const struct stub_loop_part *part, unsigned offset)
{
	return (int)offset - (int)(copied_offset(loop, part->start) + part->end - part->start);
}

/* --- finding --- */

static bool is_near(int64_t distance)
{
	const int64_t near = INT32_MAX - (int64_t)REACH;
	return distance <= near && distance >= -near;
}

/* Gives a short jump an island if it does not reach its target from the copy. Returns false if it does not reach that
 * either. */
static bool find_way(struct stub_loop *loop, struct stub_loop_part *part)
{
	if (part->bytes != 1)
		return true;
	if (is_inside(loop, part->target)) {
		const int distance = distance_to(loop, part, target_offset(loop, part->target));
		if (distance == (int8_t)distance)
			return true;
	}
	const int distance = distance_to(loop, part, island_offset(loop, loop->islands));
	part->island = (uint8_t)++loop->islands;
	return distance == (int8_t)distance;
}

/* Adds an instruction whose displacement of `bytes` bytes is at an address. */
static bool add_part(struct stub_loop *loop, uint64_t start, uint64_t at, unsigned bytes, uint64_t end, bool is_jump)
{
	int32_t distance = 0;
	int8_t short_distance = 0;
	if (loop->count == STUB_LOOP_PARTS || start < loop->head || end > loop->end)
		return false;
	code_get(bytes == 1 ? (uint8_t *)&short_distance : (uint8_t *)&distance, at, bytes);
	const int64_t moved = bytes == 1 ? short_distance : distance;
	loop->parts[loop->count++] = (struct stub_loop_part){.start = (uint8_t)(start - loop->head),
	                                                     .end = (uint8_t)(end - loop->head),
	                                                     .displacement = (uint8_t)(at - loop->head),
	                                                     .bytes = (uint8_t)bytes,
	                                                     .is_jump = is_jump,
	                                                     .target = end + (uint64_t)moved};
	return is_near(moved);
}

static bool add_listed(struct stub_loop *loop, const struct code_patch *patch, uint64_t shift)
{
	const uint64_t start = patch->offset + shift;
	return add_part(loop, start, start + patch->operand[0], patch->operand[1], start + patch->length,
	                patch->operand[2] & CODE_LOOP_JUMP);
}

bool stub_loop_find(struct stub_loop *loop, const struct code_patch *patches, uint64_t count, uint64_t index,
                    uint64_t shift, unsigned check_bytes, unsigned slow_bytes)
{
	const struct code_patch *place = &patches[index];
	uint64_t last = index + 1, first = index;
	while (last < count && patches[last].kind == CODE_LOOP_PART)
		last++;
	if (last >= count || patches[last].kind != CODE_LOOP)
		return false;
	const uint64_t end = patches[last].offset + patches[last].length + shift;
	*loop = (struct stub_loop){.head = end - code_loop_bytes(&patches[last]),
	                           .site = place->offset + shift,
	                           .end = end,
	                           .check_bytes = check_bytes,
	                           .slow_bytes = slow_bytes};
	if (loop->head > loop->site || loop->end - loop->head > CODE_LOOP_BYTES_MAX ||
	    loop->head / PAGE_SIZE != (loop->end - 1) / PAGE_SIZE)
		return false;
	while (first && patches[first - 1].kind == CODE_LOOP_PART && patches[first - 1].offset + shift >= loop->head)
		first--;
	const struct code_patch *before = first ? &patches[first - 1] : NULL;
	if (before && before->offset + before->before + before->length + before->after + shift > loop->head)
		return false;
	if (last - first != patches[last].reason) /* the place itself is between them, and is not counted */
		return false;
	const bool is_jump = place->kind == CODE_TICK_LOOP;
	if (place->operand[1] &&
	    !add_part(loop, loop->site, loop->site + place->operand[0], is_jump ? place->operand[1] : 4,
	              loop->site + place->operand[0] + place->operand[1], is_jump))
		return false;
	for (uint64_t i = first; i <= last; i++)
		if (i != index && !add_listed(loop, &patches[i], shift))
			return false;
	if (place->kind != CODE_TICK_FLAGS)
		stub_rounds_choose(loop, (uint64_t)code_ticks(place) << TICKS_LEFT_SHIFT);
	if (loop->rounds)
		loop->check_bytes += STUB_TEST_BYTES;
	for (unsigned i = 0; i < loop->count; i++)
		if (loop->parts[i].is_jump && !find_way(loop, &loop->parts[i]))
			return false;
	loop->rounds_at = island_offset(loop, loop->islands);
	return true;
}

unsigned stub_loop_more_bytes(const struct stub_loop *loop, unsigned replaced)
{
	return (unsigned)(loop->end - loop->head) - replaced + loop->islands * JUMP_BYTES +
	       (loop->rounds ? STUB_TEST_BYTES + stub_rounds_bytes(loop) : 0);
}

/* --- writing --- */

/* The address in the stub at `stub`, or in the program, to which a part leads. */
static uint64_t copied_target(const struct stub_loop *loop, const struct stub_loop_part *part, uint64_t stub)
{
	if (!part->is_jump || !is_inside(loop, part->target))
		return part->target;
	return stub + target_offset(loop, part->target);
}

void stub_loop_add_copied(struct code *code, const struct stub_loop *loop, uint64_t from, uint64_t to)
{
	const unsigned start = (unsigned)(from - loop->head), end = (unsigned)(to - loop->head),
		       at = code->count - start;
	add_moved(code, from, end - start);
	for (unsigned i = 0; i < loop->count; i++) {
		const struct stub_loop_part *part = &loop->parts[i];
		if (part->start < start || part->start >= end)
			continue;
		uint64_t target = copied_target(loop, part, code->address);
		if (part->island)
			target = code->address + island_offset(loop, part->island - 1U);
		const int64_t moved = (int64_t)(target - (code->address + at + part->end));
		const int32_t distance = (int32_t)moved;
		const int8_t short_distance = (int8_t)moved;
		assert(part->bytes == 1 ? short_distance == moved : distance == moved);
		if (part->bytes == 1)
			memcpy(code->bytes + at + part->displacement, &short_distance, sizeof(short_distance));
		else
			memcpy(code->bytes + at + part->displacement, &distance, sizeof(distance));
	}
}

void stub_loop_add_start(struct code *code, const struct stub_loop *loop)
{
	stub_loop_add_copied(code, loop, loop->head, loop->site);
}

void stub_loop_add_rest(struct code *code, const struct stub_loop *loop)
{
	stub_loop_add_copied(code, loop, loop->site, loop->end);
}

void stub_loop_add_islands(struct code *code, const struct stub_loop *loop)
{
	for (unsigned number = 1; number <= loop->islands; number++) {
		for (unsigned i = 0; i < loop->count; i++)
			if (loop->parts[i].island == number) {
				ADD(code, JUMP);
				add_distance(code, copied_target(loop, &loop->parts[i], code->address));
			}
	}
}
