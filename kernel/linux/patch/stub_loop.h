/* SPDX-License-Identifier: MIT */
/* Copies of innermost loops in the stubs of their places: such a stub is
 *
 *     instructions of the loop before the place    the check (stub.c)
 *     the place and the rest of the loop, whose jump back leads to the start    jmp behind the loop
 *     the path of a countdown that has run out (stub.c)    islands
 *
 * A jump that cannot reach its target from here leads to an island, which jumps there. Instructions keep their lengths,
 * so that addresses can be translated by their distances. The loop in the program stays as it is but for its place: who
 * enters it elsewhere, or returns to it from a signal handler, comes to the copy with the next round. */
#ifndef KERNEL_LINUX_PATCH_STUB_LOOP_H
#define KERNEL_LINUX_PATCH_STUB_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/code.h"
#include "kernel/linux/patch/stub_code.h"

#define STUB_LOOP_PARTS 16

/** An instruction that changes when it is copied. Offsets are from the start of the loop. */
struct stub_loop_part {
	uint8_t start, end;          /**< of the instruction */
	uint8_t displacement, bytes; /**< where its displacement is, and of how many bytes */
	bool is_jump;
	uint8_t island;  /**< 1 + the number of the one to which it jumps; 0: none */
	uint64_t target; /**< address in the program */
};

struct stub_loop {
	uint64_t head, site, end;         /**< addresses of the loop and of its place */
	unsigned check_bytes, slow_bytes; /**< of what the stub has beside it */
	struct stub_loop_part parts[STUB_LOOP_PARTS];
	unsigned count, islands;
	/* See stub_rounds.h. */
	unsigned rounds, rounds_at; /**< how many rounds one check is for, 0 or several, and their offset in the stub */
	unsigned last_bytes;        /**< of the jump back */
	uint8_t condition;          /**< of that jump, as in its opcode */
	uint64_t price;             /**< of a round */
};

/** Finds the loop that is copied into the stub of a tick's patch, whose number is `index`. `shift` is the difference
 * between an address and its offset in the file. Returns false if there is none, or it cannot be copied. */
bool stub_loop_find(struct stub_loop *loop, const struct code_patch *patches, uint64_t count, uint64_t index,
                    uint64_t shift, unsigned check_bytes, unsigned slow_bytes);

/** Adds the bytes from one address of the loop to another, with the displacements of the copy. */
void stub_loop_add_copied(struct code *code, const struct stub_loop *loop, uint64_t from, uint64_t to);

/** How many bytes a stub has more than one that moves only `replaced` bytes. */
unsigned stub_loop_more_bytes(const struct stub_loop *loop, unsigned replaced);

/** Adds the instructions before the place, those from the place on, and the islands. */
void stub_loop_add_start(struct code *code, const struct stub_loop *loop);
void stub_loop_add_rest(struct code *code, const struct stub_loop *loop);
void stub_loop_add_islands(struct code *code, const struct stub_loop *loop);

#endif
