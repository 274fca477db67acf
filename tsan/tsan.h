/* SPDX-License-Identifier: MIT */
/* The library that takes the place of libtsan in a guest: it finds data races in a program that was compiled with
 * -fsanitize=thread, by vector clocks.
 *
 * Inside a guest one thread runs at a time, and threads are switched only in kernel calls and before the instructions
 * of points.S. The detector makes no kernel call between two states that fit together, so it needs no locks, and the
 * same run finds the same races. Outside a guest it is off, and the hooks do nothing but the atomic operations. */
#ifndef TSAN_TSAN_H
#define TSAN_TSAN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER ((uint64_t)__builtin_return_address(0))

/** Threads that are told apart at a time; those that have ended, and which nothing is concurrent with, do not count. */
#define SLOTS 256U

/** Depth of calls to which a thread's stack is known. */
#define FRAMES_MAX 1024U

/** The time of each thread, by slot. */
struct clock {
	uint32_t at[SLOTS];
};

struct frame {
	uint64_t sp, pc; /**< of the call */
	uint32_t node;   /**< in the tree of calls (site.c); 0: not looked up yet */
};

struct site_memo {
	uint64_t pc;
	uint32_t node, site;
};

#define MEMOS 128U

struct thread {
	struct clock clock;    /**< what happens before what it does now */
	struct clock released; /**< at its last release fence */
	struct clock seen;     /**< what its relaxed loads have read, for its next acquire fence */
	uint32_t slot, number; /**< number: counted from 1 */
	bool has_released, has_seen, is_detached, has_ended;
	int ignores, sync_ignores; /**< accesses, and what orders threads, do not count while it is not 0 */
	int64_t slice;             /**< hooks until the thread gives way */
	uint64_t last_address, last_value;
	unsigned waits;         /**< slices that it has waited in a loop, one after the other */
	uint32_t depth, beyond; /**< calls on its stack, and those that are too deep */
	pthread_t id;
	void *(*run)(void *);
	int (*run_c11)(void *);
	void *argument;
	struct thread *next; /**< of the free ones */
	struct site_memo memo[MEMOS];
	struct frame frames[FRAMES_MAX];
};

enum tsan_state {
	TSAN_OFF,    /**< not in a guest, or without memory */
	TSAN_SINGLE, /**< no thread was made yet: all that happens comes before what they do */
	TSAN_ON,
};

/** What fell out, for the report. */
struct tsan_lost {
	uint64_t accesses; /**< that were not looked at; the end of all looking counts as one */
	uint64_t kept;     /**< accesses that were forgotten while later ones might have raced with them */
	uint64_t races;    /**< that were too many */
};

/** What is looked at now. */
extern enum tsan_state tsan_state;

/** Up to now. */
extern struct tsan_lost tsan_lost;

/** The running thread; NULL: it is not looked at. */
extern __thread struct thread *tsan_self __attribute__((tls_model("initial-exec")));

/** The running thread; NULL if there is nothing to do. Only with a thread of its own does a hook count. */
static inline struct thread *tsan_thread(void)
{
	return tsan_state == TSAN_ON ? tsan_self : NULL;
}

/* --- memory.c --- */

/** Reserves memory, zeroed, from what was mapped at the start; NULL: it is used up. */
void *memory_take(uint64_t bytes);

/** Maps it. Returns whether it could. */
bool memory_init(void);

/** Blocks of shadow memory that there is room for. */
extern uint32_t memory_blocks;

/* --- threads.c --- */

extern uint32_t threads_slots; /**< slots in use: clocks are zero from there on */

/** Makes the first thread. */
void threads_init(void);

/** Returns a thread that `maker` makes now, or NULL: there are too many. */
struct thread *threads_make(struct thread *maker);

/** All that any thread has done until now comes before what this one does next. */
void threads_follow_all(struct thread *thread);

/** The running thread is none that the program has made, as those of timers: all that was done comes before it. */
void threads_adopt(void);

/** The running thread ends. If it is detached, nobody joins it. */
void threads_end(void);

/** Takes a thread back that could not be made. */
void threads_drop(struct thread *thread);

/** Orders all that an ended thread has done before what `joiner` does from now on. Its slot may be used again. */
void threads_join(struct thread *joiner, struct thread *ended);

/** The slot of a thread that has ended may be used again, once nothing is concurrent with it. */
void threads_leave(struct thread *ended);

/** The thread with an id that has not ended, or NULL. */
struct thread *threads_by_id(pthread_t id);

/** The number of the thread that had a slot at a time. */
uint32_t threads_number(uint32_t slot, uint32_t time);

/** Takes over what another clock has. */
void clock_join(struct clock *to, const struct clock *from);

/** The thread's next accesses come after what it has released so far. */
void threads_tick(struct thread *thread);

/** Lets other threads run: the thread's slice is over, or it `waits` in a loop. */
void threads_give_way(struct thread *thread, bool waits);

/* --- sync.c --- */

/** Where threads release and acquire: the address of a lock, or one of these. */
#define SYNC_FILE(fd) (1UL << 60 | (uint64_t)(uint32_t)(fd))
#define SYNC_SIGNALS (2UL << 60)
#define SYNC_EXIT (3UL << 60)

/** Makes the table. */
void sync_init(void);

/** What the thread has done comes before what others do that acquire there later. */
void sync_release(struct thread *thread, uint64_t key);

/** What others have released there comes before what the thread does from now on. */
void sync_acquire(struct thread *thread, uint64_t key);

/** The same with the clock of a release fence, and for an acquire fence. */
void sync_release_fenced(struct thread *thread, uint64_t key);
void sync_see(struct thread *thread, uint64_t key);

/** What a store leaves of what was released: with `thread`, only what it has released itself. */
void sync_overwrite(struct thread *thread, uint64_t key);

/** Forgets what was released at addresses. */
void sync_forget(uint64_t from, uint64_t bytes);

/* --- site.c --- */

/** Makes the tree. */
void site_init(void);

/** The site of an instruction in the thread's calls now. */
uint32_t site_of(struct thread *thread, uint64_t pc);

/** Writes the instruction of a site, and the calls that led to it, the innermost first. Returns their number. */
uint32_t site_stack(uint32_t site, uint64_t *pc, uint32_t max);

/* --- shadow.c --- */

#define ACCESS_WRITE 1U
#define ACCESS_ATOMIC 2U
#define ACCESS_FREE 4U

/** Makes the table. */
void shadow_init(void);

/** A thread accesses memory. */
void shadow_access(struct thread *thread, uint64_t address, uint64_t bytes, unsigned flags, uint64_t pc);

/** A lifetime of memory begins: it was allocated. Or ends: accesses to it are forgotten. */
void shadow_allocate(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc);
void shadow_free(struct thread *thread, uint64_t address, uint64_t bytes, uint64_t pc);
void shadow_forget(uint64_t address, uint64_t bytes);

/* --- report.c --- */

struct access {
	uint64_t address;
	uint32_t bytes, site, thread;
	uint8_t flags;
};

/** Tells the monitor of a race, once for each pair of instructions. */
void report_race(const struct access *earlier, const struct access *later);

/** Tells the monitor that the library is there. Returns whether there is a monitor. */
bool report_begin(void);

/** Tells it what fell out. */
void report_end(void);

/* --- start.c --- */

/** Prepares everything, once. */
void tsan_start(void);

/** The function that the library stands before. */
void *tsan_next(const char *name, const char *version);

#endif
