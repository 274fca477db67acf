/* SPDX-License-Identifier: MIT */
/* Memory calls: mmap(2), munmap(2), mprotect(2), mremap(2), brk(2), madvise(2), msync(2). */
#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/exec.h"
#include "kernel/arch/direct_map.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/mapping.h"

#define PROT_ALL (VM_READ | VM_WRITE | VM_EXEC)

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

/* Never both at once, as under SELinux's execmem: code that is checked must stay as it is. */
static bool writable_and_executable(int prot)
{
	return (prot & VM_WRITE) && (prot & VM_EXEC);
}

/* Whether programs may map this range: the heap and mmap areas, not the stack or the image. */
static bool in_user_area(uint64_t address, uint64_t bytes)
{
	return address >= LAYOUT_STACK_TOP - LAYOUT_STACK_MAX && address < LAYOUT_MMAP_END &&
	       bytes <= LAYOUT_MMAP_END - address;
}

/* Chooses the address of a new mapping; 0 with a negative errno in *error when there is none. */
static uint64_t place(uint64_t hint, uint64_t bytes, int flags, int *error)
{
	if (flags & (LINUX_MAP_FIXED | LINUX_MAP_FIXED_NOREPLACE)) {
		*error = -EINVAL;
		if (hint & (PAGE_SIZE - 1))
			return 0;
		*error = -ENOMEM;
		if (!in_user_area(hint, bytes))
			return 0;
		*error = -EEXIST;
		if ((flags & LINUX_MAP_FIXED_NOREPLACE) && !vm_is_free(hint, bytes))
			return 0;
		return hint;
	}
	hint &= ~(PAGE_SIZE - 1);
	if (hint >= LAYOUT_MMAP && in_user_area(hint, bytes) && vm_is_free(hint, bytes))
		return hint;
	*error = -ENOMEM;
	return vm_find_gap(bytes, LAYOUT_MMAP, LAYOUT_MMAP_END);
}

long sys_mmap(void *addr, unsigned long length, int prot, int flags, int fd, long offset)
{
	int type = flags & LINUX_MAP_TYPE;
	if (!length || (prot & ~PROT_ALL) || (offset & (long)(PAGE_SIZE - 1)))
		return -EINVAL;
	if (type != LINUX_MAP_SHARED && type != LINUX_MAP_PRIVATE && type != LINUX_MAP_SHARED_VALIDATE)
		return -EINVAL;
	if (writable_and_executable(prot))
		return -EACCES;
	uint64_t bytes = round_up(length);
	if (bytes < length || bytes > LAYOUT_MMAP_END - LAYOUT_MMAP)
		return -ENOMEM;
	int error = 0;
	uint64_t address = place((uint64_t)addr, bytes, flags, &error);
	if (!address)
		return error;
	if (flags & LINUX_MAP_FIXED) {
		error = vm_unmap(address, bytes);
		if (error)
			return error;
	}
	if (flags & LINUX_MAP_ANONYMOUS)
		error = vm_map(address, bytes, prot);
	else
		error = mapping_create(address, bytes, prot, type != LINUX_MAP_PRIVATE, fd, (uint64_t)offset);
	if (error)
		return error;
	if ((prot & VM_EXEC) && !(flags & LINUX_MAP_ANONYMOUS))
		exec_check(address, bytes);
	return (long)address;
}

long sys_munmap(void *addr, unsigned long length)
{
	uint64_t address = (uint64_t)addr, bytes = round_up(length);
	if ((address & (PAGE_SIZE - 1)) || !length || bytes < length)
		return -EINVAL;
	if (!in_user_area(address, bytes))
		return -EINVAL;
	return vm_unmap(address, bytes);
}

long sys_mprotect(void *addr, unsigned long length, int prot)
{
	uint64_t address = (uint64_t)addr, bytes = round_up(length);
	if ((address & (PAGE_SIZE - 1)) || (prot & ~PROT_ALL))
		return -EINVAL;
	if (!bytes)
		return length ? -ENOMEM : 0;
	if (!in_user_area(address, bytes))
		return -ENOMEM;
	if (writable_and_executable(prot))
		return -EACCES;
	int result = vm_protect(address, bytes, prot);
	if (!result && (prot & VM_EXEC))
		exec_check(address, bytes);
	return result;
}

/* Grows a mapping where it is, or moves it. */
static long grow(uint64_t old, uint64_t old_bytes, uint64_t new_bytes, int flags)
{
	int prot = vm_protection(old);
	if (vm_is_free(old + old_bytes, new_bytes - old_bytes) && in_user_area(old, new_bytes)) {
		int result = vm_map(old + old_bytes, new_bytes - old_bytes, prot);
		return result ? result : (long)old;
	}
	if (!(flags & LINUX_MREMAP_MAYMOVE))
		return -ENOMEM;
	uint64_t to = vm_find_gap(new_bytes, LAYOUT_MMAP, LAYOUT_MMAP_END);
	if (!to)
		return -ENOMEM;
	int result = vm_map(to + old_bytes, new_bytes - old_bytes, prot);
	if (result)
		return result;
	result = vm_move(old, to, old_bytes);
	if (result) {
		vm_unmap(to + old_bytes, new_bytes - old_bytes);
		return result;
	}
	return (long)to;
}

long sys_mremap(void *old_addr, unsigned long old_length, unsigned long new_length, int flags, void *new_addr)
{
	uint64_t old = (uint64_t)old_addr, to = (uint64_t)new_addr;
	uint64_t old_bytes = round_up(old_length), new_bytes = round_up(new_length);
	if ((old & (PAGE_SIZE - 1)) || !new_bytes || (flags & ~(LINUX_MREMAP_MAYMOVE | LINUX_MREMAP_FIXED)))
		return -EINVAL;
	if (!old_bytes || !in_user_area(old, old_bytes) || !vm_is_mapped(old, old_bytes))
		return -EFAULT;
	if (flags & LINUX_MREMAP_FIXED) {
		if (!(flags & LINUX_MREMAP_MAYMOVE) || (to & (PAGE_SIZE - 1)) || !in_user_area(to, new_bytes) ||
		    (to < old + old_bytes && old < to + new_bytes))
			return -EINVAL;
		int result = vm_unmap(to, new_bytes);
		if (!result && new_bytes < old_bytes)
			result = vm_unmap(old + new_bytes, old_bytes - new_bytes);
		if (!result && new_bytes > old_bytes)
			result = vm_map(to + old_bytes, new_bytes - old_bytes, vm_protection(old));
		if (!result)
			result = vm_move(old, to, old_bytes < new_bytes ? old_bytes : new_bytes);
		return result ? result : (long)to;
	}
	if (new_bytes > old_bytes)
		return grow(old, old_bytes, new_bytes, flags);
	if (new_bytes < old_bytes) {
		int result = vm_unmap(old + new_bytes, old_bytes - new_bytes);
		if (result)
			return result;
	}
	return (long)old;
}

long sys_brk(void *addr)
{
	return (long)brk_set((uint64_t)addr);
}

long sys_madvise(void *addr, unsigned long length, int advice)
{
	uint64_t address = (uint64_t)addr, bytes = round_up(length);
	if (address & (PAGE_SIZE - 1))
		return -EINVAL;
	if (!in_user_area(address, bytes) || !vm_is_mapped(address, bytes))
		return -ENOMEM;
	if (advice == LINUX_MADV_DONTNEED)
		vm_clear(address, bytes);
	else if (advice < 0 || advice > LINUX_MADV_POPULATE_WRITE)
		return -EINVAL;
	return 0;
}

long sys_msync(void *addr, unsigned long length, int flags)
{
	uint64_t address = (uint64_t)addr, bytes = round_up(length);
	if ((address & (PAGE_SIZE - 1)) || (flags & ~7))
		return -EINVAL;
	return in_user_area(address, bytes) && vm_is_mapped(address, bytes) ? 0 : -ENOMEM;
}
