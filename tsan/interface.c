/* SPDX-License-Identifier: MIT */
/* What programs call of <sanitizer/tsan_interface.h> and of the dynamic annotations: locks of their own, fibers, and
 * names that need nothing here. */
#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "next.h"

/* --- locks of the program's own --- */

#define READ_LOCK (1U << 3)
#define FAILED (1U << 5)
#define READERS(lock) ((uint64_t)(lock) + 1)

EXPORT void __tsan_mutex_create(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
}

EXPORT void __tsan_mutex_destroy(void *lock, unsigned flags)
{
	(void)flags;
	access_for(lock, 1, ACCESS_WRITE, CALLER);
}

/* What the lock's own functions do is not looked at. */
static void ignore(int change)
{
	if (!tsan_self)
		return;
	tsan_self->ignores += change;
	tsan_self->sync_ignores += change;
}

EXPORT void __tsan_mutex_pre_lock(void *lock, unsigned flags)
{
	(void)flags;
	access_for(lock, 1, ACCESS_ATOMIC, CALLER);
	ignore(1);
}

EXPORT void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion)
{
	(void)recursion;
	ignore(-1);
	if (flags & FAILED)
		return;
	acquire_object(lock);
	if (!(flags & READ_LOCK))
		acquire_at(READERS(lock));
}

EXPORT int __tsan_mutex_pre_unlock(void *lock, unsigned flags)
{
	if (flags & READ_LOCK)
		release_at(READERS(lock));
	else
		release_object(lock);
	ignore(1);
	return 1;
}

EXPORT void __tsan_mutex_post_unlock(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
	ignore(-1);
}

EXPORT void __tsan_mutex_pre_signal(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
	ignore(1);
}

EXPORT void __tsan_mutex_post_signal(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
	ignore(-1);
}

EXPORT void __tsan_mutex_pre_divert(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
	ignore(-1);
}

EXPORT void __tsan_mutex_post_divert(void *lock, unsigned flags)
{
	(void)lock, (void)flags;
	ignore(1);
}

EXPORT void AnnotateRWLockCreate(const char *file, int line, void *lock)
{
	(void)file, (void)line, (void)lock;
}

EXPORT void AnnotateRWLockCreateStatic(const char *file, int line, void *lock)
{
	(void)file, (void)line, (void)lock;
}

EXPORT void AnnotateRWLockDestroy(const char *file, int line, void *lock)
{
	(void)file, (void)line, (void)lock;
}

EXPORT void AnnotateRWLockAcquired(const char *file, int line, void *lock, unsigned long writes)
{
	(void)file, (void)line;
	acquire_object(lock);
	if (writes)
		acquire_at(READERS(lock));
}

EXPORT void AnnotateRWLockReleased(const char *file, int line, void *lock, unsigned long writes)
{
	(void)file, (void)line;
	release_at(writes ? (uint64_t)lock : READERS(lock));
}

/* --- fibers --- */

#define NO_SYNC 1U

EXPORT void *__tsan_get_current_fiber(void)
{
	return tsan_self;
}

EXPORT void *__tsan_create_fiber(unsigned flags)
{
	(void)flags;
	if (tsan_state == TSAN_SINGLE)
		tsan_state = TSAN_ON;
	return tsan_thread() ? threads_make(tsan_self) : NULL;
}

EXPORT void __tsan_destroy_fiber(void *fiber)
{
	if (fiber)
		threads_leave(fiber);
}

EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags)
{
	struct thread *to = fiber, *from = tsan_self;
	if (!to)
		return;
	if (from && !(flags & NO_SYNC)) {
		clock_join(&to->clock, &from->clock);
		threads_tick(from);
	}
	tsan_self = to;
}

EXPORT void __tsan_set_fiber_name(void *fiber, const char *name)
{
	(void)fiber, (void)name;
}

/* --- objects of other languages and libraries: an access to one is one to its first byte --- */

EXPORT void *__tsan_external_register_tag(const char *type)
{
	(void)type;
	return NULL;
}

EXPORT void __tsan_external_register_header(void *tag, const char *header)
{
	(void)tag, (void)header;
}

EXPORT void __tsan_external_assign_tag(void *object, void *tag)
{
	(void)object, (void)tag;
}

EXPORT void __tsan_external_read(void *object, void *pc, void *tag)
{
	(void)tag;
	access_for(object, 1, 0, (uint64_t)pc);
}

EXPORT void __tsan_external_write(void *object, void *pc, void *tag)
{
	(void)tag;
	access_for(object, 1, ACCESS_WRITE, (uint64_t)pc);
}

/* --- a barrier that orders nothing, which LLVM's tests use to overlap threads --- */

/* A word has the number of threads in its lowest bits, and those that have come above. */
#define COUNT_BITS 8
#define COUNT_MASK ((1U << COUNT_BITS) - 1)

static uint32_t round_of(uint32_t word)
{
	return (word >> COUNT_BITS) / (word & COUNT_MASK);
}

EXPORT void __tsan_testonly_barrier_init(uint32_t *barrier, unsigned count)
{
	*barrier = count & COUNT_MASK;
}

EXPORT void __tsan_testonly_barrier_wait(uint32_t *barrier)
{
	const uint32_t round = round_of(*barrier);
	*barrier += 1U << COUNT_BITS;
	if (round_of(*barrier) != round) {
		syscall(SYS_futex, barrier, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
		return;
	}
	for (;;) {
		const uint32_t seen = *(volatile uint32_t *)barrier;
		if (round_of(seen) != round)
			return;
		syscall(SYS_futex, barrier, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
	}
}

EXPORT unsigned long __tsan_testonly_shadow_stack_current_size(void)
{
	return tsan_self ? tsan_self->depth : 0;
}

/* --- nothing to do --- */

#define NOTHING(name, ...) \
	EXPORT void name(__VA_ARGS__) \
	{ \
	}

NOTHING(__tsan_flush_memory, void)
NOTHING(AnnotateFlushState, void)
NOTHING(__sanitizer_print_stack_trace, void)
NOTHING(__sanitizer_set_death_callback, void (*call)(void) __attribute__((unused)))
NOTHING(__sanitizer_set_report_path, const char *path __attribute__((unused)))
NOTHING(__sanitizer_set_report_fd, void *fd __attribute__((unused)))

EXPORT size_t __sanitizer_get_allocated_size(void *at)
{
	return malloc_usable_size(at);
}

EXPORT int __sanitizer_get_ownership(const void *at)
{
	return at != NULL;
}
