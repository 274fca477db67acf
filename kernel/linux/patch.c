/* SPDX-License-Identifier: MIT */
/* What is to be patched is found by the monitor, once for each file, and kept with the file's inode. A patched system
 * call jumps to its stub, in a page near by:
 *
 *     instructions that stood before it    lea 1f(%rip), %rcx    jmp *entry    1: those behind it    jmp back
 */
#include "kernel/linux/patch.h"

#include <stddef.h>

#include "abi/code.h"
#include "abi/doorbell.h"
#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry.h"
#include "kernel/linux/memory.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/trap/emulate.h"
#include "kernel/vfs/data.h"

#define INT3 0xcc
#define JUMP_BYTES 5
#define REACH 0x70000000UL /* a jump's, less than all of 2 GiB */
#define PATCHES_FIRST 512  /* room for so many at first */

/* The patches of one file, in the order of their offsets. */
struct code_table {
	struct code_table *next;
	struct inode *inode; /* with a reference */
	struct code_patch *patches;
	uint64_t count;
};

static struct code_table *tables;

/* --- asking the monitor --- */

/* The pieces of a file, in new memory; NULL without memory. */
static struct code_piece *pieces_of(struct inode *inode, uint64_t *count)
{
	uint64_t room = 16, used = 0;
	struct code_piece *pieces = kmalloc(room * sizeof(*pieces));
	for (uint64_t at = 0; pieces && at < inode->size;) {
		const void *data;
		size_t bytes = inode->size - at;
		if (data_map(inode, at, &data, &bytes))
			BUG("a file that was opened cannot be read");
		if (used == room) {
			struct code_piece *more = kmalloc(2 * room * sizeof(*pieces));
			if (more)
				memcpy(more, pieces, used * sizeof(*pieces));
			kfree(pieces);
			pieces = more;
			room *= 2;
			if (!pieces)
				return NULL;
		}
		uint64_t physical = data ? (uint64_t)data - LAYOUT_DIRECT_MAP : CODE_HOLE;
		pieces[used++] = (struct code_piece){physical, bytes};
		at += bytes;
	}
	*count = used;
	return pieces;
}

/* Has the monitor list the patches of a file into table->patches. 0 or -ENOMEM. */
static int list_patches(struct code_table *table)
{
	uint64_t piece_count = 0, room = PATCHES_FIRST;
	struct code_piece *pieces = pieces_of(table->inode, &piece_count);
	struct code_request *request = kzalloc(sizeof(*request));
	int result = -ENOMEM;
	while (pieces && request) {
		table->patches = kmalloc(room * sizeof(*table->patches));
		if (!table->patches)
			break;
		*request = (struct code_request){
			.pieces = (uint64_t)pieces - LAYOUT_DIRECT_MAP,
			.piece_count = piece_count,
			.patches = (uint64_t)table->patches - LAYOUT_DIRECT_MAP,
			.patches_max = room,
		};
		int64_t count = doorbell_ring(DOORBELL_CODE, (uint64_t)request - LAYOUT_DIRECT_MAP, 0);
		assert(count >= 0); /* the monitor ends the run when it cannot tell */
		table->count = (uint64_t)count;
		if (table->count <= room) {
			result = 0;
			break;
		}
		kfree(table->patches);
		table->patches = NULL;
		room = table->count;
	}
	kfree(pieces);
	kfree(request);
	return result;
}

static struct code_table *known_table(const void *inode)
{
	struct code_table *table = tables;
	while (table && table->inode != inode)
		table = table->next;
	return table;
}

static struct code_table *table_of(struct inode *inode)
{
	struct code_table *table = known_table(inode);
	if (table)
		return table;
	table = kzalloc(sizeof(*table));
	if (!table)
		return NULL;
	table->inode = inode_get(inode);
	if (list_patches(table)) {
		inode_put(inode);
		kfree(table);
		return NULL;
	}
	table->next = tables;
	tables = table;
	return table;
}

/* The first patch that ends behind an offset. */
static uint64_t find(const struct code_table *table, uint64_t offset)
{
	uint64_t low = 0, high = table->count;
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		const struct code_patch *patch = &table->patches[middle];
		if (patch->offset + patch->before + patch->length + patch->after <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- writing code --- */

/* A byte of a page that is mapped, whatever its rights. */
static uint8_t *byte_at(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	assert(entry != NULL);
	assert(*entry & PTE_OWNED);
	uint64_t mask = large ? BLOCK_SIZE - 1 : PAGE_SIZE - 1;
	return (uint8_t *)phys_to_virt(*entry & PTE_ADDRESS & ~mask) + (address & mask);
}

static void put_code(uint64_t address, const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		*byte_at(address + i) = ((const uint8_t *)from)[i];
}

static void get_code(void *to, uint64_t address, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = *byte_at(address + i);
}

static void put_relative(uint64_t address, const uint8_t *opcode, size_t opcode_bytes, uint64_t target)
{
	int32_t distance = (int32_t)(target - (address + opcode_bytes + sizeof(distance)));
	put_code(address, opcode, opcode_bytes);
	put_code(address + opcode_bytes, &distance, sizeof(distance));
}

/* --- stubs --- */

static uint64_t stub_bytes(const struct code_patch *patch)
{
	return patch->before + LINUX_JUMP_BYTES + patch->after + JUMP_BYTES;
}

/* Writes a stub, and the jump to it. `site` is the first byte to be replaced, `entry` where the address is to jump to.
 */
static void write_stub(const struct code_patch *patch, uint64_t site, uint64_t stub, uint64_t entry)
{
	static const uint8_t lea_rcx[] = {0x48, 0x8d, 0x0d}, jump_indirect[] = {0xff, 0x25}, jump[] = {0xe9},
			     trap[] = {INT3};
	uint8_t moved[2 * UINT8_MAX];
	uint64_t at = stub, behind = site + patch->before + patch->length;
	get_code(moved, site, patch->before);
	put_code(at, moved, patch->before);
	at += patch->before;
	put_relative(at, lea_rcx, sizeof(lea_rcx), at + LINUX_JUMP_BYTES);
	put_relative(at + sizeof(lea_rcx) + 4, jump_indirect, sizeof(jump_indirect), entry);
	at += LINUX_JUMP_BYTES;
	get_code(moved, behind, patch->after);
	put_code(at, moved, patch->after);
	at += patch->after;
	put_relative(at, jump, sizeof(jump), behind + patch->after);
	put_relative(site, jump, sizeof(jump), stub);
	/* What the jump leaves of the moved instructions is nobody's. A syscall that is left may still be jumped to. */
	uint64_t end = patch->before >= JUMP_BYTES ? site + patch->before : behind + patch->after;
	for (at = site + JUMP_BYTES; at < end; at++)
		put_code(at, trap, 1);
}

/* Memory for stubs within a jump's reach of a mapping: 0 without. */
static uint64_t stub_area(uint64_t address, uint64_t end, uint64_t bytes)
{
	uint64_t low = end > REACH + PAGE_SIZE ? end - REACH : PAGE_SIZE;
	uint64_t at = vm_find_gap_below(bytes, low, address);
	if (!at)
		at = vm_find_gap_below(bytes, end, address + REACH);
	if (!at || vm_map(at, bytes, VM_READ | VM_EXEC))
		return 0;
	return vm_populate(at, bytes, VM_READ) == VM_FAULT_DONE ? at : 0;
}

static bool becomes_jump(const struct code_patch *patch)
{
	return patch->kind == CODE_SYSCALL && patch->before + patch->length + patch->after >= JUMP_BYTES;
}

/* The patches [first, last) that become jumps, on a mapping that shows offset `shift` less than its addresses. */
static void patch_calls(const struct code_table *table, uint64_t first, uint64_t last, uint64_t address, uint64_t end,
                        uint64_t shift)
{
	const uint64_t target = (uint64_t)linux_jump_entry;
	uint64_t bytes = sizeof(target);
	for (uint64_t i = first; i < last; i++)
		bytes += becomes_jump(&table->patches[i]) ? stub_bytes(&table->patches[i]) : 0;
	if (bytes == sizeof(target))
		return;
	uint64_t area = stub_area(address, end, (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1));
	if (!area)
		return; /* they trap */
	put_code(area, &target, sizeof(target));
	uint64_t at = area + sizeof(target);
	for (uint64_t i = first; i < last; i++) {
		const struct code_patch *patch = &table->patches[i];
		if (!becomes_jump(patch))
			continue;
		write_stub(patch, patch->offset + shift, at, area);
		at += stub_bytes(patch);
	}
}

static void patch_traps(const struct code_table *table, uint64_t first, uint64_t last, uint64_t shift)
{
	static const uint8_t trap = INT3;
	for (uint64_t i = first; i < last; i++)
		if (table->patches[i].kind < CODE_SYSCALL || table->patches[i].kind == CODE_PAUSE)
			put_code(table->patches[i].offset + shift, &trap, 1);
}

void patch_mapping(uint64_t address, uint64_t bytes)
{
	struct vm_backing backing;
	const struct vm_backing *shown = vm_backing_at(address, &backing);
	assert(shown && shown->ops);
	const struct code_table *table = table_of(shown->object);
	if (!table)
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs");
	uint64_t shift = address - shown->page * PAGE_SIZE, offset = address - shift;
	uint64_t first = find(table, offset), last = first;
	while (last < table->count && table->patches[last].offset < offset + bytes)
		last++;
	patch_traps(table, first, last, shift);
	patch_calls(table, first, last, address, address + bytes, shift);
}

void exec_check(uint64_t address, uint64_t bytes)
{
	struct vm_backing backing;
	for (uint64_t at = address, end; (end = exec_next(&at, address + bytes)); at = end) {
		if (vm_backing_at(at, &backing)->ops)
			patch_mapping(at, end - at);
		else
			exec_refuse(at, end - at);
	}
}

/* The patch whose first byte an address is, or NULL. */
static const struct code_patch *patch_at(uint64_t address)
{
	struct vm_backing backing;
	if (!vm_backing_at(address, &backing) || !backing.ops)
		return NULL;
	const struct code_table *table = known_table(backing.object);
	uint64_t offset = backing.page * PAGE_SIZE + address % PAGE_SIZE;
	uint64_t i = table ? find(table, offset) : 0;
	return table && i < table->count && table->patches[i].offset == offset ? &table->patches[i] : NULL;
}

const struct trap_site *emulate_site(uint64_t address)
{
	static struct trap_site site;
	const struct code_patch *patch = patch_at(address);
	if (!patch || patch->kind >= CODE_SYSCALL)
		return NULL;
	site = (struct trap_site){.address = address, .kind = patch->kind, .length = patch->length};
	return &site;
}

/* The thread goes on on its kernel stack, where it can be replaced, with the program's registers at the top. */
bool emulate_pause(struct trap_frame *frame)
{
	const struct code_patch *patch = patch_at(frame->rip - 1);
	if (!patch || patch->kind != CODE_PAUSE)
		return false;
	struct trap_frame *own = linux_frame(thread_current);
	*own = *frame;
	own->rip += patch->length - 1UL;
	frame->rip = (uint64_t)linux_pause_entry;
	frame->rsp = (uint64_t)own;
	frame->rflags = TABLES_RFLAGS;
	return true;
}

void emulate_init(const struct boot_info *boot)
{
	(void)boot;
}
