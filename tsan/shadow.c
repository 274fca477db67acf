/* SPDX-License-Identifier: MIT */
/* Four accesses to each eight bytes are kept, as in ThreadSanitizer. One that another covers goes first: whatever races
 * with it later races with the other, too. Blocks of shadow memory are made for the memory that threads touch; when
 * there are no more, the oldest is used again. A large range makes no blocks: it is kept as a whole, and given to the
 * blocks that are made for parts of it later. */
#include "tsan.h"

#define BLOCK_SHIFT 9 /* bytes of memory that a block is about */
#define BLOCK (1UL << BLOCK_SHIFT)
#define GRANULES (BLOCK / 8)
#define CELLS 4
#define REGION_SHIFT 18
#define REGIONS 4096U
#define FIRST_TABLE 1024U
#define RANGE_MAX (64UL << 10) /* bytes from which on a range makes no blocks */
#define RANGES 256U
#define WALK_MAX ((uint64_t)REGIONS << REGION_SHIFT) /* bytes from which on all blocks are fewer than regions */
#define USER_END (1UL << 47)

struct cell {
	uint32_t time; /* of its thread; 0: free */
	uint32_t site;
	uint16_t slot;
	uint8_t bytes; /* mask */
	uint8_t flags;
};

_Static_assert(sizeof(struct cell) == 12, "cell");

struct granule {
	struct cell cells[CELLS];
};

struct block {
	uint64_t number; /* of the block of memory: its address >> BLOCK_SHIFT */
	struct block *newer;
	struct granule granules[GRANULES];
};

/* A large access, to all bytes from `from` to `end`. */
struct range {
	uint64_t from, end;
	struct cell cell; /* its mask is full */
};

static struct range ranges[RANGES];
static uint32_t range_count, range_victim;
static uint64_t ranges_from, ranges_end; /* all are inside */
static struct block **table, *oldest, *newest;
static uint32_t table_size, count;
static uint32_t regions[REGIONS]; /* number of blocks, so that large ranges are passed over fast */
static struct block *memo[256];

/* Neighbours stay neighbours, so that few pages of the table are touched. */
static uint32_t home_of(uint64_t number)
{
	return (uint32_t)(number ^ number >> 19 ^ number >> 27) & (table_size - 1);
}

static uint32_t *region_of(uint64_t number)
{
	const uint64_t region = number >> (REGION_SHIFT - BLOCK_SHIFT);
	return &regions[(region ^ region >> 12) % REGIONS];
}

/* The place of a block in the table, or the free one where it would be. */
static uint32_t place_of(uint64_t number)
{
	uint32_t at = home_of(number);
	while (table[at] && table[at]->number != number)
		at = (at + 1) & (table_size - 1);
	return at;
}

void shadow_init(void)
{
	table_size = FIRST_TABLE;
	table = memory_take(table_size * sizeof(struct block *));
	oldest = newest = memory_take(sizeof(*oldest)); /* one that can be used again is always there */
	table[place_of(0)] = oldest;
	++*region_of(0);
}

/* Doubles the table when it is half full. The old one stays where it is. */
static void grow(void)
{
	struct block **old = table, **larger = memory_take(2UL * table_size * sizeof(struct block *));
	if (!larger)
		return;
	table = larger;
	table_size *= 2;
	for (uint32_t i = 0; i < table_size / 2; i++)
		if (old[i])
			table[place_of(old[i]->number)] = old[i];
}

/* Empties a place of the table, and moves those behind it that belong before it (Knuth 6.4, algorithm R). */
static void empty_place(uint32_t hole)
{
	const uint32_t mask = table_size - 1;
	for (uint32_t at = (hole + 1) & mask; table[at]; at = (at + 1) & mask)
		if (((at - home_of(table[at]->number)) & mask) >= ((at - hole) & mask)) {
			table[hole] = table[at];
			hole = at;
		}
	table[hole] = NULL;
}

/* The block that was made first, without what is in it. */
static struct block *recycle(void)
{
	struct block *block = oldest;
	oldest = block->newer;
	empty_place(place_of(block->number));
	--*region_of(block->number);
	memo[block->number % 256] = NULL;
	for (unsigned i = 0; i < GRANULES * CELLS; i++)
		tsan_lost.kept += block->granules[i / CELLS].cells[i % CELLS].time != 0;
	__builtin_memset(block, 0, sizeof(*block));
	return block;
}

static struct block *new_block(uint64_t number)
{
	if (count * 2 >= table_size)
		grow();
	struct block *block = count < memory_blocks && count * 2 < table_size ? memory_take(sizeof(*block)) : NULL;
	count += block != NULL;
	block = block ? block : recycle();
	block->number = number;
	*(oldest ? &newest->newer : &oldest) = block;
	newest = block;
	++*region_of(number);
	return block;
}

static uint8_t mask_of(uint64_t address, uint64_t end)
{
	const uint64_t from = address % 8, left = end - address, to = left < 8 - from ? from + left : 8;
	return (uint8_t)((0xffU << from) & (0xffU >> (8 - to)));
}

/* Keeps an access that came before all of the granule's next ones. */
static void fill_granule(struct granule *granule, const struct cell *access)
{
	for (unsigned i = 0; i < CELLS; i++)
		if (!granule->cells[i].time) {
			granule->cells[i] = *access;
			return;
		}
	tsan_lost.kept++;
}

/* Gives a new block what the large ranges around it know. */
static void fill_block(struct block *block)
{
	const uint64_t first = block->number << BLOCK_SHIFT, last = first + BLOCK;
	for (uint32_t i = 0; i < range_count; i++) {
		struct cell access = ranges[i].cell;
		const uint64_t end = ranges[i].end < last ? ranges[i].end : last;
		uint64_t at = ranges[i].from > first ? ranges[i].from : first;
		for (; at < end; at = (at / 8 + 1) * 8) {
			access.bytes = mask_of(at, end);
			fill_granule(&block->granules[at % BLOCK / 8], &access);
		}
	}
}

/* The shadow of a block of memory; NULL: it has none, and is not to be made. */
static struct granule *shadow_of(uint64_t number, bool makes)
{
	struct block **known = &memo[number % 256];
	if (*known && (*known)->number == number)
		return (*known)->granules;
	struct block *block = table[place_of(number)];
	if (!block && makes) {
		block = new_block(number);
		fill_block(block);
		table[place_of(number)] = block; /* the table may be another one now */
	}
	if (block)
		*known = block;
	return block ? block->granules : NULL;
}

static bool is_ordered(const struct thread *thread, const struct cell *cell)
{
	return cell->slot == thread->slot || cell->time <= thread->clock.at[cell->slot];
}

/* Whether all that races with the earlier access races with the other one. */
static bool covers(const struct cell *other, const struct cell *earlier)
{
	return !(earlier->bytes & ~other->bytes) && (other->flags & ACCESS_WRITE || !(earlier->flags & ACCESS_WRITE)) &&
	       (!(other->flags & ACCESS_ATOMIC) || earlier->flags & ACCESS_ATOMIC);
}

static bool is_race(const struct thread *thread, const struct cell *earlier, const struct cell *access)
{
	return earlier->bytes & access->bytes && (earlier->flags | access->flags) & ACCESS_WRITE &&
	       !(earlier->flags & access->flags & ACCESS_ATOMIC) && !is_ordered(thread, earlier);
}

/* Keeps an access in the place of one that it covers, else in a free one, else in that of the first. */
static void keep(struct granule *granule, const struct cell *access, const struct thread *thread)
{
	unsigned kept = CELLS;
	for (unsigned i = 0; i < CELLS; i++) {
		struct cell *cell = &granule->cells[i];
		if (cell->time && (!is_ordered(thread, cell) || !covers(access, cell)))
			continue;
		*cell = kept == CELLS ? *access : (struct cell){.time = 0};
		kept = i < kept ? i : kept;
	}
	if (kept < CELLS)
		return;
	tsan_lost.kept++;
	for (unsigned i = 1; i < CELLS; i++)
		granule->cells[i - 1] = granule->cells[i];
	granule->cells[CELLS - 1] = *access;
}

static uint64_t first_byte(uint64_t address, uint8_t bytes)
{
	return address + (unsigned)__builtin_ctz(bytes);
}

static void tell(const struct thread *thread, const struct cell *earlier, const struct cell *access, uint64_t address)
{
	const struct access first = {.address = first_byte(address, earlier->bytes),
	                             .bytes = (uint32_t)__builtin_popcount(earlier->bytes),
	                             .site = earlier->site,
	                             .thread = threads_number(earlier->slot, earlier->time),
	                             .flags = earlier->flags},
			    second = {.address = first_byte(address, access->bytes),
	                              .bytes = (uint32_t)__builtin_popcount(access->bytes),
	                              .site = access->site,
	                              .thread = thread->number,
	                              .flags = access->flags};
	report_race(&first, &second);
}

/* An access to a granule. A race is told when the state fits together again. */
static void access_granule(struct thread *thread, struct granule *granule, const struct cell *access, uint64_t address)
{
	struct cell raced = {.time = 0};
	for (unsigned i = 0; i < CELLS; i++) {
		const struct cell *cell = &granule->cells[i];
		if (cell->time == access->time && cell->slot == access->slot && covers(cell, access))
			return;
		if (cell->time && !raced.time && is_race(thread, cell, access))
			raced = *cell;
	}
	keep(granule, access, thread);
	if (raced.time)
		tell(thread, &raced, access, address);
}

/* An access to all granules of a range; those without shadow are left out, unless it `makes` some. Each is looked up:
 * after a race was told, a block may be about other memory. */
static void access_granules(struct thread *thread, uint64_t address, uint64_t end, struct cell *access, bool is_fresh,
                            bool makes)
{
	for (; address < end; address = (address / 8 + 1) * 8) {
		struct granule *shadow = shadow_of(address >> BLOCK_SHIFT, makes);
		if (!shadow)
			return;
		struct granule *granule = &shadow[address % BLOCK / 8];
		access->bytes = mask_of(address, end);
		if (is_fresh)
			*granule = (struct granule){.cells = {*access}};
		else
			access_granule(thread, granule, access, address / 8 * 8);
	}
}

/* --- large ranges --- */

static void add_range(uint64_t from, uint64_t end, const struct cell *access)
{
	struct range *range;
	if (range_count < RANGES) {
		range = &ranges[range_count++];
	} else {
		range = &ranges[range_victim++ % RANGES];
		tsan_lost.kept++;
	}
	*range = (struct range){from, end, *access};
	ranges_from = range_count == 1 || from < ranges_from ? from : ranges_from;
	ranges_end = range_count == 1 || end > ranges_end ? end : ranges_end;
}

/* Takes memory out of the ranges: of all, or with an access of those that it covers. What is left of a range is behind
 * those that are still to be looked at, or elsewhere in memory. */
static void cut_ranges(uint64_t from, uint64_t end, const struct thread *thread, const struct cell *access)
{
	if (from >= ranges_end || end <= ranges_from)
		return;
	for (uint32_t i = range_count; i-- > 0;) {
		const struct range range = ranges[i];
		if (range.from >= end || range.end <= from ||
		    (access && (!is_ordered(thread, &range.cell) || !covers(access, &range.cell))))
			continue;
		ranges[i] = ranges[--range_count];
		if (range.from < from)
			add_range(range.from, from, &range.cell);
		if (range.end > end)
			add_range(end, range.end, &range.cell);
	}
}

/* A walk over the blocks of a range that are there. */
struct walk {
	uint64_t from, at, end;
	struct block *listed; /* of a very large range; in the order in which they were made */
};

static struct walk walk_over(uint64_t address, uint64_t bytes)
{
	return (struct walk){address, address, address + bytes, bytes > WALK_MAX ? oldest : NULL};
}

/* Sets the part of the range that is in the next block. Returns false if no block is left. */
static bool next_block(struct walk *walk, uint64_t *from, uint64_t *end)
{
	const struct block *found = NULL;
	const bool is_listed = walk->end - walk->from > WALK_MAX;
	while (is_listed ? walk->listed != NULL : walk->at < walk->end) {
		const uint64_t number = is_listed ? walk->listed->number : walk->at >> BLOCK_SHIFT;
		if (is_listed) {
			found = walk->listed;
			walk->listed = found->newer;
		} else if (!*region_of(number)) {
			walk->at = ((walk->at >> REGION_SHIFT) + 1) << REGION_SHIFT;
			continue;
		} else {
			found = table[place_of(number)];
			walk->at = (number + 1) << BLOCK_SHIFT;
		}
		*from = number << BLOCK_SHIFT > walk->from ? number << BLOCK_SHIFT : walk->from;
		*end = (number + 1) << BLOCK_SHIFT < walk->end ? (number + 1) << BLOCK_SHIFT : walk->end;
		if (found && *from < *end)
			return true;
	}
	return false;
}

/* An access to a large range: to the blocks that are there, and to what other ranges know. It is kept before a race is
 * told, because another thread may run then. */
static void access_large(struct thread *thread, uint64_t address, uint64_t bytes, struct cell *access, bool is_fresh)
{
	const uint64_t end = address + bytes;
	struct cell raced = {.time = 0};
	uint64_t raced_at = 0, from, to;
	bool is_known = false;
	access->bytes = 0xff;
	for (uint32_t i = 0; i < range_count; i++) {
		const struct range *range = &ranges[i];
		if (range->from >= end || range->end <= address)
			continue;
		is_known =
			is_known || (range->from <= address && range->end >= end && range->cell.slot == access->slot &&
		                     range->cell.time == access->time && covers(&range->cell, access));
		if (!raced.time && is_race(thread, &range->cell, access)) {
			raced = range->cell;
			raced_at = range->from > address ? range->from : address;
		}
	}
	if (!is_known) {
		cut_ranges(address, end, thread, access);
		add_range(address, end, access);
	}
	if (raced.time)
		tell(thread, &raced, access, raced_at);
	for (struct walk walk = walk_over(address, bytes); next_block(&walk, &from, &to);)
		access_granules(thread, from, to, access, is_fresh, false);
}

static bool is_of_user(uint64_t address, uint64_t bytes)
{
	return address < USER_END && bytes && bytes <= USER_END - address;
}

static void access_range(struct thread *thread, uint64_t address, uint64_t bytes, struct cell *access, bool is_fresh)
{
	if (bytes > RANGE_MAX)
		access_large(thread, address, bytes, access, is_fresh);
	else
		access_granules(thread, address, address + bytes, access, is_fresh, true);
}

static struct cell cell_of(struct thread *thread, unsigned flags, uint64_t pc)
{
	return (struct cell){.time = thread->clock.at[thread->slot],
	                     .site = site_of(thread, pc),
	                     .slot = (uint16_t)thread->slot,
	                     .flags = (uint8_t)flags};
}

void shadow_access(struct thread *thread, uint64_t address, uint64_t bytes, unsigned flags, uint64_t pc)
{
	if (thread->ignores || !is_of_user(address, bytes))
		return;
	struct cell access = cell_of(thread, flags, pc);
	const uint64_t from = address % 8;
	if (from + bytes <= 8) {
		access.bytes = mask_of(address, address + bytes);
		access_granule(thread, &shadow_of(address >> BLOCK_SHIFT, true)[address % BLOCK / 8], &access,
		               address - from);
		return;
	}
	access_range(thread, address, bytes, &access, false);
}

void shadow_forget(uint64_t address, uint64_t bytes)
{
	const struct cell none = {.time = 0};
	uint64_t at, end;
	if (tsan_state != TSAN_ON || !is_of_user(address, bytes))
		return;
	cut_ranges(address, address + bytes, NULL, NULL);
	for (struct walk walk = walk_over(address, bytes); next_block(&walk, &at, &end);) {
		struct granule *shadow = shadow_of(at >> BLOCK_SHIFT, false);
		for (; at < end; at = (at / 8 + 1) * 8)
			for (unsigned i = 0; i < CELLS; i++)
				shadow[at % BLOCK / 8].cells[i] = none;
	}
	sync_forget(address, bytes);
}

void shadow_allocate(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc)
{
	if (!is_of_user(address, bytes))
		return;
	if (thread->ignores) {
		shadow_forget(address, bytes);
		return;
	}
	sync_forget(address, bytes);
	cut_ranges(address, address + bytes, NULL, NULL);
	struct cell access = cell_of(thread, ACCESS_WRITE, pc);
	access_range(thread, address, bytes, &access, true);
}

void shadow_free(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc)
{
	if (!is_of_user(address, bytes))
		return;
	if (!thread->ignores) {
		struct cell access = cell_of(thread, ACCESS_WRITE | ACCESS_FREE, pc);
		access_range(thread, address, bytes, &access, false);
	}
	sync_forget(address, bytes);
}
