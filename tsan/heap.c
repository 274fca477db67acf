/* SPDX-License-Identifier: MIT */
/* The heap: memory that is allocated counts as written by the thread that has got it, and so does memory that is freed,
 * so that a use which nothing orders behind the allocation or before the end is a race. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "next.h"

#define PAGE 4096U

/* libc's own names, which can be called before symbols are found. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *at, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *at);

/* All that the block has room for, as when it is freed: else the rest would still be freed by the thread before. */
static void *allocated(void *at, uint64_t pc)
{
	if (at && tsan_thread())
		shadow_allocate(tsan_self, (uint64_t)at, malloc_usable_size(at), pc);
	return at;
}

static void freed(void *at, uint64_t pc)
{
	if (at && tsan_thread())
		shadow_free(tsan_self, (uint64_t)at, malloc_usable_size(at), pc);
}

EXPORT void *malloc(size_t bytes)
{
	return allocated(__libc_malloc(bytes), CALLER);
}

EXPORT void *calloc(size_t count, size_t bytes)
{
	return allocated(__libc_calloc(count, bytes), CALLER);
}

NEXT(memcpy, "GLIBC_2.14")

/* Memory that grows moves, so that the old block ends only when the new one is there: if there is no room, the old one
 * is still in use. A block that shrinks stays, and this cannot fail. */
EXPORT void *realloc(void *at, size_t bytes)
{
	const size_t before = at ? malloc_usable_size(at) : 0;
	if (!tsan_thread() || !at)
		return allocated(__libc_realloc(at, bytes), CALLER);
	if (bytes <= before) {
		freed(at, CALLER);
		return allocated(__libc_realloc(at, bytes), CALLER);
	}
	void *moved = allocated(__libc_malloc(bytes), CALLER);
	if (!moved)
		return NULL;
	next_memcpy()(moved, at, before);
	freed(at, CALLER);
	__libc_free(at);
	return moved;
}

EXPORT void *reallocarray(void *at, size_t count, size_t bytes)
{
	size_t all;
	if (__builtin_mul_overflow(count, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(at, all);
}

EXPORT void free(void *at)
{
	freed(at, CALLER);
	__libc_free(at);
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	return allocated(__libc_memalign(alignment, bytes), CALLER);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	return allocated(__libc_memalign(alignment, bytes), CALLER);
}

EXPORT int posix_memalign(void **at, size_t alignment, size_t bytes)
{
	if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment)
		return EINVAL;
	void *got = allocated(__libc_memalign(alignment, bytes), CALLER);
	if (!got)
		return ENOMEM;
	*at = got;
	return 0;
}

/* --- mappings --- */

NEXT(mmap, NULL)
NEXT(munmap, NULL)

/* A mapping has whole pages. */
static uint64_t whole_pages(size_t bytes)
{
	return (bytes + PAGE - 1) / PAGE * PAGE;
}

EXPORT void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	void *got = next_mmap()(at, bytes, protection, flags, fd, offset);
	if (got == MAP_FAILED)
		return got;
	shadow_forget((uint64_t)got, whole_pages(bytes));
	if (tsan_thread())
		shadow_allocate(tsan_self, (uint64_t)got, whole_pages(bytes), CALLER);
	return got;
}

EXPORT void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	return mmap(at, bytes, protection, flags, fd, offset);
}

EXPORT int munmap(void *at, size_t bytes)
{
	if ((uint64_t)at % PAGE == 0) /* else it fails */
		shadow_forget((uint64_t)at, whole_pages(bytes));
	return next_munmap()(at, bytes);
}
