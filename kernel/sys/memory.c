/* SPDX-License-Identifier: MIT */
/* Memory calls: munmap(2), mprotect(2), brk(2), madvise(2), msync(2), mincore(2), mlock(2), and what mmap(2) does
 * behind its arguments. sys_mmap itself is in kernel/linux/memory/memory_layout.c and in kernel/native/. */
#include "kernel/sys/memory.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "kernel/arch/uaccess.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"
#include "kernel/sys/file_io.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/mapping.h"

#define PROT_ALL (VM_READ | VM_WRITE | VM_EXEC)
#define PROT_SEM 8 /* means nothing, and is not refused */

/* Where MAP_32BIT puts mappings on Linux. */
#define LOW_START 0x40000000UL
#define LOW_END 0x80000000UL

/* Native images never get both rights at once, as under SELinux's execmem: checked code must not change. */
static bool is_refused(int prot)
{
	return !personality.exec_is_settled_late && (prot & VM_WRITE) && (prot & VM_EXEC);
}

/* Chooses the address of a new mapping; 0 with a negative errno in *error when no range fits. */
static uint64_t place(uint64_t hint, uint64_t bytes, int prot, int flags, int *error)
{
	if (flags & (LINUX_MAP_FIXED | LINUX_MAP_FIXED_NOREPLACE)) {
		/* In Linux's order. */
		*error = hint < VM_ADDRESS_END && bytes <= VM_ADDRESS_END - hint ? -EINVAL : -ENOMEM;
		if (hint & (PAGE_SIZE - 1))
			return 0;
		*error = hint < VM_ADDRESS_MIN ? -EPERM : -ENOMEM;
		if (prot ? !vm_is_allowed(hint, bytes) : !vm_is_reservable(hint, bytes))
			return 0;
		*error = -EEXIST;
		if ((flags & LINUX_MAP_FIXED_NOREPLACE) && !vm_is_free(hint, bytes))
			return 0;
		return hint;
	}
	hint &= ~(PAGE_SIZE - 1);
	bool is_far = flags & LINUX_MAP_32BIT && hint + bytes > LOW_END;
	if (!is_far && vm_is_allowed(hint, bytes) && vm_is_placeable(hint, bytes))
		return hint;
	*error = -ENOMEM;
	if (flags & LINUX_MAP_32BIT) {
		uint64_t low = vm_find_gap(bytes, LOW_START, LOW_END);
		return vm_is_allowed(low, bytes) ? low : 0;
	}
	return personality.memory_gap(bytes);
}

bool memory_allowed(uint64_t bytes, uint64_t replaced, bool writable)
{
	uint64_t space = limits_get(LINUX_RLIMIT_AS), data = limits_get(LINUX_RLIMIT_DATA), private;
	if (space == UINT64_MAX && data == UINT64_MAX)
		return true;
	uint64_t ahead = brk_ahead(), mapped = vm_mapped_bytes(0, UINT64_MAX, &private);
	return mapped - ahead - replaced + bytes <= space && (!writable || private - ahead + bytes <= data);
}

/* Memory shared with children, if the personality has it. *object is a file only for it, or NULL. */
static int backing_shared(uint64_t offset, uint64_t bytes, int prot, struct vm_backing *backing, struct file **object)
{
	int result = personality.memory_shared(bytes, object);
	return *object ? mapping_of(*object, offset, bytes, prot, true, backing) : result;
}

/* Finds what a new mapping shows, and checks that the flags fit. Returns 0 or a negative errno. *object is a file that
 * is open only for the mapping, or NULL. */
static int backing_of(uint64_t bytes, int prot, int flags, int fd, long offset, struct vm_backing *backing,
                      struct file **object)
{
	int type = flags & LINUX_MAP_TYPE;
	*backing = (struct vm_backing){0};
	if (flags & LINUX_MAP_GROWSDOWN && !(flags & LINUX_MAP_ANONYMOUS && type == LINUX_MAP_PRIVATE))
		return -EINVAL;
	if (flags & LINUX_MAP_ANONYMOUS) {
		if (type != LINUX_MAP_SHARED && type != LINUX_MAP_PRIVATE)
			return -EINVAL;
		if (flags & LINUX_MAP_HUGETLB)
			return -ENOMEM; /* as where none are set aside */
		return type == LINUX_MAP_SHARED ? backing_shared(0, bytes, prot, backing, object) : 0;
	}
	if (type != LINUX_MAP_SHARED && type != LINUX_MAP_PRIVATE && type != LINUX_MAP_SHARED_VALIDATE)
		return -EINVAL;
	if (type == LINUX_MAP_SHARED_VALIDATE && (flags & ~(LINUX_MAP_KNOWN | LINUX_MAP_TYPE)))
		return -EOPNOTSUPP;
	int result = mapping_open(fd, (uint64_t)offset, bytes, prot, type != LINUX_MAP_PRIVATE, backing);
	if (!result && flags & LINUX_MAP_HUGETLB)
		return -EINVAL;
	if (!result && !backing->ops && type != LINUX_MAP_PRIVATE) {
		/* /dev/zero: Linux shares that many bytes, too, and shows them from the offset on. */
		bool may_write = backing->may_write;
		result = backing_shared((uint64_t)offset, bytes, prot, backing, object);
		backing->may_write &= may_write;
	}
	return result;
}

static long map(void *addr, unsigned long length, int prot, int flags, int fd, long offset, struct file **object)
{
	if (!length || (offset & (long)(PAGE_SIZE - 1)))
		return -EINVAL;
	uint64_t bytes = memory_round(length);
	if (!bytes || bytes > MEMORY_SPACE)
		return -ENOMEM;
	if (is_refused(prot))
		return -EACCES;
	struct vm_backing backing;
	int error = backing_of(bytes, prot, flags, fd, offset, &backing, object);
	if (error)
		return error;
	brk_trim((uint64_t)addr, bytes);
	uint64_t address = place((uint64_t)addr, bytes, prot, flags, &error);
	if (!address)
		return error;
	if (!memory_allowed(bytes, vm_mapped_bytes(address, address + bytes, NULL), prot & VM_WRITE && !backing.shared))
		return -ENOMEM;
	if (flags & LINUX_MAP_FIXED) {
		error = vm_unmap(address, bytes);
		if (error)
			return error;
	}
	/* MAP_NORESERVE may exceed the available memory: it is mapped without rights, and protected afterwards. */
	bool is_later = personality.memory_is_lazy && !backing.ops && flags & LINUX_MAP_NORESERVE;
	error = backing.ops ? vm_map_object(address, bytes, prot, &backing)
	                    : vm_map(address, bytes, is_later ? 0 : prot);
	if (error)
		return error;
	if (is_later)
		error = vm_protect(address, bytes, prot);
	const unsigned hints = (personality.memory_is_lazy && flags & LINUX_MAP_STACK ? VM_LITTLE : 0U) |
	                       (flags & LINUX_MAP_GROWSDOWN ? VM_GROWS_DOWN : 0U);
	if (!error && !backing.ops && hints)
		error = vm_set_hints(address, bytes, hints, 0);
	if (error) {
		vm_unmap(address, bytes);
		return error;
	}
	if (backing.ops && prot & VM_EXEC) { /* zeros make no instruction, whatever is next to them */
		if (personality.exec_detach(address, bytes)) {
			vm_unmap(address, bytes);
			return -ENOMEM;
		}
		personality.exec_check(address, bytes);
	}
	/* ld.so's parts of a file, and the zeros behind them */
	if (flags & LINUX_MAP_FIXED && (backing.ops ? flags & LINUX_MAP_DENYWRITE : prot & VM_WRITE))
		vm_touch(address, bytes);
	if (flags & (LINUX_MAP_POPULATE | LINUX_MAP_LOCKED) && !(flags & LINUX_MAP_NONBLOCK) && prot)
		vm_populate(address, bytes, prot & VM_WRITE && !backing.shared ? VM_WRITE : VM_READ);
	return (long)address;
}

long memory_map(void *addr, unsigned long length, int prot, int flags, int fd, long offset)
{
	struct file *object = NULL;
	prot &= PROT_ALL; /* like Linux, which checks other flags only in mprotect */
	long result = map(addr, length, prot, flags, fd, offset, &object);
	if (object)
		file_put(object);
	return result;
}

long sys_munmap(void *addr, unsigned long length)
{
	uint64_t address = (uint64_t)addr, bytes = memory_round(length);
	if (!(address & (PAGE_SIZE - 1)) && bytes && address < VM_ADDRESS_MIN && bytes <= VM_ADDRESS_MIN - address)
		return 0; /* nothing is mapped */
	if ((address & (PAGE_SIZE - 1)) || !bytes || !vm_is_reservable(address, bytes))
		return -EINVAL;
	brk_trim(address, bytes);
	return vm_unmap(address, bytes);
}

long memory_protect(void *addr, unsigned long length, int prot)
{
	uint64_t address = (uint64_t)addr, bytes = memory_round(length);
	if (address & (PAGE_SIZE - 1))
		return -EINVAL;
	if (!bytes)
		return length ? -ENOMEM : 0;
	if (prot & ~(PROT_ALL | PROT_SEM))
		return -EINVAL;
	prot &= PROT_ALL;
	bool is_program = personality.image_is_program(address, bytes);
	if (!is_program && (prot ? !vm_is_allowed(address, bytes) : !vm_is_reservable(address, bytes)))
		return -ENOMEM;
	if (is_refused(prot))
		return -EACCES;
	if (is_program)
		return personality.image_protect(address, bytes, prot);
	brk_trim(address, bytes);
	int result = vm_protect(address, bytes, prot);
	if (prot & VM_EXEC) /* the part before an error is executable, too */
		personality.exec_check(address, bytes);
	if (!result && prot & VM_WRITE)
		vm_touch_growth(address, bytes);
	return result;
}

long sys_brk(void *addr)
{
	uint64_t end = (uint64_t)addr, now = brk_set(0);
	if (end > now && !memory_allowed(memory_round(end) - memory_round(now), 0, true))
		return (long)now;
	return (long)brk_set(end);
}

static bool advice_is_known(int advice)
{
	return (advice >= LINUX_MADV_NORMAL && advice <= LINUX_MADV_DONTNEED) ||
	       (advice >= LINUX_MADV_FREE && advice <= LINUX_MADV_DONTNEED_LOCKED);
}

/* Applies advice to a part of one mapping. Returns 0 or a negative errno. */
static int advise(uint64_t address, uint64_t bytes, int advice)
{
	struct vm_backing backing;
	vm_backing_at(address, &backing);
	int want = advice == LINUX_MADV_POPULATE_WRITE ? VM_WRITE : VM_READ;
	switch (advice) {
	case LINUX_MADV_DONTNEED:
	case LINUX_MADV_DONTNEED_LOCKED:
		vm_discard(address, bytes);
		return 0;
	case LINUX_MADV_FREE: /* frees nothing, which is allowed */
		return backing.ops ? -EINVAL : 0;
	case LINUX_MADV_REMOVE:
		if (!backing.ops)
			return -EINVAL;
		return backing.shared && backing.may_write
		               ? file_io_punch(backing.keeper, backing.page * PAGE_SIZE, bytes)
		               : -EACCES;
	case LINUX_MADV_POPULATE_READ:
	case LINUX_MADV_POPULATE_WRITE:
		switch (vm_populate(address, bytes, want)) {
		case VM_FAULT_DONE:
			return 0;
		case VM_FAULT_DENIED:
			return -EINVAL;
		case VM_FAULT_BEYOND:
			return -EFAULT;
		default:
			return -ENOMEM;
		}
	case LINUX_MADV_DONTFORK:
		return vm_set_hints(address, bytes, VM_FORK_DROPS, 0);
	case LINUX_MADV_DOFORK:
		return vm_set_hints(address, bytes, 0, VM_FORK_DROPS);
	case LINUX_MADV_WIPEONFORK:
		return backing.ops ? -EINVAL : vm_set_hints(address, bytes, VM_FORK_WIPES, 0);
	case LINUX_MADV_KEEPONFORK:
		return vm_set_hints(address, bytes, 0, VM_FORK_WIPES);
	default:
		return 0;
	}
}

long sys_madvise(void *addr, unsigned long length, int advice)
{
	uint64_t address = (uint64_t)addr, bytes = memory_round(length);
	if (!advice_is_known(advice) || (address & (PAGE_SIZE - 1)) || (length && !bytes) || address + bytes < address)
		return -EINVAL;
	int hole = 0;
	brk_trim(address, bytes);
	for (uint64_t at = address, end; at < address + bytes; at = end) {
		end = vm_mapping_end(at);
		if (end == at) { /* continue after a hole, and report the hole at the end */
			if (advice == LINUX_MADV_POPULATE_READ || advice == LINUX_MADV_POPULATE_WRITE)
				return -ENOMEM;
			hole = -ENOMEM;
			end = vm_next_mapping(at, address + bytes);
			continue;
		}
		if (end > address + bytes)
			end = address + bytes;
		int result = advise(at, end - at, advice);
		if (result)
			return result;
	}
	return hole;
}

/* Checks that a range is valid and all of it is mapped. Returns 0, -EINVAL or -ENOMEM. */
static int check_mapped(uint64_t address, uint64_t length)
{
	uint64_t bytes = memory_round(length);
	if (address & (PAGE_SIZE - 1))
		return -EINVAL;
	if ((length && !bytes) || address + bytes < address)
		return -ENOMEM;
	brk_trim(address, bytes);
	return !bytes || personality.image_is_program(address, bytes) || vm_is_mapped(address, bytes) ? 0 : -ENOMEM;
}

/* A file and its mappings share memory, so there is nothing to write back. */
long sys_msync(void *addr, unsigned long length, int flags)
{
	if (flags & ~(LINUX_MS_ASYNC | LINUX_MS_INVALIDATE | LINUX_MS_SYNC))
		return -EINVAL;
	if ((flags & LINUX_MS_ASYNC) && (flags & LINUX_MS_SYNC))
		return -EINVAL;
	return check_mapped((uint64_t)addr, length);
}

long sys_mincore(void *addr, unsigned long length, unsigned char *vector)
{
	int result = check_mapped((uint64_t)addr, length);
	if (result)
		return result;
	for (uint64_t i = 0; i < memory_round(length) / PAGE_SIZE; i++) {
		uint64_t page = (uint64_t)addr + i * PAGE_SIZE;
		unsigned char resident = personality.image_is_program(page, PAGE_SIZE) || vm_is_resident(page);
		if (copy_to_user(vector + i, &resident, 1))
			return -EFAULT;
	}
	return 0;
}

/* All memory stays where it is: locking is having it there. */
static long lock(uint64_t address, uint64_t length)
{
	length += address & (PAGE_SIZE - 1);
	address &= ~(PAGE_SIZE - 1);
	int result = check_mapped(address, length);
	uint64_t end = address + memory_round(length);
	if (personality.image_is_program(address, memory_round(length)))
		return 0;
	for (uint64_t at = address, next; !result && at < end; at = next) {
		struct vm_backing backing;
		int prot = vm_protection(at);
		next = vm_mapping_end(at) < end ? vm_mapping_end(at) : end;
		vm_backing_at(at, &backing);
		bool write = prot & VM_WRITE && !backing.shared;
		if (vm_populate(at, next - at, write ? VM_WRITE : VM_READ) != VM_FAULT_DONE)
			result = -ENOMEM;
	}
	return result;
}

long sys_mlock(const void *addr, unsigned long length)
{
	return lock((uint64_t)addr, length);
}

long sys_mlock2(const void *addr, unsigned long length, int flags)
{
	if (flags & ~LINUX_MLOCK_ONFAULT)
		return -EINVAL;
	uint64_t start = (uint64_t)addr & ~(PAGE_SIZE - 1);
	return flags ? check_mapped(start, length + ((uint64_t)addr - start)) : lock((uint64_t)addr, length);
}

long sys_munlock(const void *addr, unsigned long length)
{
	uint64_t start = (uint64_t)addr & ~(PAGE_SIZE - 1);
	return check_mapped(start, length + ((uint64_t)addr - start));
}

long sys_mlockall(int flags)
{
	if (!flags || (flags & ~(LINUX_MCL_CURRENT | LINUX_MCL_FUTURE | LINUX_MCL_ONFAULT)) ||
	    flags == LINUX_MCL_ONFAULT)
		return -EINVAL;
	return 0;
}

long sys_munlockall(void)
{
	return 0;
}
