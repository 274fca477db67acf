/* SPDX-License-Identifier: MIT */
/* Frames, heap and user memory on the host's heap. Guest-physical addresses are chosen so that the direct map shows
 * host memory. */
#include <stdlib.h>
#include <string.h>

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "tests/unit/fakes/fakes.h"

uint64_t fake_frames_left = UINT64_MAX / 2;
uint64_t fake_frames_used;
uint64_t fake_objects_used;

static uint64_t take(size_t bytes, size_t alignment)
{
	uint64_t frames = bytes / PAGE_SIZE;
	if (frames > fake_frames_left)
		return 0;
	void *memory = aligned_alloc(alignment, bytes);
	if (!memory)
		return 0;
	memset(memory, 0, bytes);
	fake_frames_left -= frames;
	fake_frames_used += frames;
	return virt_to_phys(memory);
}

static void give(uint64_t address, uint64_t frames)
{
	fake_frames_left += frames;
	fake_frames_used -= frames;
	free(phys_to_virt(address));
}

uint64_t frame_alloc(void)
{
	return take(PAGE_SIZE, PAGE_SIZE);
}

void frame_free(uint64_t frame)
{
	give(frame, 1);
}

/* Each is given back alone, which the host's heap does not do: there is never more than one. */
uint64_t frame_alloc_run(size_t count)
{
	return count == 1 ? frame_alloc() : 0;
}

uint64_t frame_alloc_blocks(size_t count)
{
	return take(count * BLOCK_SIZE, BLOCK_SIZE);
}

void frame_free_blocks(uint64_t block, size_t count)
{
	give(block, count * (BLOCK_SIZE / PAGE_SIZE));
}

uint64_t frame_free_bytes(void)
{
	return fake_frames_left * PAGE_SIZE;
}

uint64_t frame_total_bytes(void)
{
	return (fake_frames_left + fake_frames_used) * PAGE_SIZE;
}

#define OBJECT_MAX (1UL << 28)

void *kmalloc(size_t bytes)
{
	void *memory = bytes > OBJECT_MAX ? NULL : malloc(bytes ? bytes : 1);
	if (memory)
		memset(memory, 0xa5, bytes);
	fake_objects_used += memory != NULL;
	return memory;
}

void *kzalloc(size_t bytes)
{
	void *memory = bytes > OBJECT_MAX ? NULL : calloc(1, bytes ? bytes : 1);
	fake_objects_used += memory != NULL;
	return memory;
}

void *krealloc(void *memory, size_t bytes)
{
	fake_objects_used += memory == NULL;
	return realloc(memory, bytes);
}

void kfree(void *memory)
{
	fake_objects_used -= memory != NULL;
	free(memory);
}

static bool bad(const void *pointer, size_t bytes)
{
	return bytes && (uintptr_t)pointer < PAGE_SIZE;
}

int copy_to_user(void *to, const void *from, size_t bytes)
{
	if (bad(to, bytes))
		return -EFAULT;
	memcpy(to, from, bytes);
	return 0;
}

int copy_from_user(void *to, const void *from, size_t bytes)
{
	if (bad(from, bytes))
		return -EFAULT;
	memcpy(to, from, bytes);
	return 0;
}

int clear_user(void *to, size_t bytes)
{
	if (bad(to, bytes))
		return -EFAULT;
	memset(to, 0, bytes);
	return 0;
}

long strncpy_from_user(char *to, const char *from, size_t size)
{
	if (bad(from, 1))
		return -EFAULT;
	size_t length = strnlen(from, size);
	if (length == size)
		return -ENAMETOOLONG;
	memcpy(to, from, length + 1);
	return (long)length;
}

/* Nothing is mapped here: data.c must not ask. */
void vm_zap(const void *object, uint64_t first, uint64_t end, bool copies)
{
	(void)object, (void)first, (void)end, (void)copies;
	abort();
}

/* A buffer that is bad is bad from its start on. */
int vm_protection(uint64_t address)
{
	(void)address;
	return 0;
}

uint64_t vm_reach(uint64_t address, uint64_t bytes, int rights)
{
	return (vm_protection(address) & rights) == rights ? bytes : 0;
}
