/* SPDX-License-Identifier: MIT */
/* Four accesses to each eight bytes are kept, as in ThreadSanitizer. One that another covers goes first: whatever races
 * with it later races with the other, too. Blocks of shadow memory are made for the memory that threads touch; when
 * there are no more, the oldest is used again. */
#include "tsan.h"

#define BLOCK_SHIFT 9 /* bytes of memory that a block is about */
#define BLOCK (1UL << BLOCK_SHIFT)
#define GRANULES (BLOCK / 8)
#define CELLS 4
#define REGION_SHIFT 18
#define REGIONS 4096U
#define FIRST_TABLE 1024U
#define RANGE_MAX (64UL << 10) /* bytes from which on a range makes no blocks */

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

/* The shadow of a block of memory; NULL: it has none, and is not to be made. */
static struct granule *shadow_of(uint64_t number, bool makes)
{
	struct block **known = &memo[number % 256];
	if (*known && (*known)->number == number)
		return (*known)->granules;
	struct block *block = table[place_of(number)];
	if (!block && makes) {
		block = new_block(number);
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

/* Calls that make a range of granules. `is_long`: only of blocks that are there. */
static void access_range(struct thread *thread, uint64_t address, uint64_t bytes, struct cell *access, bool is_fresh)
{
	const uint64_t end = address + bytes;
	while (address < end) {
		const uint64_t block = address >> BLOCK_SHIFT;
		if (bytes > RANGE_MAX && !*region_of(block)) {
			address = ((address >> REGION_SHIFT) + 1) << REGION_SHIFT;
			continue;
		}
		struct granule *shadow = shadow_of(block, bytes <= RANGE_MAX);
		if (!shadow) {
			address = (block + 1) << BLOCK_SHIFT;
			continue;
		}
		struct granule *granule = &shadow[address % BLOCK / 8];
		const uint64_t from = address % 8, left = end - address, to = left < 8 - from ? from + left : 8;
		access->bytes = (uint8_t)((0xffU << from) & (0xffU >> (8 - to)));
		if (is_fresh)
			*granule = (struct granule){.cells = {*access}};
		else
			access_granule(thread, granule, access, address - from);
		address += to - from;
	}
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
	if (thread->ignores || !bytes)
		return;
	struct cell access = cell_of(thread, flags, pc);
	const uint64_t from = address % 8;
	if (from + bytes <= 8) {
		access.bytes = (uint8_t)((0xffU << from) & (0xffU >> (8 - from - bytes)));
		access_granule(thread, &shadow_of(address >> BLOCK_SHIFT, true)[address % BLOCK / 8], &access,
		               address - from);
		return;
	}
	access_range(thread, address, bytes, &access, false);
}

void shadow_forget(uint64_t address, uint64_t bytes)
{
	struct cell none = {.time = 0};
	if (tsan_state != TSAN_ON || !bytes)
		return;
	const uint64_t end = address + bytes;
	while (address < end) {
		const uint64_t block = address >> BLOCK_SHIFT, next = (block + 1) << BLOCK_SHIFT;
		if (!*region_of(block)) {
			address = ((address >> REGION_SHIFT) + 1) << REGION_SHIFT;
			continue;
		}
		struct granule *shadow = shadow_of(block, false);
		for (uint64_t at = address; shadow && at < next && at < end; at = (at / 8 + 1) * 8)
			for (unsigned i = 0; i < CELLS; i++)
				shadow[at % BLOCK / 8].cells[i] = none;
		address = next;
	}
	sync_forget(end - bytes, bytes);
}

void shadow_allocate(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc)
{
	if (!bytes)
		return;
	sync_forget(address, bytes);
	if (thread->ignores) {
		shadow_forget(address, bytes);
		return;
	}
	struct cell access = cell_of(thread, ACCESS_WRITE, pc);
	access_range(thread, address, bytes, &access, true);
}

void shadow_free(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc)
{
	if (!bytes)
		return;
	if (!thread->ignores) {
		struct cell access = cell_of(thread, ACCESS_WRITE | ACCESS_FREE, pc);
		access_range(thread, address, bytes, &access, false);
	}
	sync_forget(address, bytes);
}
