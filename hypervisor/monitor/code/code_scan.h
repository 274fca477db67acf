/* SPDX-License-Identifier: MIT */
/* Finds what the kernel must patch in a Linux program or library (abi/code.h): system calls, instructions whose results
 * depend on the host (opcode_search.h), `pause`, and on demand decision points. code_rules.h has the rules. Also finds
 * constants in its data (code_seeds.h).
 *
 * It does not search for `int $0x80`, RDPMC and privileged instructions, because they fault in the guest. Nor for AVX
 * and shadow stacks, which the processor model handles. */
#ifndef HYPERVISOR_CODE_SCAN_H
#define HYPERVISOR_CODE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "base/error.h"
#include "code/code_rules.h"

#define CODE_SCAN_VERSION \
	37 /**< must change when results of scans change, so that the cache gives no older results \
	    */

/** Size limit in bytes: larger files and pieces of memory are not scanned. */
#define CODE_SCAN_BYTES_MAX (1UL << 29)

struct code_shared;

/** The wanted decision points (--preempt). All zero: none. */
struct code_points {
	bool atomics;                     /**< each locked instruction, and xchg with memory */
	uint32_t stores;                  /**< number of storing instructions of each file (code_stores.h) */
	uint64_t seed;                    /**< seed by which these are drawn */
	bool loads;                       /**< draw from loading instructions, too */
	const struct code_shared *shared; /**< instead of a draw: the accesses in this list (code_shared.h), or NULL */
	bool own;   /**< only of the program and its own libraries (code_runtime.h), those to the stack last */
	bool ticks; /**< --clock work: not points, but places that count time (ticks/tick_plan.h) */
};

/** Whether points besides atomic instructions are wanted. */
static inline bool code_points_draw(const struct code_points *points)
{
	return points->stores || points->shared;
}

struct code_scan {
	struct code_patch *patches; /**< sorted by offset, without overlaps */
	size_t count, room;
	/**
	 * Sorted offsets of bytes in no known function that may be an instruction of enum trap_kind or data. They are
	 * left unchanged.
	 */
	uint64_t *undecided;
	size_t undecided_count, undecided_room;
	struct error note; /**< what is wrong with the file's tables, which are then ignored; or empty */
};

/**
 * Scans an untrusted ELF file. Without `points` it does not look for loops that wait, which takes most of the time.
 * Returns 0 and a result, which code_scan_fini frees. Or returns a negative errno with one
 * line in *error: -ENOEXEC if it is not an x86-64 ELF file that Linux would load or map, -ELIBACC if the disassembler
 * is not installed, -EFBIG, or -ENOMEM.
 */
int code_scan_elf(const uint8_t *file, uint64_t bytes, const struct code_points *points, struct code_scan *scan,
                  struct error *error);

/**
 * Scans, like code_scan_elf, memory that became executable and of which nothing is known. Offsets are relative to the
 * memory. Instructions found there only trap: no system call becomes a jump, and there are no decision points. Bytes
 * that may be an instruction of enum trap_kind, but do not seem to be, are among the patches as CODE_UNDECIDED or
 * CODE_UNLIKELY. Bytes that are certainly inside another instruction are not. If `entry` is less than `bytes`, an
 * instruction begins there, and the instructions reached from it are certain. Zeros are not evidence of code.
 */
int code_scan_raw(const uint8_t *memory, uint64_t bytes, uint64_t entry, struct code_scan *scan, struct error *error);

/**
 * Whether patches are valid for a file of `bytes` bytes: inside it, ascending, without overlaps, and of known kinds.
 */
bool code_scan_is_possible(const struct code_patch *patches, size_t count, uint64_t bytes);

/** Frees the result of a scan; accepts an all-zero one. */
void code_scan_fini(struct code_scan *scan);

#endif
