/* SPDX-License-Identifier: MIT */
/* A tree of calls (Ammons, Ball, Larus 1997): a node is a call or an access in the calls of its parent, so an access
 * carries its stack in 32 bits. A call that is one of its last callers' again leads back to that one, so recursion does
 * not grow the tree. */
#include "tsan.h"

#define NODES_MAX (1U << 18)
#define CHUNK 1024U /* nodes */
#define FIRST_TABLE 2048U
#define RECURSION 8 /* callers that are looked at */

struct node {
	uint64_t pc;
	uint32_t parent;
};

struct entry {
	uint64_t pc;
	uint32_t parent, node; /* node 0: free */
};

static struct node *chunks[NODES_MAX / CHUNK];
static struct entry *table;
static uint32_t table_size, count = 1, used; /* node 0 is none */

void site_init(void)
{
	table_size = FIRST_TABLE;
	table = memory_take(table_size * sizeof(*table));
	chunks[0] = memory_take(CHUNK * sizeof(struct node));
}

static struct node *node_at(uint32_t node)
{
	return &chunks[node / CHUNK][node % CHUNK];
}

/* The place of a call or an access in the table, or the free one where it would be. */
static struct entry *place_of(uint32_t parent, uint64_t pc)
{
	const uint64_t hash = (pc ^ (uint64_t)parent << 17) * 0x9e3779b97f4a7c15UL;
	uint32_t at = (uint32_t)(hash >> 40) & (table_size - 1);
	while (table[at].node && (table[at].pc != pc || table[at].parent != parent))
		at = (at + 1) & (table_size - 1);
	return &table[at];
}

/* Doubles the table. The old one stays where it is. */
static bool grow(void)
{
	struct entry *old = table, *larger = memory_take(2UL * table_size * sizeof(*table));
	if (!larger)
		return false;
	table = larger;
	table_size *= 2;
	for (uint32_t i = 0; i < table_size / 2; i++)
		if (old[i].node)
			*place_of(old[i].parent, old[i].pc) = old[i];
	return true;
}

/* Makes a node. Returns 0 if there is no room. */
static uint32_t make_node(uint32_t parent, uint64_t pc)
{
	struct node **chunk = &chunks[count / CHUNK % (NODES_MAX / CHUNK)];
	if (count == NODES_MAX || (!*chunk && !(*chunk = memory_take(CHUNK * sizeof(struct node)))))
		return 0;
	*node_at(count) = (struct node){pc, parent};
	return count++;
}

static uint32_t recursion_of(uint32_t parent, uint64_t pc)
{
	for (unsigned i = 0; i < RECURSION && parent; i++, parent = node_at(parent)->parent)
		if (node_at(parent)->pc == pc)
			return parent;
	return 0;
}

/* Returns the node of a call or an access; without room, that of the access alone; 0: there is none either. */
static uint32_t node_of(uint32_t parent, uint64_t pc, bool is_call)
{
	struct entry *entry = place_of(parent, pc);
	if (entry->node)
		return entry->node;
	if (used * 4 >= table_size * 3) {
		if (!grow())
			return parent ? node_of(0, pc, is_call) : 0;
		entry = place_of(parent, pc);
	}
	const uint32_t again = is_call ? recursion_of(parent, pc) : 0, node = again ? again : make_node(parent, pc);
	if (!node)
		return parent ? node_of(0, pc, is_call) : 0;
	used++;
	*entry = (struct entry){.pc = pc, .parent = parent, .node = node};
	return node;
}

/* The node of the innermost call. */
static uint32_t calls_of(struct thread *thread)
{
	uint32_t known = thread->depth;
	while (known && !thread->frames[known - 1].node)
		known--;
	uint32_t node = known ? thread->frames[known - 1].node : 0;
	for (; known < thread->depth; known++)
		node = thread->frames[known].node = node_of(node, thread->frames[known].pc, true);
	return node;
}

uint32_t site_of(struct thread *thread, uint64_t pc)
{
	const uint32_t node = calls_of(thread);
	struct site_memo *memo = &thread->memo[(pc ^ pc >> 7 ^ node) % MEMOS];
	if (memo->pc != pc || memo->node != node || !memo->site)
		*memo = (struct site_memo){pc, node, node_of(node, pc, false)};
	return memo->site;
}

uint32_t site_stack(uint32_t site, uint64_t *pc, uint32_t max)
{
	uint32_t depth = 0;
	for (; site && depth < max; site = node_at(site)->parent)
		pc[depth++] = node_at(site)->pc;
	return depth;
}

/* --- calls --- */

EXPORT void __tsan_func_entry(void *pc)
{
	struct thread *thread = tsan_self;
	const uint64_t sp = (uint64_t)__builtin_frame_address(0);
	if (!thread) {
		threads_adopt();
		return;
	}
	while (thread->depth && thread->frames[thread->depth - 1].sp <= sp) /* left by longjmp */
		thread->depth--;
	if (thread->depth == FRAMES_MAX)
		thread->beyond++;
	else
		thread->frames[thread->depth++] = (struct frame){.sp = sp, .pc = (uint64_t)pc};
}

EXPORT void __tsan_func_exit(void)
{
	struct thread *thread = tsan_self;
	const uint64_t sp = (uint64_t)__builtin_frame_address(0);
	if (!thread)
		return;
	if (thread->beyond) {
		thread->beyond--;
		return;
	}
	while (thread->depth && thread->frames[thread->depth - 1].sp < sp)
		thread->depth--;
	if (thread->depth)
		thread->depth--;
}
