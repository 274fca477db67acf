/* SPDX-License-Identifier: MIT */
/* Reads-from pairs: which access of another thread a read got its value from (kernel/sched/reads_from.c).
 *
 * A site is a place in the program that accesses an object, as a number of 31 bits: the low bits of the address to
 * which the access returns, or a hash of a lock and of the operation on it. A pair is the site of the write, shifted
 * left by 32, plus the site of the read. */
#ifndef ABI_SCHED_READS_H
#define ABI_SCHED_READS_H

#include <stdint.h>

#define SCHED_SITE_MASK 0x7fffffffU

/** In a constraint, a pair that is to be avoided. */
#define SCHED_PAIR_AVOIDED (1UL << 63)

/** In a constraint, the order of two accesses to one object by two threads, whether they read or write: that at the
 * first site comes right before that at the second. With SCHED_PAIR_AVOIDED, and if both sites are one, the younger
 * thread comes first, else the older one. */
#define SCHED_PAIR_ORDER (1UL << 31)

/** Most constraints of a run, which are in sched_area.counts (--sched pos:reads=...). */
#define SCHED_CONSTRAINTS_MAX 64

/** The pairs of a run that are listed: the first ones, far more than a small program has. */
#define SCHED_PAIRS_LISTED 256

/** Entries of the hash tables: of all pairs of a run, and of the objects that were written. */
#define SCHED_PAIRS_SHIFT 12
#define SCHED_PAIRS (1U << SCHED_PAIRS_SHIFT)
#define SCHED_WRITERS_SHIFT 14
#define SCHED_WRITERS (1U << SCHED_WRITERS_SHIFT)

/** An entry of a table, or a thread's, is valid only if its epoch is that of the table. */
struct sched_pair {
	uint64_t pair;
	uint64_t epoch;
};

/** The last write to an object. */
struct sched_writer {
	uint64_t object; /**< address, in units of 8 bytes */
	uint64_t epoch;
	uint32_t site;
	uint32_t thread;
};

/** An access that a thread is about to make. */
struct sched_pending {
	uint64_t object; /**< address, in units of 8 bytes */
	uint64_t epoch;
	uint32_t site;
	uint16_t op; /**< enum sched_op */
	uint16_t reserved;
};

/** What a run, or a try, shows of itself. */
struct sched_reads {
	uint64_t epoch;                      /**< number of runs so far: of this one */
	uint64_t signature;                  /**< of the set of pairs, whatever their order */
	uint64_t pairs;                      /**< distinct ones, as far as the table had room */
	uint64_t writers;                    /**< entries in use */
	uint64_t listed[SCHED_PAIRS_LISTED]; /**< the first ones */
	struct sched_pair table[SCHED_PAIRS];
	struct sched_writer writer[SCHED_WRITERS];
};

_Static_assert(sizeof(struct sched_pair) == 16, "sched_pair");
_Static_assert(sizeof(struct sched_writer) == 24, "sched_writer");
_Static_assert(sizeof(struct sched_pending) == 24, "sched_pending");

#endif
