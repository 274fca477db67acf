/* SPDX-License-Identifier: MIT */
/* The monitor finds the instructions to patch, once for each file until the file is written to. The result is kept with
 * the inode. */
#include "kernel/linux/patch/patch.h"

#include <stddef.h>

#include "abi/code.h"
#include "abi/doorbell.h"
#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/spin.h"
#include "kernel/linux/memory/content_copies.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/constant_seeds.h"
#include "kernel/linux/patch/jit_pages.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/patch/main_point.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/signal/signal.h"
#include "kernel/trap/emulate.h"
#include "kernel/vfs/data.h"

#define PATCHES_FIRST 1024 /* initial room; glibc needs 580 */

/* The patches of one file, in the order of their offsets. */
struct code_table {
	struct view_file view; /* for reports */
	struct code_table *next;
	struct inode *inode; /* with a reference */
	struct code_patch *patches;
	uint64_t count;
	bool unknown; /* the monitor cannot disassemble the file: its code is scanned when it is executed */
};

static struct code_table *tables;
static struct code_table *table_used; /* what known_table has found last: pages of one file are asked for in turn */
struct view_file *patch_files;

/* --- asking the monitor --- */

/* The pieces of a file, in newly allocated memory; NULL without memory. The pieces are pinned: their memory does not
 * move afterwards. */
static struct code_piece *pieces_of(struct inode *inode, uint64_t *count)
{
	uint64_t room = 16, used = 0;
	struct code_piece *pieces = kmalloc(room * sizeof(*pieces));
	inode->data.pinned = true;
	for (uint64_t at = 0; pieces && at < inode->size;) {
		const void *data;
		size_t bytes = inode->size - at;
		if (data_map(inode, at, &data, &bytes)) {
			kfree(pieces);
			return NULL;
		}
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

/* Lets the monitor list the patches of a file into table->patches. Returns 0, -ENOMEM, or -ENOEXEC or -EFBIG when it
 * cannot. */
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
		if (doorbell_writes) {
			doorbell_writes((uint64_t)request - LAYOUT_DIRECT_MAP, sizeof(*request));
			doorbell_writes(request->patches, room * sizeof(*table->patches));
		}
		int64_t count = doorbell_ring(DOORBELL_CODE, (uint64_t)request - LAYOUT_DIRECT_MAP, 0);
		if (count < 0) {
			kfree(table->patches);
			table->patches = NULL;
			result = (int)count;
			break;
		}
		table->count = (uint64_t)count;
		if (table->count <= room) {
			result = 0;
			break;
		}
		kfree(table->patches);
		table->patches = NULL;
		room = table->count;
	}
	kfree(request);
	if (result) {
		kfree(pieces);
		return result;
	}
	struct code_patch *fitting = krealloc(table->patches, (table->count + 1) * sizeof(*table->patches));
	if (fitting)
		table->patches = fitting;
	table->view.pieces = (uint64_t)pieces;
	table->view.piece_count = piece_count;
	return 0;
}

/* Stores the file's path for reports. A long path loses its beginning. */
static void name_file(struct view_file *view, const struct inode *inode)
{
	struct text text = {0};
	proc_name(inode, &text);
	if (!text.error) {
		size_t bytes = text.bytes < sizeof(view->path) ? text.bytes : sizeof(view->path) - 1;
		memcpy(view->path, text.at + text.bytes - bytes, bytes);
	}
	kfree(text.at);
}

static struct code_table *known_table(const void *inode)
{
	if (table_used && table_used->inode == inode)
		return table_used;
	struct code_table *table = tables;
	while (table && table->inode != inode)
		table = table->next;
	table_used = table;
	return table;
}

static void free_table(struct code_table *table)
{
	inode_put(table->inode);
	kfree(table->patches);
	kfree((void *)table->view.pieces);
	kfree(table);
}

static bool is_same_table(const struct code_table *a, const struct code_table *b)
{
	return a->unknown == b->unknown && a->count == b->count &&
	       (!a->count || !memcmp(a->patches, b->patches, a->count * sizeof(*a->patches)));
}

/* The table for a file's present contents. If the file was written to, it is scanned again, and a different result
 * replaces the old table; older mappings are patched already. NULL without memory. */
static struct code_table *table_of(struct inode *inode)
{
	struct code_table *known = known_table(inode);
	if (known && !inode->data.written && !inode->data.mapped_writable)
		return known;
	struct code_table *table = kzalloc(sizeof(*table));
	if (!table)
		return NULL;
	table->inode = inode_get(inode);
	int result = list_patches(table);
	table->unknown = result == -ENOEXEC || result == -EFBIG;
	inode->data.written = false;
	if (result && !table->unknown) {
		free_table(table);
		return NULL;
	}
	if (known && is_same_table(known, table)) {
		uint64_t pieces = known->view.pieces;
		known->view.pieces = table->view.pieces; /* the pieces may have moved */
		known->view.piece_count = table->view.piece_count;
		table->view.pieces = pieces;
		free_table(table);
		return known;
	}
	name_file(&table->view, inode);
	table->view.object = (uint64_t)inode;
	table->view.next = (uint64_t)patch_files;
	patch_files = &table->view;
	table->next = tables;
	tables = table_used = table;
	constant_seeds_set_all(inode);
	return table;
}

static uint64_t end_of(const struct code_patch *patch)
{
	return patch->offset + patch->before + patch->length + patch->after;
}

/* The first patch that ends after an offset. */
static uint64_t find_file_patch(const struct code_table *table, uint64_t offset)
{
	return search_first(table->count, i, end_of(&table->patches[i]) <= offset);
}

const struct code_patch *patch_next_seed(const struct inode *inode, uint64_t offset)
{
	const struct code_table *table = inode->data.written ? NULL : known_table(inode);
	for (uint64_t i = table ? find_file_patch(table, offset) : 0; table && i < table->count; i++)
		if (table->patches[i].kind == CODE_SEED)
			return &table->patches[i];
	return NULL;
}

/* Replaces instructions by traps. Where a stub exists or is made, the jump to it covers the trap. */
static void patch_traps(const struct code_table *table, uint64_t first, uint64_t last, uint64_t shift, uint64_t start,
                        uint64_t end)
{
	static const uint8_t trap = CODE_TRAP;
	for (uint64_t i = first; i < last; i++) {
		const struct code_patch *patch = &table->patches[i];
		uint64_t at = patch->offset + patch->before + shift;
		if ((patch->kind < CODE_SYSCALL || patch->kind == CODE_PAUSE || code_trap_of(patch->kind)) &&
		    at >= start && at < end && code_is_fresh(at, at + 1))
			code_put(at, &trap, 1);
	}
}

/* Whether a range has pages that are neither patched already nor changed by the program. Pages that the program changed
 * are scanned when they are executed (jit_pages.h). */
static bool any_fresh(uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE)
		if (code_is_fresh(page, page + 1))
			return true;
	return false;
}

static void set_patched(uint64_t address, uint64_t bytes)
{
	for (uint64_t page = address; page < address + bytes; page += PAGE_SIZE) {
		bool large;
		uint64_t *entry = pagetable_entry(page, false, &large);
		if (entry && (*entry & (PTE_CODE | PTE_MADE)) == PTE_CODE)
			*entry |= PTE_PATCHED;
	}
}

static void patch_mapping(uint64_t address, uint64_t bytes)
{
	struct vm_backing backing;
	const struct vm_backing *shown = vm_backing_at(address, &backing);
	const struct code_table *table = table_of(shown->object);
	if (!table)
		end_with_report(END_REFUSED, 0, "no memory is left for what a program's code needs; raise --memory");
	if (table->unknown) {
		jit_pages_unsettle(address, bytes);
		return;
	}
	uint64_t shift = address - shown->page * PAGE_SIZE, offset = address - shift;
	uint64_t first = find_file_patch(table, offset), last = first;
	while (last < table->count && table->patches[last].offset < offset + bytes)
		last++;
	patch_traps(table, first, last, shift, address, address + bytes);
	stub_write(table->patches + first, last - first, address, address + bytes, shift);
	set_patched(address, bytes);
}

bool patch_is_plain(const void *inode, uint64_t first, uint64_t count)
{
	const struct code_table *table = known_table(inode);
	if (!table || table->unknown)
		return false;
	const uint64_t patch = find_file_patch(table, first * PAGE_SIZE);
	return patch == table->count || table->patches[patch].offset >= (first + count) * PAGE_SIZE;
}

/* Whether nothing can change a page of a file. */
static bool is_constant(const struct vm_backing *backing, uint64_t page)
{
	uint64_t physical;
	bool own;
	return !backing->ops->page(backing->object, page, VM_PEEK, &physical, &own) && !own &&
	       physical >= LAYOUT_RAM_MAX;
}

/* Whether a page of a file needs no copy before it is executed: it runs where it is, or, in a file that the monitor
 * does not know, gets one at its first execution (vm_fault). */
static bool is_copied_late(const struct code_table *table, const struct vm_backing *backing, uint64_t page)
{
	uint64_t physical;
	bool own;
	if (table && table->unknown)
		return !backing->ops->page(backing->object, page, VM_LOAD, &physical, &own) && !own;
	return patch_is_plain(backing->object, page, 1) && is_constant(backing, page);
}

int patch_exec_detach(uint64_t address, uint64_t bytes)
{
	struct vm_backing backing;
	const struct vm_backing *shown = vm_backing_at(address, &backing);
	const struct code_table *table = table_of(shown->object);
	const uint64_t first = shown->page;
	uint64_t run = 0;
	int result = 0;
	content_copies_hold();
	for (uint64_t page = 0; !result && page <= bytes / PAGE_SIZE; page++) {
		if (page < bytes / PAGE_SIZE && !is_copied_late(table, shown, first + page)) {
			run++;
			continue;
		}
		if (run)
			result = vm_detach(address + (page - run) * PAGE_SIZE, run * PAGE_SIZE);
		run = 0;
	}
	content_copies_release();
	return result;
}

void patch_exec_check(uint64_t address, uint64_t bytes)
{
	struct vm_backing backing;
	for (uint64_t at = address, end; (end = exec_next(&at, address + bytes)); at = end)
		if (vm_backing_at(at, &backing)->ops && any_fresh(at, end - at))
			patch_mapping(at, end - at);
}

/* Restores the file's bytes in a part of a mapping that shows the file from `page` on. */
static void restore_bytes(const struct vm_backing *backing, uint64_t address, uint64_t from, uint64_t end)
{
	for (uint64_t at = from, next; at < end; at = next) {
		uint64_t physical, number = backing->page + at / PAGE_SIZE - address / PAGE_SIZE;
		bool own;
		next = (at & ~(PAGE_SIZE - 1)) + PAGE_SIZE;
		if (next > end)
			next = end;
		if ((code_page(at) & PTE_PATCHED) &&
		    !backing->ops->page(backing->object, number, VM_LOAD, &physical, &own))
			code_put(at, (const uint8_t *)phys_to_virt(physical) + at % PAGE_SIZE, next - at);
	}
}

void patch_undo(uint64_t page)
{
	struct vm_backing backing;
	const struct vm_backing *shown = vm_backing_at(page, &backing);
	const struct code_table *table = known_table(shown->object);
	uint64_t offset = shown->page * PAGE_SIZE;
	assert(table != NULL);
	uint64_t first = find_file_patch(table, offset), end = first;
	while (end < table->count && table->patches[end].offset < offset + PAGE_SIZE)
		end++;
	if (end == first)
		return;
	const struct code_patch *last = &table->patches[end - 1];
	restore_bytes(shown, page, page + table->patches[first].offset - offset,
	              page + last->offset + last->before + last->length + last->after - offset);
}

bool patch_place(uint64_t address, uint64_t *file, uint64_t *offset)
{
	struct vm_backing backing;
	const struct code_table *table = known_table(vm_backing_at(address, &backing)->object);
	*file = (uint64_t)(table ? &table->view : NULL);
	*offset = backing.page * PAGE_SIZE + address % PAGE_SIZE;
	return table != NULL;
}

/* The length of the patched instruction that starts at an address, in a file or in code made at run time; 0: none. */
static unsigned patch_at(uint64_t address, uint8_t *kind)
{
	struct vm_backing backing;
	if (!(code_page(address) & PTE_PATCHED)) {
		const struct jit_patch *made = jit_patches_at(address);
		*kind = made ? made->kind : 0;
		return made ? made->length : 0;
	}
	const struct code_table *table = known_table(vm_backing_at(address, &backing)->object);
	uint64_t offset = backing.page * PAGE_SIZE + address % PAGE_SIZE;
	uint64_t i = table ? find_file_patch(table, offset) : 0;
	const struct code_patch *patch = table && i < table->count ? &table->patches[i] : NULL;
	if (!patch || patch->offset + patch->before != offset)
		return 0;
	*kind = code_trap_of(patch->kind) ? code_trap_of(patch->kind) : patch->kind;
	return patch->length;
}

const struct trap_site *patch_site(uint64_t address)
{
	static struct trap_site site;
	uint8_t kind;
	unsigned length = patch_at(address, &kind);
	if (!length || kind >= CODE_SYSCALL || cpu_answers(kind) || kind == TRAP_RDTSC || kind == TRAP_RDTSCP)
		return NULL;
	site = (struct trap_site){.address = address, .kind = kind, .length = (uint8_t)length};
	return &site;
}

/* The thread continues on its kernel stack, where it can be replaced, with the program's registers at the top. */
static void emulate_pause(struct trap_frame *frame, unsigned length)
{
	struct trap_frame *own = linux_frame(thread_current);
	*own = *frame;
	own->rip += length - 1UL;
	frame->rip = (uint64_t)entry_pause;
	frame->rsp = (uint64_t)own;
	frame->rflags = TABLES_RFLAGS;
}

/* An instruction as it was before its first byte was replaced. */
static void original_code(uint8_t code[CPU_CODE_BYTES], uint64_t address, unsigned length)
{
	struct vm_backing backing;
	memset(code, 0, CPU_CODE_BYTES);
	if (!(code_page(address) & PTE_PATCHED)) {
		jit_patches_original(code, address, length);
		return;
	}
	struct inode *inode = (struct inode *)vm_backing_at(address, &backing)->object;
	data_read(inode, code, length, backing.page * PAGE_SIZE + address % PAGE_SIZE);
}

/* Handles a jump to the original address of an instruction that was moved into a stub: the program continues in the
 * stub. Signal handlers see original addresses, and Go jumps to them when it preempts a goroutine. */
static bool go_on_in_stub(struct trap_frame *frame)
{
	uint64_t address = frame->rip - 1;
	uint64_t there = code_page(address) & PTE_PATCHED ? stub_going_on(address) : address;
	if (there == address)
		return false;
	frame->rip = there;
	return true;
}

bool patch_emulate(struct trap_frame *frame)
{
	uint8_t kind, code[CPU_CODE_BYTES];
	if (main_point_reached(frame))
		return true;
	unsigned length = patch_at(frame->rip - 1, &kind);
	if (length && kind == CODE_PAUSE) {
		emulate_pause(frame, length);
		return true;
	}
	if (length && (kind == TRAP_RDTSC || kind == TRAP_RDTSCP)) {
		spin_stamp(frame, length, kind == TRAP_RDTSCP);
		return true;
	}
	if (length && stub_is_point(kind)) {
		uint64_t stub = stub_of(frame->rip - 1);
		frame->rip = stub ? stub : frame->rip;
		return stub || go_on_in_stub(frame);
	}
	if (!length || !cpu_answers(kind))
		return go_on_in_stub(frame);
	original_code(code, frame->rip - 1, length);
	cpu_emulate(frame, kind, code, length);
	return true;
}

void patch_state(struct trap_frame *frame)
{
	const uint64_t stub = frame->rip - LINUX_STATE_BYTES, site = stub_original(stub);
	/* As after the trap that stands there without a stub. */
	frame->rip = site + 1;
	frame->vector = TRAP_BREAKPOINT;
	frame->error_code = 0;
	if (site != stub && patch_emulate(frame))
		return;
	frame->rip = site;
	signal_fault(frame, LINUX_SIGSEGV, LINUX_SI_KERNEL, 0,
	             "the program jumped into the code by which Eremite replaces XSAVE, XRSTOR and XGETBV");
}

/* HLT replaces int3, because it reaches the kernel without ring 0. */
bool patch_emulate_refused(struct trap_frame *frame)
{
	if (frame->vector == TRAP_GENERAL_PROTECTION && !frame->error_code) {
		frame->rip++;
		if (emulate_trap_site(frame))
			return true;
		frame->rip--;
	}
	if (emulate_is_refused_cpuid(frame)) { /* cpu_cpuid knows all models and several processors */
		cpu_cpuid(frame);
		frame->rip += CPUID_BYTES;
		return true;
	}
	return emulate_refused(frame);
}
