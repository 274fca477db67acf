/* SPDX-License-Identifier: MIT */
/* mremap(2). The order of its checks is Linux's. */
#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/sys.h"

/* The properties of a mapping that grows or moves. */
struct model {
	struct vm_backing backing;
	int prot;
	unsigned hints;
};

static struct model model_at(uint64_t address)
{
	struct model model = {.prot = vm_protection(address), .hints = vm_hints(address)};
	vm_backing_at(address, &model.backing);
	return model;
}

/* Maps the continuation of such a mapping, `at` bytes after its start. */
static int map_like(uint64_t address, uint64_t bytes, const struct model *model, uint64_t at)
{
	struct vm_backing part = model->backing;
	part.page += at / PAGE_SIZE;
	if (!bytes)
		return 0;
	int result = part.ops ? vm_map_object(address, bytes, model->prot, &part) : vm_map(address, bytes, model->prot);
	if (result)
		return result;
	if (part.ops && model->prot & VM_EXEC)
		result = vm_detach(address, bytes);
	if (!result && model->hints)
		result = vm_set_hints(address, bytes, model->hints, 0);
	if (result)
		vm_unmap(address, bytes);
	return result;
}

/* Checks a range that is to grow or move: it must be one mapping. Returns 0 or a negative errno. */
static int check_old(uint64_t old, uint64_t old_bytes, uint64_t new_bytes, int prot)
{
	struct vm_backing backing;
	if (!vm_backing_at(old, &backing))
		return -EFAULT;
	if (!old_bytes && !backing.shared)
		return -EINVAL;
	if (old_bytes > vm_mapping_end(old) - old)
		return -EFAULT;
	uint64_t more = new_bytes - old_bytes;
	return new_bytes > old_bytes && !memory_allowed(more, 0, prot & VM_WRITE && !backing.shared) ? -ENOMEM : 0;
}

/* Moves a mapping to a free place and gives it its new size there; with old_bytes 0 another one is made. */
static long move_mapping(uint64_t old, uint64_t old_bytes, uint64_t to, uint64_t new_bytes, int flags)
{
	const struct model model = model_at(old);
	int result = map_like(to + old_bytes, new_bytes - old_bytes, &model, old_bytes);
	if (result)
		return result;
	if (old_bytes)
		result = vm_move(old, to, old_bytes);
	if (result) {
		if (new_bytes > old_bytes)
			vm_unmap(to + old_bytes, new_bytes - old_bytes);
		return result;
	}
	if (flags & LINUX_MREMAP_DONTUNMAP) {
		result = map_like(old, old_bytes, &model, 0);
		if (result && vm_move(to, old, old_bytes))
			vm_unmap(to, new_bytes);
		personality.exec_check(old, old_bytes);
	}
	personality.exec_check(to, new_bytes);
	return result ? result : (long)to;
}

/* MREMAP_FIXED, MREMAP_DONTUNMAP or both. */
static long move_to(uint64_t old, uint64_t old_bytes, uint64_t to, uint64_t new_bytes, int flags)
{
	if (flags & LINUX_MREMAP_FIXED) {
		if ((to & (PAGE_SIZE - 1)) || !vm_is_allowed(to, new_bytes) ||
		    (to < old + old_bytes && old < to + new_bytes))
			return -EINVAL;
		int result = vm_unmap(to, new_bytes);
		if (result)
			return result;
	}
	if (old_bytes > new_bytes) {
		int result = vm_unmap(old + new_bytes, old_bytes - new_bytes);
		if (result)
			return result;
		old_bytes = new_bytes;
	}
	int result = check_old(old, old_bytes, new_bytes, vm_protection(old));
	if (result)
		return result;
	if (!(flags & LINUX_MREMAP_FIXED))
		to = vm_is_allowed(to, new_bytes) && !(to & (PAGE_SIZE - 1)) && vm_is_free(to, new_bytes)
		             ? to
		             : personality.memory_gap(new_bytes);
	return to ? move_mapping(old, old_bytes, to, new_bytes, flags) : -ENOMEM;
}

/* Grows a mapping where it is, or moves it. */
static long grow(uint64_t old, uint64_t old_bytes, uint64_t new_bytes, int flags)
{
	int result = check_old(old, old_bytes, new_bytes, vm_protection(old));
	if (result)
		return result;
	uint64_t end = old + old_bytes, more = new_bytes - old_bytes;
	if (old_bytes && end == vm_mapping_end(old) && vm_is_allowed(old, new_bytes) && vm_is_free(end, more)) {
		const struct model model = model_at(old);
		result = map_like(end, more, &model, old_bytes);
		personality.exec_check(end, more);
		return result ? result : (long)old;
	}
	if (!(flags & LINUX_MREMAP_MAYMOVE))
		return -ENOMEM;
	uint64_t to = personality.memory_gap(new_bytes);
	return to ? move_mapping(old, old_bytes, to, new_bytes, 0) : -ENOMEM;
}

long sys_mremap(void *old_addr, unsigned long old_length, unsigned long new_length, int flags, void *new_addr)
{
	uint64_t old = (uint64_t)old_addr, old_bytes = memory_round(old_length), new_bytes = memory_round(new_length);
	if (flags & ~(LINUX_MREMAP_MAYMOVE | LINUX_MREMAP_FIXED | LINUX_MREMAP_DONTUNMAP))
		return -EINVAL;
	if ((flags & (LINUX_MREMAP_FIXED | LINUX_MREMAP_DONTUNMAP)) && !(flags & LINUX_MREMAP_MAYMOVE))
		return -EINVAL;
	if ((flags & LINUX_MREMAP_DONTUNMAP) && old_bytes != new_bytes)
		return -EINVAL;
	if ((old & (PAGE_SIZE - 1)) || !new_bytes)
		return -EINVAL;
	if (old_bytes && !vm_is_allowed(old, old_bytes))
		return vm_is_mapped(old, 1) ? -EINVAL : -EFAULT;
	brk_trim(old, old_bytes);
	if (flags & LINUX_MREMAP_FIXED)
		brk_trim((uint64_t)new_addr, new_bytes);
	if (vm_mapping_end(old) == old)
		return -EFAULT;
	if (flags & (LINUX_MREMAP_FIXED | LINUX_MREMAP_DONTUNMAP))
		return move_to(old, old_bytes, (uint64_t)new_addr, new_bytes, flags);
	if (new_bytes > old_bytes)
		return grow(old, old_bytes, new_bytes, flags);
	if (new_bytes < old_bytes) {
		int result = vm_unmap(old + new_bytes, old_bytes - new_bytes);
		if (result)
			return result;
	}
	return (long)old;
}
