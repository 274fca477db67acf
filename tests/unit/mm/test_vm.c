/* SPDX-License-Identifier: MIT */
/* The address space over real page tables in host memory: random calls against a model, with allocations that fail, and
 * a translation buffer that remembers every entry until it is told to forget it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "kernel/arch/gate.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/space.h"
#include "kernel/mm/pagetable.h"
#include "kernel/personality.h"

/* The linker script's, of an image that is empty. */
extern const char __image_start[], __image_end[];
const char __image_start[1], __image_end[1];

static void thaw(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
}

static bool never_grows(uint64_t address)
{
	(void)address;
	return false;
}

const struct personality personality = {
	.memory_grow = never_grows,
	.vm_map_object = vm_map_object_plain,
	.vm_unmap = vm_unmap_plain,
	.vm_protect = vm_protect_plain,
	.vm_discard = vm_discard_plain,
	.exec_thaw = thaw,
};

#define RAM (48UL << 20)
#define BASE LAYOUT_MMAP
#define PAGES 2048U
#define OBJECT_PAGES 40U
#define NEVER UINT64_MAX

enum kind { NOTHING, ANONYMOUS, PRIVATE, SHARED };

/* What each page should be. */
static struct {
	enum kind kind;
	int prot;
	unsigned object_page;
	uint8_t byte; /* anonymous: what it holds */
} model[PAGES];

static uint64_t tlb[PAGES]; /* 0: not cached */
static uint64_t seed, asked, fail_after = NEVER;
static struct {
	uint64_t frames[OBJECT_PAGES];
	uint64_t backing; /* what pages divisible by 3 show until they are written to */
	uint64_t size;
	int refs;
} object;

_Noreturn void bug(const char *file, int line, const char *assertion)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, assertion);
	abort();
}

/* All memory is there from the beginning. */
int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1)
{
	(void)op;
	(void)arg0;
	(void)arg1;
	abort();
}

void gate_invlpg(uint64_t address)
{
	if (address >= BASE && address < BASE + PAGES * PAGE_SIZE) {
		uint64_t page = (address - BASE) / PAGE_SIZE, first = page, count = 1;
		if (tlb[page] & PTE_LARGE)
			first = page & ~511UL, count = 512;
		memset(&tlb[first], 0, count * sizeof(tlb[0]));
	}
}

void gate_show(uint64_t address)
{
	(void)address;
}

void gate_load_cr3(uint64_t root)
{
	assert_int_equal(root, LAYOUT_PAGE_TABLES);
	memset(tlb, 0, sizeof(tlb));
}

void gate_reload_cr3(uint64_t root)
{
	gate_load_cr3(root);
}

static bool fails_now(void)
{
	asked++;
	return fail_after != NEVER && fail_after-- == 0;
}

/* Every allocation of mm comes by here, through the linker (--wrap). */
uint64_t __real_frame_alloc(void);
uint64_t __real_frame_alloc_run(size_t count);
uint64_t __real_frame_alloc_blocks(size_t count);
uint64_t __wrap_frame_alloc(void);
uint64_t __wrap_frame_alloc_run(size_t count);
uint64_t __wrap_frame_alloc_blocks(size_t count);

uint64_t __wrap_frame_alloc(void)
{
	return fails_now() ? 0 : __real_frame_alloc();
}

uint64_t __wrap_frame_alloc_run(size_t count)
{
	return fails_now() ? 0 : __real_frame_alloc_run(count);
}

uint64_t __wrap_frame_alloc_blocks(size_t count)
{
	return fails_now() ? 0 : __real_frame_alloc_blocks(count);
}

static uint32_t any(uint32_t below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (uint32_t)(seed >> 33) % below;
}

static int object_page(void *which, uint64_t page, enum vm_access access, uint64_t *physical, bool *own)
{
	assert_ptr_equal(which, &object);
	if (page >= object.size)
		return -ENXIO;
	*own = true;
	if (!object.frames[page] && access != VM_STORE && page % 3 == 0) {
		*own = false;
		*physical = object.backing;
		return 0;
	}
	if (!object.frames[page] && access == VM_PEEK)
		return -EAGAIN;
	if (!object.frames[page]) {
		uint64_t frame = frame_alloc();
		if (!frame)
			return -ENOMEM;
		vm_zap(&object, page, page + 1, false);
		object.frames[page] = frame;
	}
	*physical = object.frames[page];
	return 0;
}

static uint64_t object_block(void *of, uint64_t page)
{
	(void)of, (void)page;
	return 0;
}

static void object_get(const struct vm_backing *backing)
{
	assert_ptr_equal(backing->object, &object);
	object.refs++;
}

static void object_put(const struct vm_backing *backing)
{
	assert_ptr_equal(backing->object, &object);
	assert_true(object.refs-- > 0);
}

static const struct vm_object_ops object_ops = {object_page, object_block, object_get, object_put};

static uint64_t address_of(unsigned page)
{
	return BASE + page * PAGE_SIZE;
}

/* The 4 KiB entry of a page, made up when a 2 MiB page covers it; PTE_LARGE tells. */
static uint64_t entry_of(unsigned page)
{
	bool large;
	uint64_t *entry = pagetable_entry(address_of(page), false, &large);
	return !entry ? 0 : large ? *entry + (page % 512) * PAGE_SIZE : *entry;
}

static void check_entry(unsigned page, uint64_t entry)
{
	bool present = entry & PTE_PRESENT, writable = entry & PTE_WRITE;
	uint64_t cached = tlb[page];
	bool stale = cached && (!present || (cached ^ entry) & PTE_ADDRESS || (cached & PTE_WRITE && !writable) ||
	                        (!(cached & PTE_NO_EXECUTE) && entry & PTE_NO_EXECUTE));
	if (stale)
		fail_msg("page %u: the processor still knows %lx, and the entry is %lx", page, cached, entry);
	if (model[page].kind == NOTHING)
		assert_int_equal(entry, 0);
	if (present)
		assert_true(model[page].prot != 0);
	if (writable)
		assert_true(model[page].prot & VM_WRITE);
	if (model[page].kind == ANONYMOUS) {
		assert_int_equal(present, model[page].prot != 0);
		assert_int_equal(writable, model[page].prot == (VM_READ | VM_WRITE));
		if (present)
			assert_int_equal(*(uint8_t *)phys_to_virt(entry & PTE_ADDRESS), model[page].byte);
	}
	tlb[page] = present ? entry : 0;
}

/* The model against the list and the tables; then writes to some of what can be written to. */
static void check_all(void)
{
	for (unsigned page = 0; page < PAGES; page++) {
		struct vm_backing backing = {0};
		bool mapped = vm_backing_at(address_of(page), &backing);
		assert_int_equal(mapped, model[page].kind != NOTHING);
		if (mapped) {
			assert_int_equal(vm_protection(address_of(page)), model[page].prot);
			assert_int_equal(backing.ops != NULL, model[page].kind != ANONYMOUS);
		}
		if (backing.ops)
			assert_int_equal(backing.page, model[page].object_page);
		uint64_t entry = entry_of(page);
		check_entry(page, entry);
		if (model[page].kind == ANONYMOUS && entry & PTE_WRITE && !any(50)) {
			model[page].byte = (uint8_t)any(256);
			*(uint8_t *)phys_to_virt(entry & PTE_ADDRESS) = model[page].byte;
		}
	}
}

static void set_model(unsigned first, unsigned count, enum kind kind, int prot, unsigned object_first)
{
	for (unsigned i = first; i < first + count; i++) {
		model[i].kind = kind;
		model[i].prot = prot;
		model[i].byte = 0;
		model[i].object_page = kind >= PRIVATE ? object_first++ : 0;
	}
}

static void map(unsigned first, unsigned count, int prot)
{
	enum kind kind = any(3) ? ANONYMOUS : any(2) ? PRIVATE : SHARED;
	struct vm_backing backing = {
		.ops = &object_ops, .object = &object, .page = any(8), .shared = kind == SHARED, .may_write = true};
	if (vm_unmap(address_of(first), count * PAGE_SIZE))
		return;
	set_model(first, count, NOTHING, 0, 0);
	uint64_t before = frame_free_bytes();
	int result = kind == ANONYMOUS ? vm_map(address_of(first), count * PAGE_SIZE, prot)
	                               : vm_map_object(address_of(first), count * PAGE_SIZE, prot, &backing);
	if (result)
		assert_int_equal(frame_free_bytes(), before);
	else
		set_model(first, count, kind, prot, (unsigned)backing.page);
}

static void protect(unsigned first, unsigned count, int prot)
{
	int result = vm_protect(address_of(first), count * PAGE_SIZE, prot);
	bool hole = false;
	for (unsigned i = first; i < first + count && !hole; i++) {
		hole = model[i].kind == NOTHING;
		/* After running out, each mapping is as it was or as it should be: the list tells, the tables agree. */
		if (!hole)
			model[i].prot = result && fail_after == NEVER ? vm_protection(address_of(i)) : prot;
	}
	if (!result)
		assert_false(hole);
}

static void move(unsigned first, unsigned count)
{
	unsigned to = any(PAGES - count);
	for (unsigned i = first; i < first + count; i++)
		if (model[i].kind == NOTHING)
			return;
	if (!vm_is_free(address_of(to), count * PAGE_SIZE))
		return;
	if (vm_move(address_of(first), address_of(to), count * PAGE_SIZE))
		return;
	memcpy(&model[to], &model[first], count * sizeof(model[0]));
	set_model(first, count, NOTHING, 0, 0);
}

static void touch(unsigned page)
{
	int want = any(2) ? VM_READ : VM_WRITE;
	tlb[page] = 0; /* a fault does that */
	enum vm_fault fault = vm_fault(address_of(page) + any(4096), want);
	bool allowed = want == VM_READ ? model[page].prot != 0 : model[page].prot & VM_WRITE;
	uint64_t entry = entry_of(page);
	if (fault == VM_FAULT_DONE)
		assert_true(entry & PTE_PRESENT && (want == VM_READ || entry & PTE_WRITE));
	if (model[page].kind == NOTHING)
		assert_int_equal(fault, VM_FAULT_UNMAPPED);
	else if (model[page].kind == ANONYMOUS || !allowed)
		assert_int_equal(fault, VM_FAULT_DENIED);
	else if (fault == VM_FAULT_BEYOND)
		assert_true(model[page].object_page >= object.size);
}

static void cut_object(void)
{
	uint64_t size = any(OBJECT_PAGES);
	vm_zap(&object, size, NEVER, true);
	for (uint64_t i = size; i < OBJECT_PAGES; i++) {
		if (object.frames[i])
			frame_free(object.frames[i]);
		object.frames[i] = 0;
	}
	object.size = size + any((uint32_t)(OBJECT_PAGES - size));
}

static void random_call(void)
{
	static const int prots[] = {0, VM_READ, VM_READ | VM_WRITE, VM_READ | VM_WRITE};
	int prot = prots[any(4)];
	unsigned count = any(6) ? 1 + any(20) : 1 + any(1400), first = any(PAGES - count);
	switch (any(7)) {
	case 0:
	case 1:
		map(first, count, prot);
		break;
	case 2:
		if (!vm_unmap(address_of(first), count * PAGE_SIZE))
			set_model(first, count, NOTHING, 0, 0);
		break;
	case 3:
		protect(first, count, prot);
		break;
	case 4:
		move(first, count);
		break;
	case 5:
		vm_discard(address_of(first), count * PAGE_SIZE);
		for (unsigned i = first; i < first + count; i++)
			model[i].byte = 0;
		break;
	case 6:
		if (!any(4))
			cut_object();
		for (unsigned i = 0; i < 20; i++)
			touch(any(PAGES));
		break;
	}
}

static uint64_t at_start;

/* Memory and an empty address space, once; then only new page tables, so many. */
static void start(uint64_t table_pages)
{
	void *at = (void *)LAYOUT_DIRECT_MAP;
	static struct boot_info boot = {.ram_bytes = RAM};
	uint64_t tables = 4UL << 20, frames = 5UL << 20;
	if (!at_start) {
		assert_ptr_equal(mmap(at, RAM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
		                 at);
		frame_init(frames, frame_table_end(frames, RAM), RAM, RAM);
		vm_init();
		assert_int_equal(mappings_reserve(2 * PAGES), 0);
		object.backing = frame_alloc();
		at_start = frame_free_bytes();
	}
	memset(phys_to_virt(LAYOUT_PAGE_TABLES), 0, PAGE_SIZE);
	memset(phys_to_virt(tables), 0, frames - tables);
	pagetable_init(&boot, tables, tables + table_pages * PAGE_SIZE);
	memset(tlb, 0, sizeof(tlb));
	object.size = OBJECT_PAGES;
}

/* Everything unmapped: no frame, no mapping and no reference is left. */
static void finish(void)
{
	fail_after = NEVER;
	for (unsigned page = 0; page < PAGES;
	     page++) /* one by one: a 2 MiB page that cannot be split can go as a whole */
		if (page % 512 == 0)
			assert_int_equal(vm_unmap(address_of(page), BLOCK_SIZE), 0);
	set_model(0, PAGES, NOTHING, 0, 0);
	check_all();
	assert_int_equal(space_current->mappings.count, 0);
	assert_int_equal(object.refs, 0);
	object.size = OBJECT_PAGES;
	for (unsigned i = 0; i < OBJECT_PAGES; i++) {
		if (object.frames[i])
			frame_free(object.frames[i]);
		object.frames[i] = 0;
	}
	assert_int_equal(frame_free_bytes(), at_start);
}

static unsigned steps(void)
{
	const char *wanted = getenv("EREMITE_STEPS");
	return wanted ? (unsigned)atoi(wanted) : 3000;
}

static void run(uint64_t with, uint64_t table_pages, unsigned fail_in)
{
	start(table_pages);
	seed = with;
	for (unsigned i = 0; i < steps(); i++) {
		fail_after = fail_in && !any(2) ? any(fail_in) : NEVER;
		random_call();
		fail_after = NEVER;
		check_all();
	}
	finish();
}

static void test_random_calls(void **state)
{
	(void)state;
	for (uint64_t with = 1; with <= 3; with++)
		run(with, 64, 0);
}

static void test_allocations_that_fail(void **state)
{
	(void)state;
	run(4, 64, 4);
	run(5, 64, 40);
	run(6, 64, 1000);
}

static void test_few_page_tables(void **state)
{
	(void)state;
	for (uint64_t tables = 2; tables <= 7; tables++)
		run(10 + tables, tables, 0);
}

/* What a protection that fails has added goes again; what was there before stays, with its content. */
static void test_protection_that_fails(void **state)
{
	(void)state;
	start(64);
	uint64_t bytes = 2 * BLOCK_SIZE, kept = BASE + 3 * PAGE_SIZE, block = BASE + BLOCK_SIZE;
	assert_int_equal(vm_map(BASE, bytes, 0), 0);
	const uint64_t filled[] = {kept, block};
	for (unsigned i = 0; i < 2; i++) {
		bool large;
		uint64_t size = filled[i] == block ? BLOCK_SIZE : PAGE_SIZE;
		assert_int_equal(vm_protect(filled[i], size, VM_READ | VM_WRITE), 0);
		uint64_t entry = *pagetable_entry(filled[i], false, &large);
		assert_int_equal(large, filled[i] == block);
		*(uint8_t *)phys_to_virt(entry & PTE_ADDRESS) = 77;
		assert_int_equal(vm_protect(filled[i], size, 0), 0);
	}
	uint64_t before = frame_free_bytes();
	for (unsigned after = 0; after < 511; after++) {
		fail_after = after;
		assert_int_equal(vm_protect(BASE, bytes, VM_READ | VM_WRITE), -ENOMEM);
		assert_int_equal(frame_free_bytes(), before);
		assert_int_equal(vm_protection(BASE), 0);
		assert_int_equal(space_current->mappings.count, 1);
	}
	fail_after = NEVER;
	assert_int_equal(vm_protect(BASE, bytes, VM_READ | VM_WRITE), 0);
	assert_int_equal(*(uint8_t *)phys_to_virt(entry_of(3) & PTE_ADDRESS), 77);
	assert_int_equal(*(uint8_t *)phys_to_virt(entry_of(512) & PTE_ADDRESS), 77);
	assert_int_equal(*(uint8_t *)phys_to_virt(entry_of(4) & PTE_ADDRESS), 0);
	finish();
}

/* A protection of more than all memory is refused before it takes any: what was taken is cleared at its next use. */
static void test_protection_beyond_memory(void **state)
{
	(void)state;
	start(64);
	uint64_t bytes = frame_total_bytes() + BLOCK_SIZE;
	assert_int_equal(vm_map(BASE, bytes, 0), 0);
	asked = 0;
	assert_int_equal(vm_protect(BASE, bytes, VM_READ | VM_WRITE), -ENOMEM);
	assert_int_equal(asked, 0);
	assert_int_equal(vm_protection(BASE), 0);
	assert_int_equal(vm_unmap(BASE, bytes), 0);
	finish();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_calls),
		cmocka_unit_test(test_allocations_that_fail),
		cmocka_unit_test(test_few_page_tables),
		cmocka_unit_test(test_protection_that_fails),
		cmocka_unit_test(test_protection_beyond_memory),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
