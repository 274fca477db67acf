/* SPDX-License-Identifier: MIT */
/* A futex is four bytes among others, so a field that must have a certain value is compared wherever there is one: an
 * object that is not recognised is reported as a futex, and a wrong name would mislead. */
#include "guest/pthread_objects.h"

#include <stdbool.h>
#include <stddef.h>

#include "abi/thread.h"
#include "guest/guest_virtual.h"

#define TID_BITS 0x3fffffffU  /* of a futex that holds a thread's number (futex(2), robust and PI locks) */
#define LOCKED_WITH_WAITERS 2 /* of a lock of glibc (lowlevellock.h) */
#define KIND_RECURSIVE 1      /* PTHREAD_MUTEX_RECURSIVE_NP, in the bits of KIND_TYPE */
#define KIND_TYPE 3
#define KIND_NUMBERED 0x30   /* robust, or with priority inheritance: the lock word has the owner's number */
#define KINDS 0x3ff          /* all bits that a mutex's kind may have */
#define RWLOCK_WRITE_PHASE 1 /* of `readers` */
#define RWLOCK_WRITE_LOCKED 2
#define RWLOCK_WAITED_FOR 3 /* both futexes of a lock that a writer holds: 1, and the bit for waiters */
#define MUSL_KINDS 0x8fU    /* _m_type: the kind, robust and priority inheritance, process-shared */
#define MUSL_NUMBERED 0xfU  /* the lock word of such a kind has the owner's number */
#define MUSL_WAITED_FOR 0x80000000U
#define MUSL_NORMAL_LOCKED 16 /* EBUSY */
#define THREAD_TID_AT 0x2d0   /* offset of `tid` in struct pthread, behind its header of 0x2c0 bytes and a list */

/* pthread_mutex_t */
struct mutex {
	uint32_t lock, count, owner, users, kind;
	int16_t spins, elision;
	uint64_t list[2];
};

/* pthread_rwlock_t */
struct rwlock {
	uint32_t readers, writers, phase, writer, pad[2], owner, shared;
};

_Static_assert(sizeof(struct mutex) == 40, "pthread_mutex_t");
_Static_assert(offsetof(struct rwlock, owner) == 24, "pthread_rwlock_t");

static bool is_mutex(const struct guest_memory *seen, uint64_t futex, uint32_t *holder)
{
	struct mutex m;
	if (guest_virtual_read(seen, futex, &m, sizeof(m)) || !m.owner || m.owner > TID_BITS || m.kind > KINDS ||
	    !m.users)
		return false;
	*holder = m.owner;
	if (m.kind & KIND_NUMBERED)
		return (m.lock & TID_BITS) == m.owner;
	/* Only robust mutexes are in a list. */
	return m.lock == LOCKED_WITH_WAITERS && !m.list[0] && !m.list[1] &&
	       ((m.kind & KIND_TYPE) == KIND_RECURSIVE) == (m.count != 0);
}

/* A mutex of musl: its lock word is behind its kind. A normal one does not have the number of its owner. */
static bool is_musl_mutex(const struct guest_memory *seen, uint64_t futex, uint32_t *holder)
{
	uint32_t words[3]; /* kind, lock, waiters */
	if (guest_virtual_read(seen, futex - sizeof(words[0]), words, sizeof(words)) || words[0] & ~MUSL_KINDS ||
	    !words[2] || words[2] > THREADS_MAX || !(words[1] & MUSL_WAITED_FOR))
		return false;
	const uint32_t owner = words[1] & ~MUSL_WAITED_FOR;
	const bool is_numbered = words[0] & MUSL_NUMBERED;
	*holder = is_numbered ? owner : 0;
	return is_numbered ? owner && owner <= THREADS_MAX : owner == MUSL_NORMAL_LOCKED;
}

/* Readers wait on `phase`, and writers on `writer` or, if they are the first, on `phase`. */
static bool is_rwlock(const struct guest_memory *seen, uint64_t futex, uint64_t *start, uint32_t *holder)
{
	const uint64_t futexes[] = {offsetof(struct rwlock, phase), offsetof(struct rwlock, writer)};
	const uint32_t both = RWLOCK_WRITE_PHASE | RWLOCK_WRITE_LOCKED;
	for (unsigned i = 0; i < 2; i++) {
		struct rwlock lock;
		if (guest_virtual_read(seen, futex - futexes[i], &lock, sizeof(lock)))
			continue;
		if ((lock.readers & both) != both || (i ? lock.writer : lock.phase) != RWLOCK_WAITED_FOR ||
		    !lock.owner || lock.owner > TID_BITS || lock.shared > 1)
			continue;
		*start = futex - futexes[i];
		*holder = lock.owner;
		return true;
	}
	return false;
}

/* pthread_join waits for `tid` to be cleared. A struct pthread begins with its own address, twice. */
static bool is_thread(const struct guest_memory *seen, uint64_t futex, uint32_t *holder)
{
	const uint64_t start = futex - THREAD_TID_AT;
	uint64_t header[3];
	return !guest_virtual_read(seen, start, header, sizeof(header)) && header[0] == start && header[2] == start &&
	       !guest_virtual_read(seen, futex, holder, sizeof(*holder)) && *holder && *holder <= TID_BITS;
}

enum pthread_object pthread_objects_recognise(const struct guest_memory *seen, uint64_t futex, uint64_t *start,
                                              uint32_t *holder)
{
	*start = futex;
	if (is_thread(seen, futex, holder))
		return PTHREAD_OBJECT_THREAD;
	if (is_mutex(seen, futex, holder))
		return PTHREAD_OBJECT_MUTEX;
	if (is_rwlock(seen, futex, start, holder))
		return PTHREAD_OBJECT_RWLOCK;
	if (is_musl_mutex(seen, futex, holder))
		return PTHREAD_OBJECT_MUTEX;
	return PTHREAD_OBJECT_NONE;
}
