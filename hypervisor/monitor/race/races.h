/* SPDX-License-Identifier: MIT */
/* Finds data races in a run: two accesses to the same memory, of which one writes, that no synchronisation orders. It
 * is told of each access in the order in which the run makes them, and of what orders threads (race_clock.h). */
#ifndef HYPERVISOR_RACES_H
#define HYPERVISOR_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Most races of a run that are kept, and most units of eight bytes in which it looks for them. */
#define RACES_MAX 1024U
#define RACES_UNITS_MAX (1U << 19)

/** An access to bytes of one unit of eight bytes. */
struct race_access {
	uint32_t thread; /**< its number */
	uint32_t unit;   /**< number of the unit, which grows from 0 */
	uint32_t place;  /**< number of the instruction */
	uint8_t bytes;   /**< mask of the bytes of the unit */
	bool reads, writes;
	bool is_locked; /**< a locked instruction: an atomic operation */
	bool is_plain;  /**< no atomic operation of any compiler: it is wide, not aligned, or loads and stores */
	uint64_t address;
	uint64_t note; /**< number of its note */
};

#define RACE_UNITS 4U

struct race {
	uint32_t place[2];
	bool writes[2]; /**< of the access at each place */
	bool reads[2];
	uint32_t thread[2]; /**< of the first time: their numbers */
	uint64_t note[2];   /**< of the first time */
	uint8_t orders;     /**< bit 0: the access at place[0] was made before the other one; bit 1: after it */
	uint64_t address;   /**< of the first time: of the later access */
	uint64_t count;
	/** Nothing orders the accesses, even if each plain load and store of a word were an atomic operation, and one
	 * of them is no atomic operation. Otherwise the accesses may be atomics, or others between them. */
	bool is_certain;
	/** The same, if the accesses themselves are no atomic operations: it depends on what the program's source says.
	 */
	bool is_unordered;
	/** Granules in which it was seen, as far as there is room: those that no locked instruction had accessed. */
	uint32_t units[RACE_UNITS];
	uint8_t unit_count;
};

struct races;

/** Returns an empty set, or NULL without memory. */
struct races *races_create(void);
void races_destroy(struct races *races);

/** The run goes on: an access is made. */
void races_access(struct races *races, const struct race_access *access);

/** A thread makes or wakes another one, or ends. Threads are given by number; `stack` is the new one's stack pointer.
 */
void races_made(struct races *races, uint32_t maker, uint32_t thread, uint64_t stack);
void races_woken(struct races *races, uint32_t waker, uint32_t thread);
void races_ended(struct races *races, uint32_t thread, uint64_t control_block);

/** A thread makes a system call with a stack pointer. `unit`: of its futex, UINT32_MAX: not known. */
void races_call(struct races *races, uint32_t thread, uint32_t number, uint32_t unit, uint64_t stack);

/** Another thread runs in the place of this one. If it waits in a loop, it goes on because of what others have written.
 * If its slice has ended, it may. */
void races_replaced(struct races *races, uint32_t thread, bool waits);

/** A thread accesses an address by a locked instruction: called before races_access. */
void races_locked(struct races *races, uint32_t thread, uint64_t address);

/** A thread's own time, and whether synchronisation orders what it did then before what another one does now. */
uint64_t races_time(struct races *races, uint32_t thread);
bool races_is_before(struct races *races, uint32_t earlier, uint64_t time, uint32_t thread);

/** Whether a thread comes after the end of another one in every schedule: it was made after it, or has waited for it.
 */
bool races_is_gone(struct races *races, uint32_t ended, uint32_t thread);

/** Returns the races, and their number. Those between what turned out to be atomic operations are left out. */
const struct race *races_all(struct races *races, size_t *count);

/** Accesses that were not looked at, because there were too many threads, units or races. */
uint64_t races_left_out(const struct races *races);

#endif
