/* SPDX-License-Identifier: MIT */
/* Stubs: what patched places of a Linux program jump to. They lie in memory of the program near its code, and what they
 * are copied with it by fork(2). Where they are each address space knows. */
#ifndef KERNEL_LINUX_PATCH_STUB_H
#define KERNEL_LINUX_PATCH_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"

/** At the end of the stub of a decision point, for who comes from there (entry.S). */
struct stub_point {
	uint64_t go_on; /**< where the instruction itself is in the stub */
	uint8_t kind;   /**< enum code_kind */
	uint8_t length; /**< of the instruction */
	uint8_t operand[3];
	uint8_t reserved[3];
};

/** Stubs of one range of code. */
struct stub_area {
	uint64_t start, end; /**< the code */
	uint64_t at, bytes;  /**< the stubs */
	uint64_t places;     /**< address of struct stub_place[], behind them */
	uint64_t count;      /**< of these */
};

/** Those of an address space. */
struct stub_areas {
	struct stub_area *list;
	size_t count, room;
};

/**
 * Writes stubs for those of the patches that want one, and has their places jump there, or trap. `shift` is what an
 * address is more than its offset in the file, [start, end) the code. Ends the run when there is no room for what must
 * be.
 */
void stub_write(const struct code_patch *patches, uint64_t count, uint64_t start, uint64_t end, uint64_t shift);

/** Where the stub begins that a place has, by the first byte that is replaced; 0: it has none. */
uint64_t stub_of(uint64_t address);

/**
 * The address in the program that stands for one in a stub: of an instruction that was moved there, of the system call,
 * or of where the program goes on behind it. Other addresses stay. For what a program or a debugger is told, whose
 * unwinders know nothing of stubs.
 */
uint64_t stub_original(uint64_t address);

/** The way back: where a thread goes on that is to go on at such an address. Where there is nothing in the place of the
 * instruction there, it stays. */
uint64_t stub_going_on(uint64_t address);

/** What another address space has becomes what this one, which is empty, has: it is a copy. 0 or -ENOMEM. */
int stub_areas_copy(struct stub_areas *to, const struct stub_areas *from);

/** Forgets all. */
void stub_areas_fini(struct stub_areas *areas);

#endif
