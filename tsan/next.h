/* SPDX-License-Identifier: MIT */
/* Functions of libc that the library stands before. */
#ifndef TSAN_NEXT_H
#define TSAN_NEXT_H

#include "tsan.h"

/** Declares next_NAME(), which returns libc's function. VERSION: of its symbol, or NULL for the default one. */
#define NEXT(name, version) \
	static __typeof__(name) *next_##name(void) \
	{ \
		static __typeof__(name) *found; \
		if (!found) { \
			tsan_start(); \
			found = (__typeof__(name) *)tsan_next(#name, version); \
		} \
		return found; \
	}

static inline void release_at(uint64_t key)
{
	if (tsan_thread())
		sync_release(tsan_self, key);
}

static inline void acquire_at(uint64_t key)
{
	if (tsan_thread())
		sync_acquire(tsan_self, key);
}

static inline void release_object(const volatile void *object)
{
	release_at((uint64_t)object);
}

static inline void acquire_object(const volatile void *object)
{
	acquire_at((uint64_t)object);
}

/** An interposed function accesses memory for its caller. */
static inline void access_for(const volatile void *at, uint64_t bytes, unsigned flags, uint64_t pc)
{
	if (tsan_thread())
		shadow_access(tsan_self, (uint64_t)at, bytes, flags, pc);
}

#endif
