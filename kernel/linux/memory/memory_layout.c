/* SPDX-License-Identifier: MIT */
/* The memory layout of Linux programs: that of Linux without address randomisation. */
#include "kernel/linux/memory/memory_layout.h"

#include "abi/boot.h"
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "abi/linux_mman.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/lib/string.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/rand/entropy.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/file.h"
#include "kernel/mm/space.h"

#define GAP_MIN 0x8000000UL
#define GAP_MAX (LINUX_STACK_TOP / 6 * 5)
#define PROT_KNOWN 0xf
#define PROT_GROWSDOWN 0x01000000
#define PROT_GROWSUP 0x02000000

/* A distance below a bound, which is a power of two. */
static uint64_t distance(uint64_t drawn, uint64_t bound)
{
	return drawn & (bound - 1) & ~(PAGE_SIZE - 1);
}

/* Where mappings begin to grow down (Linux, arch/x86/mm/mmap.c, mmap_base), if the stack is moved by less than
 * `moves`. */
static uint64_t mmap_top(uint64_t moves)
{
	uint64_t gap = limits_get(LINUX_RLIMIT_STACK);
	if (gap + VM_GROW_GUARD + moves > gap)
		gap += VM_GROW_GUARD + moves;
	if (gap < GAP_MIN)
		gap = GAP_MIN;
	if (gap > GAP_MAX)
		gap = GAP_MAX;
	return (LINUX_STACK_TOP - gap + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

void memory_layout_draw(struct memory_layout *layout)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	uint64_t drawn[4] = {0};
	if (boot->seed)
		entropy_draw(&process_current->entropy, ENTROPY_PROGRAM, drawn, sizeof(drawn));
	if (boot->flags &
	    BOOT_FLAG_LAYOUT_SEED) { /* after the draw, so that the program's random numbers stay the same */
		memset(drawn, 0, sizeof(drawn));
		if (boot->layout_seed)
			entropy_draw(&process_current->entropy, ENTROPY_LAYOUT, drawn, sizeof(drawn));
	}
	*layout = (struct memory_layout){
		.program = LINUX_PIE + distance(drawn[0], LINUX_PIE_MOVES),
		.heap_gap = distance(drawn[1], LINUX_HEAP_MOVES),
		.mmap_top = mmap_top(drawn[3] ? LINUX_STACK_MOVES : 0) - distance(drawn[2], LINUX_MMAP_MOVES),
		.stack_top = LINUX_STACK_TOP - distance(drawn[3], LINUX_STACK_MOVES),
	};
}

int memory_layout_shared(uint64_t bytes, struct file **object)
{
	struct file *file;
	int error = file_open(LINUX_AT_FDCWD, "/dev", LINUX_O_RDWR | LINUX_O_TMPFILE, 0600, &file);
	if (!error)
		error = data_truncate_unlimited(file->inode, bytes);
	*object = error ? NULL : file;
	return error;
}

/* With READ_IMPLIES_EXEC, readable private memory is also executable (personality(2)). */
static int protection(int prot)
{
	return thread_current->personality & LINUX_READ_IMPLIES_EXEC && prot & VM_READ ? prot | VM_EXEC : prot;
}

long sys_mmap(void *addr, unsigned long length, int prot, int flags, int fd, long offset)
{
	bool is_private = (flags & LINUX_MAP_TYPE) == LINUX_MAP_PRIVATE;
	return memory_map(addr, length, is_private ? protection(prot) : prot, flags, fd, offset);
}

/* No mapping grows up. Errors are found in Linux's order. */
long sys_mprotect(void *addr, unsigned long length, int prot)
{
	const struct mappings *all = &space_current->mappings;
	uint64_t address = (uint64_t)addr, end = address + memory_round(length);
	int grows = prot & (PROT_GROWSDOWN | PROT_GROWSUP);
	prot &= ~grows;
	if (grows == (PROT_GROWSDOWN | PROT_GROWSUP))
		return -EINVAL;
	if (!grows || address & (PAGE_SIZE - 1) || end <= address || prot & ~PROT_KNOWN)
		return memory_protect(addr, length, prot);
	size_t i = mappings_find(address);
	if (i == all->count || all->list[i].start >= (grows == PROT_GROWSDOWN ? end : address + 1))
		return -ENOMEM;
	uint64_t start = all->list[i].start;
	if (grows == PROT_GROWSUP || !(all->list[i].hints & VM_GROWS_DOWN))
		return -EINVAL;
	return memory_protect((void *)start, end - start, prot);
}

uint64_t memory_layout_gap(uint64_t bytes)
{
	return vm_find_gap_below(bytes, VM_ADDRESS_MIN, linux_space_self()->layout.mmap_top);
}

bool memory_layout_is_image(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
	return false;
}

int memory_layout_protect_image(uint64_t address, uint64_t bytes, int prot)
{
	(void)address, (void)bytes, (void)prot;
	return -EACCES;
}
