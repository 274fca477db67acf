/* SPDX-License-Identifier: MIT */
/* The hooks that compilers put before plain loads and stores. The access follows its hook, maybe after a switch of
 * threads, but its thread's clock is the same at both. */
#include "tsan.h"

#define WAITS 1000 /* loads by one instruction from one address, one after the other, until others may run */
#define SLICE_OF_WAIT ((1 << 20) / WAITS)

static void access(const void *at, uint64_t bytes, unsigned flags, uint64_t pc)
{
	struct thread *thread = tsan_thread();
	if (!thread)
		return;
	shadow_access(thread, (uint64_t)at, bytes, flags, pc);
	const bool waits = thread->last_address == (uint64_t)at && thread->last_value == pc;
	thread->last_address = (uint64_t)at;
	thread->last_value = pc;
	thread->slice -= waits ? SLICE_OF_WAIT : 1;
	if (thread->slice <= 0)
		threads_give_way(thread, waits);
}

#define HOOK(name, bytes, flags) \
	EXPORT void __tsan_##name(void *at) \
	{ \
		access(at, bytes, flags, CALLER); \
	} \
	EXPORT void __tsan_##name##_pc(void *at, void *pc) \
	{ \
		access(at, bytes, flags, (uint64_t)pc); \
	}

#define HOOKS(bytes) \
	HOOK(read##bytes, bytes, 0) \
	HOOK(write##bytes, bytes, ACCESS_WRITE) \
	HOOK(read_write##bytes, bytes, ACCESS_WRITE) \
	HOOK(unaligned_read##bytes, bytes, 0) \
	HOOK(unaligned_write##bytes, bytes, ACCESS_WRITE) \
	HOOK(unaligned_read_write##bytes, bytes, ACCESS_WRITE) \
	HOOK(volatile_read##bytes, bytes, 0) \
	HOOK(volatile_write##bytes, bytes, ACCESS_WRITE) \
	HOOK(unaligned_volatile_read##bytes, bytes, 0) \
	HOOK(unaligned_volatile_write##bytes, bytes, ACCESS_WRITE)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

EXPORT void __tsan_read_range(void *at, unsigned long bytes)
{
	access(at, bytes, 0, CALLER);
}

EXPORT void __tsan_write_range(void *at, unsigned long bytes)
{
	access(at, bytes, ACCESS_WRITE, CALLER);
}

EXPORT void __tsan_read_range_pc(void *at, unsigned long bytes, void *pc)
{
	access(at, bytes, 0, (uint64_t)pc);
}

EXPORT void __tsan_write_range_pc(void *at, unsigned long bytes, void *pc)
{
	access(at, bytes, ACCESS_WRITE, (uint64_t)pc);
}

/* Constructors and destructors store the same value again, which is no change. */
EXPORT void __tsan_vptr_update(void **at, void *value)
{
	if (*at != value)
		access(at, sizeof(*at), ACCESS_WRITE, CALLER);
}

EXPORT void __tsan_vptr_read(void **at)
{
	access(at, sizeof(*at), 0, CALLER);
}

/* --- what a program says about itself (tsan_interface.h, dynamic annotations) --- */

EXPORT void __tsan_acquire(void *at)
{
	if (tsan_thread())
		sync_acquire(tsan_self, (uint64_t)at);
}

EXPORT void __tsan_release(void *at)
{
	if (tsan_thread())
		sync_release(tsan_self, (uint64_t)at);
}

static void ignore(int change)
{
	if (tsan_self)
		tsan_self->ignores += change;
}

EXPORT void __tsan_ignore_thread_begin(void)
{
	ignore(1);
}

EXPORT void __tsan_ignore_thread_end(void)
{
	ignore(-1);
}

EXPORT void AnnotateHappensBefore(const char *file, int line, void *at)
{
	(void)file, (void)line;
	__tsan_release(at);
}

EXPORT void AnnotateHappensAfter(const char *file, int line, void *at)
{
	(void)file, (void)line;
	__tsan_acquire(at);
}

#define IGNORE(what, member) \
	EXPORT void AnnotateIgnore##what##Begin(const char *file, int line) \
	{ \
		(void)file, (void)line; \
		if (tsan_self) \
			tsan_self->member++; \
	} \
	EXPORT void AnnotateIgnore##what##End(const char *file, int line) \
	{ \
		(void)file, (void)line; \
		if (tsan_self) \
			tsan_self->member--; \
	}

IGNORE(Reads, ignores)
IGNORE(Writes, ignores)
IGNORE(Sync, sync_ignores)

EXPORT void AnnotateBenignRaceSized(const char *file, int line, void *at, size_t bytes, const char *why)
{
	(void)file, (void)line, (void)why, (void)at, (void)bytes;
}

EXPORT void AnnotateNewMemory(const char *file, int line, void *at, size_t bytes)
{
	(void)file, (void)line;
	shadow_forget((uint64_t)at, bytes);
}
