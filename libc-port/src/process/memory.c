/* SPDX-License-Identifier: MIT */
/* Memory from the kernel: sbrk(2) for newlib's allocator, mmap(2) and its kin. */
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

static uintptr_t program_break; /* 0 until it is first asked for */

int brk(void *end)
{
	uintptr_t now = (uintptr_t)kcall_brk(end);
	program_break = now;
	return now == (uintptr_t)end ? 0 : kernel_refuse(ENOMEM);
}

void *sbrk(ptrdiff_t increment)
{
	if (!program_break)
		program_break = (uintptr_t)kcall_brk(NULL);
	uintptr_t old = program_break;
	if (increment == 0)
		return (void *)old;
	uintptr_t wanted = old + (uintptr_t)increment;
	if ((increment > 0) != (wanted > old))
		return kernel_refuse(ENOMEM), (void *)-1;
	while (brk((void *)wanted) < 0)
		if (increment < 0 || !thread_stack_release())
			return (void *)-1;
	return (void *)old;
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	long result = kcall_mmap(addr, length, prot, flags, fd, offset);
	while (result == -ENOMEM && thread_stack_release())
		result = kcall_mmap(addr, length, prot, flags, fd, offset);
	return (void *)kernel_result(result);
}

KERNEL_FUNCTION(int, munmap, (void *addr, size_t length), (addr, length))
KERNEL_FUNCTION(int, mprotect, (void *addr, size_t length, int prot), (addr, length, prot))

void *mremap(void *addr, size_t old, size_t new, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	void *new_addr = flags & (MREMAP_FIXED | MREMAP_DONTUNMAP) ? va_arg(args, void *) : NULL;
	va_end(args);
	long result = kcall_mremap(addr, old, new, flags, new_addr);
	while (result == -ENOMEM && thread_stack_release())
		result = kcall_mremap(addr, old, new, flags, new_addr);
	return (void *)kernel_result(result);
}

KERNEL_FUNCTION_BY(THREAD_CANCELLABLE, int, msync, (void *addr, size_t length, int flags), (addr, length, flags))
KERNEL_FUNCTION(int, madvise, (void *addr, size_t length, int advice), (addr, length, advice))

/* Returns the error number. Advice that could lose data is ignored. */
int posix_madvise(void *addr, size_t length, int advice)
{
	return advice == POSIX_MADV_DONTNEED ? 0 : (int)-kcall_madvise(addr, length, advice);
}

KERNEL_FUNCTION(int, mincore, (void *addr, size_t length, unsigned char *vector), (addr, length, vector))
KERNEL_FUNCTION(int, mlock, (const void *addr, size_t length), (addr, length))
KERNEL_FUNCTION(int, mlock2, (const void *addr, size_t length, unsigned flags), (addr, length, (int)flags))
KERNEL_FUNCTION(int, munlock, (const void *addr, size_t length), (addr, length))
KERNEL_FUNCTION(int, mlockall, (int flags), (flags))
KERNEL_FUNCTION(int, munlockall, (void), ())
