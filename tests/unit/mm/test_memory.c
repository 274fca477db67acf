/* SPDX-License-Identifier: MIT */
/* Frames, blocks and the kernel heap, over real memory at the place of the direct map: contents always zero at first,
 * nothing handed out twice, nothing lost, and the same addresses for the same calls. */
#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "kernel/dev/doorbell.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"

#define RAM (64UL << 20)
#define LOW (5UL << 20) /* in the middle of a block */

_Noreturn void bug(const char *file, int line, const char *assertion)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, assertion);
	abort();
}

/* Fresh memory and an allocator that knows of nothing. */
static int start(void **state)
{
	void *at = (void *)LAYOUT_DIRECT_MAP;
	(void)state;
	if (mmap(at, RAM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at)
		return -1;
	frame_init(LOW, frame_table_end(LOW, RAM), RAM, RAM);
	return 0;
}

static uint64_t seed;

static uint64_t pick(uint64_t below)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (seed >> 33) % below;
}

static bool is_zero(uint64_t address, uint64_t bytes)
{
	const uint64_t *word = phys_to_virt(address);
	for (uint64_t i = 0; i < bytes / 8; i++)
		if (word[i])
			return false;
	return true;
}

static void test_frames_until_none_is_left(void **state)
{
	static uint64_t frames[RAM / PAGE_SIZE];
	size_t count = 0;
	(void)state;
	while ((frames[count] = frame_alloc())) {
		assert_true(is_zero(frames[count], PAGE_SIZE));
		memset(phys_to_virt(frames[count]), 0xaa, PAGE_SIZE);
		count++;
	}
	assert_int_equal(frame_free_bytes(), 0);
	assert_int_equal(count * PAGE_SIZE, frame_total_bytes());
	for (size_t i = 0; i < count; i++)
		assert_int_equal(*(uint8_t *)phys_to_virt(frames[i]), 0xaa);
	for (size_t i = 0; i < count; i++)
		frame_free(frames[(i * 7919) % count]);
	assert_int_equal(frame_free_bytes(), frame_total_bytes());
	uint64_t block = frame_alloc_blocks(1);
	assert_true(block && is_zero(block, BLOCK_SIZE));
	frame_free_blocks(block, 1);
}

/* A block that was given back by frames, and is cut into frames again: those that are to be overwritten may hold what
 * they held, all others are zero. */
static void test_frames_of_a_used_block(void **state)
{
	static uint64_t frames[RAM / PAGE_SIZE];
	size_t count = 0;
	(void)state;
	while ((frames[count] = count % 3 ? frame_alloc() : frame_alloc_to_overwrite()))
		memset(phys_to_virt(frames[count++]), 0xaa, PAGE_SIZE);
	assert_int_equal(frame_free_bytes(), 0);
	assert_int_equal(frame_alloc_to_overwrite(), 0);
	assert_int_equal(frame_alloc_block_to_overwrite(), 0);
	for (size_t i = 0; i < count; i++)
		frame_free(frames[i]);
	uint64_t block = frame_alloc_block_to_overwrite(), run = frame_alloc_run(7);
	assert_true(block && run);
	assert_int_equal(frame_free_bytes(), frame_total_bytes() - BLOCK_SIZE - 7 * PAGE_SIZE);
	assert_true(is_zero(run, 7 * PAGE_SIZE));
	for (uint64_t frame; (frame = frame_alloc());) {
		assert_true(is_zero(frame, PAGE_SIZE));
		assert_true(frame < block || frame >= block + BLOCK_SIZE);
	}
}

/* Memory that is not there yet is asked for before it is touched, and no memory twice. */
static uint64_t there;

int64_t doorbell_ring(enum doorbell_op op, uint64_t end, uint64_t unused)
{
	(void)unused;
	assert_int_equal(op, DOORBELL_MEMORY);
	assert_true(end > there);
	there = end + 4 * BLOCK_SIZE < RAM ? end + 4 * BLOCK_SIZE : RAM;
	assert_int_equal(mprotect((void *)LAYOUT_DIRECT_MAP, there, PROT_READ | PROT_WRITE), 0);
	return (int64_t)there;
}

static void test_memory_is_asked_for(void **state)
{
	(void)state;
	there = LOW + PAGE_SIZE;
	assert_int_equal(mprotect((void *)(LAYOUT_DIRECT_MAP + there), RAM - there, PROT_NONE), 0);
	frame_init(LOW, frame_table_end(LOW, RAM), RAM, there);
	assert_true(frame_alloc() && frame_alloc_run(3));
	assert_true(frame_alloc_blocks(1) && frame_alloc_blocks(9));
	for (uint64_t frame; (frame = frame_alloc());)
		memset(phys_to_virt(frame), 0xaa, PAGE_SIZE);
	assert_int_equal(there, RAM);
}

/* A frame with several owners is free when the last one has given it back. */
static unsigned others;

static bool has_other(uint64_t frame)
{
	(void)frame;
	return others && others--;
}

const struct personality personality = {.frame_has_other = has_other};

static void test_shared_frames(void **state)
{
	(void)state;
	uint64_t frame = frame_alloc(), left = frame_free_bytes();
	others = 2;
	frame_free(frame);
	frame_free(frame);
	assert_int_equal(frame_free_bytes(), left);
	frame_free(frame);
	assert_int_equal(frame_free_bytes(), left + PAGE_SIZE);
}

static void test_blocks_and_runs(void **state)
{
	uint64_t many = frame_alloc_blocks(20), run = frame_alloc_run(100);
	(void)state;
	assert_true(many && run);
	memset(phys_to_virt(many), 1, 20 * BLOCK_SIZE);
	memset(phys_to_virt(run), 2, 100 * PAGE_SIZE);
	assert_int_equal(frame_alloc_blocks(40), 0);
	frame_free_blocks(many + 5 * BLOCK_SIZE, 10);
	frame_split_block(many);
	for (uint64_t i = 0; i < BLOCK_SIZE / PAGE_SIZE; i++)
		frame_free(many + i * PAGE_SIZE);
	uint64_t again = frame_alloc_blocks(10);
	assert_true(again && is_zero(again, 10 * BLOCK_SIZE));
	for (uint64_t i = 0; i < 100; i++)
		frame_free(run + i * PAGE_SIZE);
	uint64_t other = frame_alloc_run(100);
	assert_true(other && is_zero(other, 100 * PAGE_SIZE));
}

/* Random calls; every piece of memory keeps what was written into it. Returns a sum over all addresses. */
static uint64_t churn(uint64_t with)
{
	static struct {
		uint8_t *memory;
		size_t bytes;
		uint8_t mark;
	} held[256];
	uint64_t sum = 0;
	seed = with;
	memset(held, 0, sizeof(held));
	for (unsigned i = 0; i < 20000; i++) {
		unsigned slot = (unsigned)pick(256);
		size_t bytes = pick(8) ? 1 + pick(5000) : 1 + pick(300000);
		for (size_t n = 0; n < held[slot].bytes; n += 61)
			assert_int_equal(held[slot].memory[n], held[slot].mark);
		if (held[slot].memory && pick(3)) {
			kfree(held[slot].memory);
			held[slot].memory = NULL;
			held[slot].bytes = 0;
			continue;
		}
		uint8_t *memory = krealloc(held[slot].memory, bytes);
		if (!memory)
			continue;
		for (size_t n = 0; n < held[slot].bytes && n < bytes; n += 61)
			assert_int_equal(memory[n], held[slot].mark);
		held[slot].memory = memory;
		held[slot].bytes = bytes;
		held[slot].mark = (uint8_t)i;
		memset(memory, (uint8_t)i, bytes);
		sum = sum * 31 + (uint64_t)memory;
	}
	for (unsigned slot = 0; slot < 256; slot++)
		kfree(held[slot].memory);
	return sum;
}

static void test_heap(void **state)
{
	(void)state;
	uint64_t before = frame_free_bytes();
	churn(1);
	assert_int_equal(frame_free_bytes(), before);
	uint8_t *zeroed = kzalloc(3000);
	for (size_t i = 0; i < 3000; i++)
		assert_int_equal(zeroed[i], 0);
	assert_null(kmalloc(RAM));
	assert_int_equal((uint64_t)kmalloc(PAGE_SIZE) % PAGE_SIZE, 0);
	assert_int_equal((uint64_t)kmalloc(40) % 16, 0);
	kfree(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_frames_until_none_is_left, start),
		cmocka_unit_test_setup(test_frames_of_a_used_block, start),
		cmocka_unit_test_setup(test_memory_is_asked_for, start),
		cmocka_unit_test_setup(test_shared_frames, start),
		cmocka_unit_test_setup(test_blocks_and_runs, start),
		cmocka_unit_test_setup(test_heap, start),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
