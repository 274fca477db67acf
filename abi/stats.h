/* SPDX-License-Identifier: MIT */
/* Numbers that the kernel counts about a run, for --summary and the run digest. The monitor reads it at the end. */
#ifndef ABI_STATS_H
#define ABI_STATS_H

#include <stdint.h>

#include "abi/network.h"

#define STATS_CALLS 512
#define STATS_OUTSIDE 8

/** What is counted of code made at run time: X(name in JSON, "name in text"). */
#define STATS_CODE_LIST(X) \
	X(pages_searched, "pages searched") \
	X(pages_judged, "judged by the monitor") \
	X(pages_written, "written again") \
	X(stores_stepped, "stores stepped") \
	X(instructions_watched, "instructions watched")

#define STATS_CODE_ONE(name, text) STATS_CODE_##name,
/** STATS_CODE_pages_searched etc. */
enum { STATS_CODE_LIST(STATS_CODE_ONE) STATS_CODE_COUNT };
#undef STATS_CODE_ONE

/** Events that cost time on the host, by what the guest's kernel sees of them: X(name in JSON, "name in text"). */
#define STATS_TRAPS_LIST(X) \
	X(page_faults, "page faults") \
	X(instructions, "instructions that trap") \
	X(others, "other exceptions") \
	X(table_loads, "loads of page tables") \
	X(invalidations, "invalidated pages")

#define STATS_TRAPS_ONE(name, text) STATS_TRAPS_##name,
/** STATS_TRAPS_page_faults etc. */
enum { STATS_TRAPS_LIST(STATS_TRAPS_ONE) STATS_TRAPS_COUNT };
#undef STATS_TRAPS_ONE

/** The two pages at LAYOUT_STATS. */
struct run_stats {
	uint64_t virtual_ns;        /**< virtual time since the start */
	uint64_t events;            /**< kernel calls and scheduling decisions so far */
	uint64_t chain[2];          /**< hash chain over all events, see kernel/lib/chain.h */
	uint64_t memory_bytes;      /**< guest frames in use now */
	uint64_t memory_peak_bytes; /**< maximum of memory_bytes */
	uint64_t frames_low;        /**< guest-physical: frames that were handed out are in [frames_low, frames_high) */
	uint64_t frames_high;
	uint64_t page_tables_low; /**< guest-physical: the page tables, which the digest leaves out */
	uint64_t page_tables_high;
	uint64_t calls[STATS_CALLS];             /**< by Linux system call number */
	uint64_t trapped_calls;                  /**< Linux programs: system calls whose instruction trapped */
	uint64_t failed_calls[STATS_CALLS / 64]; /**< one bit for each system call number that failed with ENOSYS */
	uint64_t
		outside_addresses; /**< connections and datagrams to addresses outside the guest, without a way there */
	struct network_address outside[STATS_OUTSIDE]; /**< the first of them, each once; the rest is 0 */
	uint64_t memory_refused;                       /**< requests for which no guest memory was left */
	uint64_t code[STATS_CODE_COUNT];               /**< code made at run time, by STATS_CODE_LIST */
	uint64_t traps[STATS_TRAPS_COUNT];             /**< by STATS_TRAPS_LIST; 0 in images made before them */
};

_Static_assert(sizeof(struct run_stats) == 4504, "run_stats, at most two pages");

#endif
