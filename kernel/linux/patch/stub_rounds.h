/* SPDX-License-Identifier: MIT */
/* Copies of small loops that make several rounds for one check. Behind the islands of a copied loop (stub_loop.h),
 * whose check begins with a test whether the countdown is longer than these rounds take:
 *
 *     subtract the price of all rounds
 *     for each round: the instructions from the place on, the jump back turned round: it leads to the exit of this
 *         round, and goes on else    the instructions before the place
 *     jmp to the test
 *     for each round but the last: save rax    rax = the price of the rounds that were not made    jmp 1f
 *     1: save rcx    add rax to the countdown without flags    restore rax and rcx    jmp behind the loop
 *
 * So the countdown runs out in the same round as without. While such rounds are made it has fewer ticks than the work
 * done says, which nothing may see: a trap in one of them gives the rest back, and continues in the copy with one check
 * for each round (stub_rounds_leave). */
#ifndef KERNEL_LINUX_PATCH_STUB_ROUNDS_H
#define KERNEL_LINUX_PATCH_STUB_ROUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"
#include "kernel/linux/patch/stub.h"

struct code;
struct stub_loop;

/** Bytes of the test, and of the jump in it, which is its end. */
#define STUB_TEST_BYTES 18
#define STUB_TEST_JUMP_BYTES 6

/** Chooses how many rounds a loop makes for one check; 0: it is not suitable. `price` is that of a round, in units of
 * the countdown. */
void stub_rounds_choose(struct stub_loop *loop, uint64_t price);

/** Bytes of the rounds with their exits. */
unsigned stub_rounds_bytes(const struct stub_loop *loop);

/** Adds the test, and the rounds, whose offset in the stub is loop->rounds_at. */
void stub_rounds_add_test(struct code *code, const struct stub_loop *loop);
void stub_rounds_add(struct code *code, const struct stub_loop *loop);

/** What an address in the rounds of a stub stands for. */
struct stub_round {
	uint64_t original;     /**< in the program */
	uint64_t single;       /**< where the copy with one check for each round continues */
	uint64_t ahead;        /**< by how much the countdown has too little */
	bool has_rax, has_rcx; /**< whether linux_point_rax and linux_point_rcx have the registers of the program */
};

/** Finds this for an address in a stub of an area. Returns false if no rounds are there. */
bool stub_rounds_find(const struct stub_area *area, const struct stub_place *place, uint64_t address, uint64_t rax,
                      struct stub_round *round);

/** `address` is that of an instruction of the program. If a stub has it in rounds, returns the address of the jump that
 * leads to these rounds, which has STUB_TEST_JUMP_BYTES bytes; else 0. Where other code replaces that jump, the stub
 * checks each round. */
uint64_t stub_rounds_jump(uint64_t address);

/** A trap begins: makes its frame, and the countdown, those of a loop with one check for each round. */
void stub_rounds_leave(struct trap_frame *frame);

#endif
