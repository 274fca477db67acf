/* SPDX-License-Identifier: MIT */
/* Finds what the kernel has to patch in a Linux program or library (abi/code.h): system calls, instructions whose
 * results would be the host's (opcode_search.h), `pause`, and on demand decision points. By which rules: code_rules.h.
 * And constants in its data (code_seeds.h).
 *
 * Not looked for: `int $0x80` and `sysenter`, which fault by themselves in a 64-bit program whose kernel has no gate
 * for them, so that the run ends where one is executed; RDPMC and privileged instructions, for the same reason; XSAVE
 * and its kin, AVX, PKU and shadow stacks, which are the processor model's matter. */
#ifndef HYPERVISOR_CODE_SCAN_H
#define HYPERVISOR_CODE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "code/code_rules.h"

#define CODE_SCAN_VERSION 28 /**< changes with what is found, so that no older result is taken from the cache */

/** Larger files and pieces of memory are not looked at. */
#define CODE_SCAN_BYTES_MAX (1UL << 29)

/** Which decision points are wanted (--preempt). All zero: none. */
struct code_points {
	bool atomics;    /**< each locked instruction, and xchg with memory */
	uint32_t stores; /**< so many instructions that store, of each file (code_stores.h) */
	uint64_t seed;   /**< that they are drawn by */
};

struct code_scan {
	struct code_patch *patches; /**< by offset, apart from each other */
	size_t count, room;
	/**
	 * Bytes in no known function of which it cannot be told whether they are one of enum trap_kind or data, by
	 * offset. They are left as they are.
	 */
	uint64_t *undecided;
	size_t undecided_count, undecided_room;
	char note[256]; /**< what is wrong with the file's own tables, which are then not used; or empty */
};

/**
 * Scans an ELF file: untrusted, all of it. 0, and a result for code_scan_fini;
 * or a negative errno with one line in error[]: -ENOEXEC when it is no ELF file for x86-64 that Linux would load or
 * map, -ELIBACC when the disassembler is not installed, -EFBIG, -ENOMEM.
 */
int code_scan_elf(const uint8_t *file, uint64_t bytes, const struct code_points *points, struct code_scan *scan,
                  char error[256]);

/**
 * The same for memory that became executable and of which nothing is known. Offsets are those in the memory. What is
 * found there only traps: no system call becomes a jump, and nothing a decision point. What may be one of enum
 * trap_kind and is none as it seems is among the patches, as CODE_UNDECIDED or CODE_UNLIKELY; what is sure to be a part
 * of another instruction is not. An instruction is known to begin at `entry`, if that is less than `bytes`: what is
 * reached from there is sure. Zeros say nothing.
 */
int code_scan_raw(const uint8_t *memory, uint64_t bytes, uint64_t entry, struct code_scan *scan, char error[256]);

/** Whether patches can be those of a file of so many bytes: in it, ascending, apart, and of known kinds. */
bool code_scan_is_possible(const struct code_patch *patches, size_t count, uint64_t bytes);

/** Scans end with -EINTR from when `stopped` is true on: hostile code takes seconds for each MiB. NULL: they never do.
 */
void code_scan_stop_when(bool (*stopped)(void));

/**
 * Scans end with -EINTR from when `stopped` is true on, because hostile code takes seconds for each MiB. NULL: they
 * never do.
 */
void code_scan_stop_when(bool (*stopped)(void));

/** Frees what a scan has found; also one that is all zero. */
void code_scan_fini(struct code_scan *scan);

#endif
